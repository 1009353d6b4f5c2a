#include "run/command_files.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "config/command_text.hpp"
#include "process/program.hpp"

namespace hiple {

void look_up_commands(RunConfig& config, Problems& problems) {
  for (EngineConfig& engine : config.engines) {
    if (!engine.is_command()) continue;
    CommandConfig& command = engine.command;
    command.program = process::find_program(command.words.at(0), command.folder);
    if (command.program.empty())
      problems.add(command.word_places.at(0), "\"" + command.words[0] + "\" of engine " + engine.name + " cannot be started",
                   command.words[0].find('/') == std::string::npos
                       ? "no program of that name is in PATH"
                       : "there is no such file in " + command.folder.string() + ", or it may not be executed",
                   "install it, or correct the path, which is relative to run.yaml");
    command.files.clear();
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      const std::string& word = command.words[i];
      if (word.empty() || !placeholders_in(word).empty() || (i == 0 && word.find('/') == std::string::npos)) continue;
      const auto path = (command.folder / word).lexically_normal();
      std::error_code problem;
      if (std::filesystem::is_regular_file(path, problem)) command.files.push_back({path, sha256_file(path)});
    }
  }
}

void refuse_commands(const RunConfig& config) {
  Problems problems;
  for (const EngineConfig& engine : config.engines)
    if (engine.is_command())
      problems.add(engine.place, "engine " + engine.name + " starts a program: " + join(engine.command.words, " "),
                   "--no-commands refuses that", "leave the option out where you trust who wrote this file");
  problems.throw_if_any();
}

}  // namespace hiple
