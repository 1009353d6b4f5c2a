#include "scaling/claims/verdicts.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"

namespace hiple::scaling {

namespace {

using Json = nlohmann::json;

constexpr std::size_t claim_count = 20;
constexpr const char* file_name = "verdicts.json";

std::string remedy(const std::filesystem::path& folder) { return "judge again: jobs/scaling.sh --judge " + folder.string(); }

/// The more it says, the larger: what fails outweighs what holds, and what was measured what was simulated.
const std::map<std::string, int>& weights() {
  static const std::map<std::string, int> all = {{"NOT SHOWN", 0}, {"HOLDS IN SIMULATION", 1}, {"HOLDS", 2}, {"FAILS", 3}};
  return all;
}

std::optional<std::string> text_or_nothing(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<std::string>());
}

JudgedClaim claim_of(const Json& json) {
  return {.id = json.at("id"),
          .claim = json.at("claim"),
          .command = json.at("command"),
          .expected = json.at("expected"),
          .verdict = json.at("verdict"),
          .figure = text_or_nothing(json.at("figure")),
          .interval = text_or_nothing(json.at("interval")),
          .sentences = json.at("sentences")};
}

std::vector<JudgedClaim> claims_of(const Json& json, const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::vector<JudgedClaim> claims;
  for (const Json& one : json.at("claims")) claims.push_back(claim_of(one));
  for (std::size_t i = 0; i < std::max(claim_count, claims.size()); ++i) {
    const std::string id = "C" + std::to_string(i + 1);
    if (i >= claim_count || i >= claims.size() || claims[i].id != id)
      throw InputError(Place{path.string()}, "holds no verdicts on C1 to C20, each once and in order", "wrong from " + id + " on",
                       remedy(folder));
    if (weights().count(claims[i].verdict) == 0)
      throw InputError(Place{path.string()}, "\"" + printable(claims[i].verdict) + "\" is no verdict", "of " + id,
                       remedy(folder));
  }
  return claims;
}

/// Everything in the folder that verdicts rest on.
std::vector<std::string> data_files(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::filesystem::path& path = entry.path();
    const bool is_data = path.extension() == ".json" || path.extension() == ".jsonl";
    if (is_data && entry.is_regular_file() && path.filename() != file_name)
      files.push_back(std::filesystem::relative(path, folder).generic_string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Verdicts on other data than these would be worse than none.
void check_data(const std::filesystem::path& folder, const std::map<std::string, std::string>& judged) {
  Problems problems;
  for (const auto& [name, digest] : judged) {
    const std::filesystem::path path = folder / name;
    if (!std::filesystem::is_regular_file(path))
      problems.add(Place{path.string()}, "is gone", "the verdicts rest on it", remedy(folder));
    else if (sha256_file(path) != digest)
      problems.add(Place{path.string()}, "has changed since it was judged", {}, remedy(folder));
  }
  for (const std::string& name : data_files(folder)) {
    if (judged.count(name) == 0) problems.add(Place{(folder / name).string()}, "was never judged", {}, remedy(folder));
  }
  problems.throw_if_any();
}

}  // namespace

Verdicts read_verdicts(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder))
    throw InputError(Place{folder.string()}, "there is no such folder", {}, "measure a study first: jobs/scaling.sh STUDY.yaml");
  const std::filesystem::path path = folder / file_name;
  if (!std::filesystem::is_regular_file(path))
    throw InputError(Place{folder.string()}, "was not judged", std::string("it holds no ") + file_name, remedy(folder));
  try {
    const Json json = Json::parse(read_file(path));
    if (json.at("format") != "hiple verdicts" || json.at("version") != 1)
      throw InputError(Place{path.string()}, "are no verdicts of version 1", {}, remedy(folder));
    Verdicts verdicts{.folder = folder, .revision = json.at("revision"), .claims = claims_of(json, path, folder)};
    check_data(folder, json.at("files").get<std::map<std::string, std::string>>());
    return verdicts;
  } catch (const Json::exception& error) {
    throw InputError(Place{path.string()}, "is damaged", error.what(), remedy(folder));
  }
}

Verdicts join_verdicts(const std::vector<Verdicts>& all) {
  Verdicts joined = all.front();
  for (const Verdicts& other : all) {
    if (other.revision != joined.revision)
      throw InputError(Place{other.folder.string()}, "results of two revisions are not mixed",
                       "it is of " + other.revision + ", and " + joined.folder.string() + " of " + joined.revision,
                       "name folders of one revision");
    for (std::size_t i = 0; i < claim_count; ++i) {
      if (weights().at(other.claims[i].verdict) > weights().at(joined.claims[i].verdict)) joined.claims[i] = other.claims[i];
    }
  }
  return joined;
}

}  // namespace hiple::scaling
