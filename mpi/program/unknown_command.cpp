#include "mpi/program/unknown_command.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

namespace hiple::program {

void refuse_unknown_command(const CLI::App& app, const std::string& program, int argc, const char* const* argv) {
  const CLI::App* group = &app;
  std::string path = program;
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    const std::string word = argv[i];
    std::vector<std::string> names;
    const CLI::App* chosen = nullptr;
    for (const CLI::App* command : group->get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(command->get_name());
      if (command->get_name() == word) chosen = command;
    }
    if (names.empty()) return;
    if (chosen == nullptr) throw InputError(Place{path}, "no command \"" + word + "\"", {}, suggestion(word, names));
    group = chosen;
    path += " " + word;
  }
}

}  // namespace hiple::program
