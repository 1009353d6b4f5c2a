// write_json_schemas REFERENCE OUTPUT: the JSON Schemas of the files that people write. What they say is what the loaders ask for
// while they read the specimens in the folders of REFERENCE.

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "config/json_schema.hpp"
#include "config/run_config.hpp"
#include "gate/gates_config.hpp"
#include "run/law_setting.hpp"

namespace {

using namespace hiple;
namespace fs = std::filesystem;

constexpr std::array<const char*, 5> kinds = {"run", "schema", "law", "critical", "gates"};
constexpr std::array<const char*, 3> folders = {"full", "other", "least"};

void load(const fs::path& folder) {
  load_run_config(folder / "run.yaml");
  load_schema(folder / "schema.yaml");
  gate::load_gates(folder / "gates.yaml");
  LawOptions law;
  law.law = folder / "law.yaml";
  load_law(find_law_setting(law));
}

void write(const fs::path& from, const fs::path& to) {
  yaml::Trace trace;
  for (const char* folder : folders) load(from / folder);
  for (const std::string kind : kinds) {
    std::vector<yaml::Specimen> specimens;
    for (const char* folder : folders) {
      const fs::path path = from / folder / (kind + ".yaml");
      if (fs::exists(path)) specimens.push_back({yaml::load(path), read_file(path)});
    }
    std::ofstream file(to / (kind + ".json"));
    file << yaml::json_schema(kind + ".yaml", specimens, trace).dump(1) << '\n';
    if (!file.flush()) throw Error("cannot write " + (to / (kind + ".json")).string());
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 3) throw Error("usage: write_json_schemas REFERENCE OUTPUT", ExitStatus::bad_input);
    write(arguments[1], arguments[2]);
    return 0;
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.status());
  }
}
