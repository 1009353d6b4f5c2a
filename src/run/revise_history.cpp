#include "run/revise_history.hpp"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "config/yaml.hpp"

namespace hiple {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& doing) {
  throw Error(path.string() + ": " + doing + ": " + std::system_category().message(errno));
}

std::string hash_or_nothing(const fs::path& path) { return fs::exists(path) ? sha256_file(path) : std::string(); }

/// critical.yaml beside a law, where the law names one.
fs::path critical_file(const fs::path& law, const std::string& text) {
  for (const yaml::Entry& entry : yaml::parse(text, law.string()).entries)
    if (entry.key == "critical" && entry.value.is_scalar()) return law.parent_path() / entry.value.text;
  return {};
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  const auto inner = fs::absolute(path).lexically_normal(), outer = fs::absolute(folder).lexically_normal();
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

/// What run.yaml names, where its law is a revision's: a directory's own run.yaml says so once somebody integrated again.
RevisionRecord any_record(const RunDirectory& directory, const fs::path& law) {
  const auto number = parse_unsigned(law.parent_path().filename().string());
  if (!number) throw InputError(Place{law.string()}, "is no law of a revision");
  return read_revision(directory, *number);
}

/// A second name for the same file, or a copy where a file system has no second names.
void link_or_copy(const fs::path& from, const fs::path& to) {
  if (::link(from.c_str(), to.c_str()) == 0) return;
  fs::copy_file(from, to);
}

/// Whether decisions are shown by way of the version in force (Versions): that is no revision.
bool is_of_version(const fs::path& decisions) {
  return fs::is_symlink(decisions) && *fs::read_symlink(decisions).begin() == "current";
}

bool is_of_revision(const fs::path& decisions) { return fs::is_symlink(decisions) && !is_of_version(decisions); }

}  // namespace

fs::path decisions_file(const RunDirectory& directory) {
  const fs::path path = directory.decisions();
  return is_of_revision(path) ? directory.root() / fs::read_symlink(path) : path;
}

std::vector<EngineFiles> engine_files(const PreparedRun& run, const RunDirectory& directory) {
  std::vector<EngineFiles> files;
  for (const EngineConfig& engine : run.config.engines)
    files.push_back(
        {engine.name, hash_or_nothing(directory.checkpoint(engine.name)), hash_or_nothing(directory.judgments(engine.name))});
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.engine < b.engine; });
  return files;
}

std::uint64_t current_revision(const RunDirectory& directory) {
  if (!is_of_revision(directory.decisions())) return 0;
  const fs::path target = fs::read_symlink(directory.decisions());
  const auto number = parse_unsigned(target.parent_path().filename().string());
  if (!number || directory.root() / target != directory.revision_decisions(*number))
    throw InputError(Place{directory.decisions().string()}, "is a link to " + target.string(), "that is no revision of this run",
                     "decide again in another --output");
  return *number;
}

RevisionRecord read_revision(const RunDirectory& directory, std::uint64_t number) {
  const fs::path path = directory.revision_record(number);
  if (!fs::exists(path))
    throw InputError(Place{directory.root().string()}, "has no revision " + std::to_string(number), {},
                     "`hiple revise DIR --history` lists them");
  RevisionRecord record;
  try {
    const Json json = Json::parse(read_file(path));
    record.number = json.at("revision");
    record.parent = json.at("parent");
    record.time = json.at("time");
    record.proposal = json.at("proposal");
    record.rule = json.at("rule");
    record.kind = json.at("kind");
    record.summary = json.at("summary");
    record.changed = json.at("changed").get<std::vector<std::string>>();
    record.law_sha256 = json.at("law_sha256");
    record.parent_law_sha256 = json.at("parent_law_sha256");
    record.evidence = json.at("evidence");
    record.root = json.at("root");
    record.parent_root = json.at("parent_root");
    record.cases = json.at("cases");
    record.derived_again = json.at("derived_again");
    record.answers_changed = json.at("answers_changed");
    record.base_law = json.at("base_law").get<std::string>();
    record.base_sha256 = json.at("base_sha256");
    for (const Json& engine : json.at("engines"))
      record.engines.push_back({engine.at("engine"), engine.at("checkpoint_sha256"), engine.at("judgments_sha256")});
  } catch (const nlohmann::json::exception& error) {
    throw InputError(Place{path.string()}, "is no record of a revision", error.what());
  }
  return record;
}

void write_revision(const RunDirectory& directory, const RevisionRecord& record) {
  Json json = {{"revision", record.number},
               {"parent", record.parent},
               {"time", record.time},
               {"proposal", record.proposal},
               {"rule", record.rule},
               {"kind", record.kind},
               {"summary", record.summary},
               {"changed", record.changed},
               {"law_sha256", record.law_sha256},
               {"parent_law_sha256", record.parent_law_sha256},
               {"evidence", record.evidence},
               {"root", record.root},
               {"parent_root", record.parent_root},
               {"cases", record.cases},
               {"derived_again", record.derived_again},
               {"answers_changed", record.answers_changed},
               {"base_law", record.base_law.string()},
               {"base_sha256", record.base_sha256},
               {"engines", Json::array()}};
  for (const EngineFiles& engine : record.engines)
    json["engines"].push_back({{"engine", engine.engine},
                               {"checkpoint_sha256", engine.checkpoint_sha256},
                               {"judgments_sha256", engine.judgments_sha256}});
  write_file(directory.revision_record(record.number), json.dump(1) + "\n");
}

std::vector<RevisionRecord> revisions_in_force(const RunDirectory& directory) {
  std::vector<RevisionRecord> records;
  for (std::uint64_t number = current_revision(directory); number != 0; number = records.back().parent) {
    records.push_back(read_revision(directory, number));
    if (records.back().parent >= number)
      throw InputError(Place{directory.revision_record(number).string()}, "names a parent that came later",
                       "the record is damaged");
  }
  std::reverse(records.begin(), records.end());
  return records;
}

std::uint64_t next_revision(const RunDirectory& directory) {
  std::uint64_t next = 1;
  if (!fs::exists(directory.all_revisions())) return next;
  for (const auto& entry : fs::directory_iterator(directory.all_revisions()))
    if (const auto number = parse_unsigned(entry.path().filename().string())) next = std::max(next, *number + 1);
  return next;
}

std::string law_files_sha256(const fs::path& law) {
  const std::string text = read_file(law);
  const fs::path critical = critical_file(law, text);
  Sha256 hash;
  hash.update_text(text);
  if (!critical.empty()) hash.update_text(read_file(critical));
  return hash.digest();
}

void follow_revision(RunConfig& config) {
  const RunDirectory directory(config);
  const std::uint64_t number = current_revision(directory);
  if (lies_in(config.law, directory.all_revisions())) {
    config.law = number == 0 ? any_record(directory, config.law).base_law : fs::absolute(directory.revision_law(number));
    return;
  }
  if (number == 0) return;
  const RevisionRecord record = read_revision(directory, number);
  if (law_files_sha256(config.law) != record.base_sha256)
    throw InputError(Place{config.law.string()}, "is not the law that revision " + std::to_string(number) + " was made from",
                     "it was changed since, and the run goes by " + directory.revision_law(number).string(),
                     "take the revisions back with `hiple revise DIR --undo`, or begin a run in another --output");
  config.law = fs::absolute(directory.revision_law(number));
}

void keep_original(const RunDirectory& directory) {
  const fs::path kept = directory.revision_decisions(0);
  if (is_of_revision(directory.decisions()) || (fs::exists(kept) && fs::equivalent(kept, directory.decisions()))) return;
  make_folder(directory.revision(0));
  const fs::path temporary = temporary_name(kept);
  link_or_copy(fs::canonical(directory.decisions()), temporary);
  publish_file(temporary, kept);
}

void make_current(const RunDirectory& directory, std::uint64_t number) {
  const fs::path temporary = temporary_name(directory.decisions());
  if (number == 0)
    link_or_copy(directory.revision_decisions(0), temporary);
  else if (::symlink(directory.revision_decisions(number).lexically_relative(directory.root()).c_str(), temporary.c_str()) != 0)
    fail(temporary, "cannot be linked");
  publish_file(temporary, directory.decisions());
}

}  // namespace hiple
