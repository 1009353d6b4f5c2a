#include <algorithm>

#include "base/error.hpp"
#include "h5/h5.hpp"
#include "law/decision.hpp"

namespace hiple::law {

namespace {

constexpr const char* format = "hiple decisions";
constexpr std::uint32_t version = 3;

/// A file that is read, and what is said about it when it is wrong.
class Source {
 public:
  explicit Source(const std::filesystem::path& path) : file_(path, format, version) {
    if (file_.attribute<std::uint32_t>("/", "version") != version)
      throw InputError({.file = path.string()}, "the decisions have an older form",
                       "their inputs, and in version 1 their root, were hashed otherwise", "integrate again");
  }

  [[nodiscard]] const h5::Reader& file() const { return file_; }

  [[noreturn]] void refuse(const std::string& what, const std::string& why) const {
    throw InputError({.file = file_.path().string()}, what, why, "the file is damaged: integrate again");
  }

  void require(bool holds, const std::string& what, const std::string& why) const {
    if (!holds) refuse(what, why);
  }

  [[nodiscard]] std::vector<std::string> texts(const std::string& name, std::size_t count) const {
    std::vector<std::string> values = file_.read_texts(name);
    require(values.size() == count, name, "has " + std::to_string(values.size()) + " entries, not " + std::to_string(count));
    return values;
  }

  template <h5::Element T>
  [[nodiscard]] std::vector<T> column(const std::string& name, const std::vector<std::size_t>& shape) const {
    require(file_.shape(name) == shape, name, "has another shape than the cases and questions");
    return file_.read<T>(name);
  }

  /// Ascending and unique: indices would otherwise depend on an order.
  [[nodiscard]] std::vector<std::string> ascending(const std::string& name) const {
    std::vector<std::string> values = file_.read_texts(name);
    const bool in_order = std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
    require(in_order, name, "names are not ascending and unique");
    return values;
  }

 private:
  h5::Reader file_;
};

void read_names(const Source& source, Decisions& decisions) {
  decisions.questions = source.ascending("questions");
  for (const std::string& question : decisions.questions) decisions.findings.push_back(source.ascending("findings/" + question));
}

void read_provenance(const Source& source, Decisions& decisions) {
  decisions.law_text = source.texts("law/text", 1)[0];
  const std::vector<std::string> ids = source.ascending("law/rules/id");
  const auto versions = source.column<std::int64_t>("law/rules/version", {ids.size()});
  const auto rule_hashes = source.texts("law/rules/sha256", ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) decisions.rules.push_back({ids[i], versions[i], rule_hashes[i]});
  const std::vector<std::string> engines = source.ascending("engines/name");
  const auto available = source.column<std::uint8_t>("engines/available", {engines.size()});
  const auto why = source.texts("engines/reason", engines.size());
  const auto hashes = source.texts("engines/sha256", engines.size());
  for (std::size_t i = 0; i < engines.size(); ++i) {
    source.require(available[i] <= 1, "engines/available", "holds a number that is neither 0 nor 1");
    decisions.engines.push_back({engines[i], available[i] == 1, why[i], hashes[i]});
  }
  decisions.inputs_sha256 = source.file().attribute_text("/", "inputs_sha256");
  if (source.file().has_attribute("/", "closed_by")) decisions.closed_by = source.file().attribute_text("/", "closed_by");
  if (source.file().has_attribute("/", "evidence")) decisions.evidence = source.file().attribute_text("/", "evidence");
  decisions.root = source.file().attribute_text("/", "root");
}

/// One answer as the file has it: numbers, which may be anything.
struct Stored {
  std::uint8_t status, reason, flags;
  std::uint16_t finding;
  std::uint32_t rule;
};

Decision checked(const Source& source, const Decisions& decisions, std::size_t place, const Stored& d) {
  const std::size_t question = place % decisions.questions.size();
  const bool finding_fits = d.finding == no_index || d.finding < decisions.findings[question].size();
  const bool decided = d.status == static_cast<std::uint8_t>(Status::decide);
  const auto last_status = static_cast<std::uint8_t>(Status::escalate);
  const auto last_reason = static_cast<std::uint8_t>(Reason::contradicted_by_evidence);
  const char* problem = d.status > last_status                                                ? "status"
                        : d.reason > last_reason                                              ? "reason"
                        : !finding_fits                                                       ? "finding"
                        : d.rule != no_rule_index && d.rule >= decisions.rules.size()         ? "rule"
                        : (d.flags & ~0x3F) != 0                                              ? "flags"
                        : ((d.flags & flag::gate_closed) != 0) == decisions.closed_by.empty() ? "flags"
                        : decided != (d.finding != no_index)                                  ? "finding"
                        : decided != (d.reason == static_cast<std::uint8_t>(Reason::none))    ? "reason"
                                                                                              : nullptr;
  if (problem != nullptr)
    source.refuse(problem, "case " + std::to_string(decisions.case_id[place / decisions.questions.size()]) + ", question " +
                               decisions.questions[question] + ": no such value, or one that contradicts the status");
  Decision decision;
  decision.status = static_cast<Status>(d.status);
  decision.reason = static_cast<Reason>(d.reason);
  decision.flags = d.flags;
  decision.finding = d.finding;
  decision.rule = d.rule;
  return decision;
}

void read_answers(const Source& source, Decisions& decisions) {
  const std::vector<std::size_t> shape = {decisions.cases(), decisions.questions.size()};
  const auto status = source.column<std::uint8_t>("status", shape), reason = source.column<std::uint8_t>("reason", shape);
  const auto finding = source.column<std::uint16_t>("finding", shape);
  const auto rule = source.column<std::uint32_t>("rule", shape);
  const auto flags = source.column<std::uint8_t>("flags", shape);
  decisions.decisions.reserve(status.size());
  for (std::size_t i = 0; i < status.size(); ++i)
    decisions.decisions.push_back(checked(source, decisions, i, {status[i], reason[i], flags[i], finding[i], rule[i]}));
}

void read_paths(const Source& source, Decisions& decisions) {
  decisions.rounds = source.column<std::uint8_t>("rounds", {decisions.cases()});
  const std::size_t words = decisions.words(), spare = words * 64 - decisions.engines.size();
  if (words == 0) return;
  decisions.consulted = source.column<std::uint64_t>("consulted", {decisions.cases(), words});
  for (std::size_t row = 0; spare > 0 && row < decisions.cases(); ++row) {
    const bool fits = decisions.consulted[row * words + words - 1] >> (64 - spare) == 0;
    source.require(fits, "consulted", "case " + std::to_string(decisions.case_id[row]) + ": an engine that is not listed");
  }
}

}  // namespace

Decisions read_decisions(const std::filesystem::path& path) {
  const Source source(path);
  Decisions decisions;
  read_names(source, decisions);
  source.require(!decisions.questions.empty(), "questions", "there is none");
  read_provenance(source, decisions);
  decisions.case_id = source.file().read<std::uint64_t>("case_id");
  const auto& ids = decisions.case_id;
  source.require(std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end(), "case_id",
                 "ids are not ascending and unique");
  const auto cases = source.file().attribute<std::uint64_t>("/", "cases");
  source.require(cases == ids.size(), "case_id", std::to_string(ids.size()) + " of " + std::to_string(cases) + " cases");
  read_answers(source, decisions);
  read_paths(source, decisions);
  source.require(root_hash(decisions) == decisions.root, "root", "it does not fit the decisions");
  return decisions;
}

}  // namespace hiple::law
