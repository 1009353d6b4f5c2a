#include "law/decision_writer.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "base/error.hpp"
#include "h5/h5.hpp"

namespace hiple::law {

namespace {

constexpr const char* format = "hiple decisions";
constexpr std::uint32_t version = 3;
constexpr std::size_t statuses = 3, reasons = 8;

template <class T, class Field>
std::vector<T> fields(const std::vector<Field>& records, T Field::*member) {
  std::vector<T> values;
  values.reserve(records.size());
  for (const Field& record : records) values.push_back(record.*member);
  return values;
}

template <class Code>
std::vector<std::string> code_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t code = 0; code < count; ++code) names.push_back(name_of(static_cast<Code>(code)));
  return names;
}

void write_names(h5::Writer& file, const Decisions& decisions) {
  file.write("questions", decisions.questions);
  for (std::size_t question = 0; question < decisions.questions.size(); ++question) {
    file.write("findings/" + decisions.questions[question], decisions.findings[question]);
  }
  file.write("names/status", code_names<Status>(statuses));
  file.write("names/reason", code_names<Reason>(reasons));
  file.write("names/flags", std::vector<std::string>{"firm", "critical", "escalated", "broadened", "gate_closed", "capped"});
}

void write_provenance(h5::Writer& file, const Decisions& decisions) {
  file.write("law/text", std::vector<std::string>{decisions.law_text});
  file.write("law/rules/id", fields(decisions.rules, &RuleRecord::id));
  file.write<std::int64_t>("law/rules/version", fields(decisions.rules, &RuleRecord::version));
  file.write("law/rules/sha256", fields(decisions.rules, &RuleRecord::sha256));
  file.write("engines/name", fields(decisions.engines, &EngineRecord::name));
  std::vector<std::uint8_t> available;
  available.reserve(decisions.engines.size());
  for (const EngineRecord& engine : decisions.engines) available.push_back(engine.available ? 1 : 0);
  file.write<std::uint8_t>("engines/available", available);
  file.write("engines/reason", fields(decisions.engines, &EngineRecord::reason));
  file.write("engines/sha256", fields(decisions.engines, &EngineRecord::judgments_sha256));
  if (!decisions.evidence.empty()) file.attribute("/", "evidence", decisions.evidence);
  if (!decisions.closed_by.empty()) file.attribute("/", "closed_by", decisions.closed_by);
}

void check_names(const std::filesystem::path& path, const Decisions& names) {
  if (names.questions.empty()) throw Error(path.string() + ": decisions without a question");
  for (const std::string& name : names.questions) {
    if (name.empty() || name == "." || name.find('/') != std::string::npos)
      throw Error(path.string() + ": the name of a question cannot stand in a file: \"" + name + "\"");
  }
}

}  // namespace

struct DecisionWriter::State {
  State(const std::filesystem::path& path, const Decisions& names)
      : file(path, format, version), width(names.questions.size()), words(names.words()) {}

  void append(std::span<const Decision> decisions) {
    for (auto* column : {&status, &reason, &flags}) column->resize(decisions.size());
    finding.resize(decisions.size());
    rule.resize(decisions.size());
    for (std::size_t i = 0; i < decisions.size(); ++i) {
      const Decision decision = decisions[i];
      status[i] = static_cast<std::uint8_t>(decision.status);
      reason[i] = static_cast<std::uint8_t>(decision.reason);
      flags[i] = decision.flags;
      finding[i] = decision.finding;
      rule[i] = decision.rule;
    }
    file.append<std::uint8_t>("status", status);
    file.append<std::uint8_t>("reason", reason);
    file.append<std::uint8_t>("flags", flags);
    file.append<std::uint16_t>("finding", finding);
    file.append<std::uint32_t>("rule", rule);
  }

  h5::Writer file;
  std::size_t width, words;
  std::uint64_t cases = 0;
  std::optional<std::uint64_t> last;                ///< case id
  std::vector<std::uint8_t> status, reason, flags;  ///< of some decisions
  std::vector<std::uint16_t> finding;
  std::vector<std::uint32_t> rule;
};

DecisionWriter::DecisionWriter(const std::filesystem::path& path, const Decisions& names) {
  check_names(path, names);
  state_ = std::make_unique<State>(path, names);
  h5::Writer& file = state_->file;
  file.create<std::uint64_t>("case_id");
  for (const char* name : {"status", "reason", "flags"}) file.create<std::uint8_t>(name, state_->width);
  file.create<std::uint16_t>("finding", state_->width);
  file.create<std::uint32_t>("rule", state_->width);
  file.create<std::uint8_t>("rounds");
  if (state_->words > 0) file.create<std::uint64_t>("consulted", state_->words);
  write_names(file, names);
  write_provenance(file, names);
}

DecisionWriter::~DecisionWriter() = default;

void DecisionWriter::append(const Decisions& portion) {
  const std::vector<std::uint64_t>& ids = portion.case_id;
  if (ids.empty()) return;
  if (portion.decisions.size() != ids.size() * state_->width || portion.rounds.size() != ids.size() ||
      portion.consulted.size() != ids.size() * state_->words)
    throw Error("decisions: a portion has other questions or engines");
  if ((state_->last && *state_->last >= ids.front()) ||
      std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) != ids.end())
    throw Error("decisions: case ids are not ascending");
  state_->file.append<std::uint64_t>("case_id", ids);
  // As many at a time as go into a chunk of the file, while they are in the cache.
  const std::span<const Decision> all(portion.decisions);
  const std::size_t some = h5::Storage().chunk_rows * state_->width;
  for (std::size_t first = 0; first < all.size(); first += some)
    state_->append(all.subspan(first, std::min(some, all.size() - first)));
  state_->file.append<std::uint8_t>("rounds", portion.rounds);
  if (state_->words > 0) state_->file.append<std::uint64_t>("consulted", portion.consulted);
  state_->cases += ids.size();
  state_->last = ids.back();
}

void DecisionWriter::finish(const std::string& root, const std::string& inputs_sha256) {
  if (root.size() != 64) throw Error("decisions without a root");
  state_->file.attribute("/", "root", root);
  state_->file.attribute("/", "inputs_sha256", inputs_sha256);
  state_->file.attribute<std::uint64_t>("/", "cases", state_->cases);
  state_->file.finish();
}

void write_decisions(const std::filesystem::path& path, const Decisions& decisions) {
  DecisionWriter writer(path, decisions);
  writer.append(decisions);
  writer.finish(decisions.root, decisions.inputs_sha256);
}

}  // namespace hiple::law
