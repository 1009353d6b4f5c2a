#include "run/cases_file.hpp"

#include <algorithm>
#include <string>

#include "gate/crossing.hpp"
#include "gate/curves.hpp"
#include "h5/h5.hpp"
#include "run/trust.hpp"

namespace hiple {

namespace {

std::uint8_t bit(bool value) { return value ? 1 : 0; }

void write_answers(h5::Writer& file, const std::string& group, const law::Decisions& decisions,
                   const std::vector<law::EngineJudgments>& engines) {
  std::vector<std::uint8_t> status, escalated;
  std::vector<std::uint16_t> finding;
  for (const law::Decision& decision : decisions.decisions) {
    status.push_back(static_cast<std::uint8_t>(decision.status));
    escalated.push_back(bit((decision.flags & law::flag::escalated) != 0));
    finding.push_back(decision.finding);
  }
  const std::size_t questions = decisions.questions.size();
  file.write(group + "/status", status, questions);
  file.write(group + "/escalated", escalated, questions);
  file.write(group + "/finding", finding, questions);
  file.write(group + "/score", gate::scores_of(decisions, engines));
}

std::uint16_t default_of(const law::Decisions& decisions, const gate::LawFacts& facts, std::size_t question) {
  const auto named = facts.defaults.find(decisions.questions[question]);
  if (named == facts.defaults.end()) return law::no_index;
  const std::vector<std::string>& findings = decisions.findings[question];
  const auto place = std::find(findings.begin(), findings.end(), named->second);
  return place == findings.end() ? law::no_index : static_cast<std::uint16_t>(place - findings.begin());
}

/// Which finding covers which: a row of zeros where the finding is not critical.
void write_findings(h5::Writer& file, const law::Decisions& decisions, const gate::LawFacts& facts) {
  file.write("questions", decisions.questions);
  std::vector<std::uint16_t> defaults;
  for (std::size_t q = 0; q < decisions.questions.size(); ++q) {
    const std::string& question = decisions.questions[q];
    const std::vector<std::string>& findings = decisions.findings[q];
    file.write("findings/" + question, findings);
    defaults.push_back(default_of(decisions, facts, q));
    std::vector<std::uint8_t> covers;
    for (const std::string& truth : findings) {
      const auto critical = facts.covered_by.find(question + "." + truth);
      for (const std::string& answer : findings)
        covers.push_back(bit(critical != facts.covered_by.end() && std::find(critical->second.begin(), critical->second.end(),
                                                                             question + "." + answer) != critical->second.end()));
    }
    file.write("covers/" + question, covers, findings.size());
  }
  file.write("default", defaults);
}

}  // namespace

void write_cases(const std::filesystem::path& path, const TestCases& cases) {
  const law::Decisions& decisions = cases.decisions;
  const gate::Truth truth = gate::read_truth(*cases.run.gates, decisions, cases.test);
  const gate::LawFacts facts = gate::facts_of(cases.law);
  const OtherDecisions others = decide_otherwise(cases.run, cases.law, cases.test, cases.engines);
  const law::Decisions* flat = others.flat ? &*others.flat : nullptr;
  const gate::Measured measured{decisions, truth, facts, *cases.run.gates, cases.engines, flat, &others.home, &others.links, 0};
  gate::Crossing crossing(measured);

  const std::size_t questions = decisions.questions.size();
  std::vector<std::uint8_t> known, crosses, has_truth;
  for (std::size_t q = 0; q < questions; ++q) has_truth.push_back(bit(truth.known_question[q]));
  for (std::size_t row = 0; row < decisions.cases(); ++row) {
    bool all = crossing.knows(row) && std::find(has_truth.begin(), has_truth.end(), 1) != has_truth.end();
    std::size_t findings = 0;
    for (std::size_t q = 0; q < questions; ++q) {
      if (!truth.known_question[q]) continue;
      const std::uint16_t gold = truth.gold[row * questions + q];
      all = all && gold != law::no_index;
      if (gold != law::no_index && gold != default_of(decisions, facts, q)) ++findings;
    }
    known.push_back(bit(all));
    const bool measurable = all || (!crossing.needs_truth() && crossing.knows(row));
    crosses.push_back(bit(crossing.basis() == gate::Basis::none ? all && findings > 1 : measurable && crossing.of(row).crosses));
  }

  h5::Writer file(path, "hiple test cases", 1);
  write_findings(file, decisions, facts);
  file.write("has_truth", has_truth);
  file.write("case_id", decisions.case_id);
  file.write("training_case_id", cases.training);
  file.write("gold", truth.gold, questions);
  file.write("also", truth.also, questions);
  file.write("known", known);
  file.write("crosses", crosses);
  if (!truth.cluster.empty()) file.write("cluster", truth.cluster);
  write_answers(file, "law", decisions, cases.engines);
  if (flat != nullptr) write_answers(file, "flat", *flat, cases.engines);
  file.attribute("/", "run", cases.run.config.name);
  file.attribute("/", "root", cases.root);
  file.attribute("/", "basis", gate::name_of(crossing.basis()));
  file.finish();
}

}  // namespace hiple
