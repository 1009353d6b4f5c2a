#include "run/check_files.hpp"

#include <system_error>

namespace hiple {

namespace {

void check_file(const std::string& what, const std::filesystem::path& path, const Place& place, const std::string& remedy,
                Problems& problems) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (std::filesystem::is_regular_file(status)) return;
  if (!std::filesystem::exists(status)) {
    const std::string why = status.type() == std::filesystem::file_type::not_found ? "no such file" : problem.message();
    problems.add(place, "the " + what + " " + path.string() + " is not there", why, remedy);
  } else if (std::filesystem::is_directory(status)) {
    problems.add(place, "the " + what + " " + path.string() + " is a folder", "a file is needed", "correct the path");
  } else {
    problems.add(place, "the " + what + " " + path.string() + " is no regular file", "it is read more than once",
                 "write its content into a file");
  }
}

}  // namespace

void check_files(const RunConfig& config, Problems& problems) {
  const std::string correct = "correct the path, which is relative to run.yaml";
  check_file(
      "table", config.data.table, config.data.table_place,
      "make it, or correct the path, which is relative to run.yaml; `hiple data --help` tells how the studies' tables are made",
      problems);
  check_file("schema", config.data.schema, config.data.schema_place, correct, problems);
  check_file("law", config.law, config.law_place, correct, problems);
  if (!config.gate_report.empty())
    check_file("gate report", config.gate_report, config.gate_report_place,
               "make it with `hiple gates DIR --out FILE`, or correct the path, which is relative to run.yaml", problems);
  if (!config.evidence.file.empty())
    check_file("evidence", config.evidence.file, config.evidence.place,
               "make it with `hiple evidence add`, or correct the path, which is relative to run.yaml", problems);
  if (!config.gates.empty()) check_file("gates file", config.gates, config.gates_place, correct, problems);
}

}  // namespace hiple
