#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "law/columnar.hpp"
#include "law/columnar_kernels.hpp"
#include "law/evaluate.hpp"

namespace hiple::law {
namespace {

Schema schema() {
  Schema schema;
  const auto add = [&](const char* name, ColumnType type, const char* unit = "") {
    ColumnSchema column;
    column.name = name;
    column.type = type;
    column.unit = unit;
    if (type == ColumnType::category) column.values = {"red", "green", "p", "q"};
    schema.columns.push_back(column);
  };
  add("x", ColumnType::real, "mU/L");
  add("y", ColumnType::real);
  add("n", ColumnType::integer);
  add("born", ColumnType::date);
  add("colour", ColumnType::category);
  add("sick", ColumnType::boolean);
  return schema;
}

/// Every kind of condition, with engines that share an independent voice, a panel whose finding is read, and a regression.
constexpr const char* text = R"yaml(
law: 1
name: all
questions:
  - {name: state, findings: [good, bad, worse], default: good}
  - {name: other, findings: [on, off, none]}
independence: [[e, f]]
panels:
  - {name: pair, members: [e, f], answers: [other]}
  - {name: root, members: [pair, g, r]}
critical: {critical: 1, findings: [{finding: state.worse, to: surgeon, suspect: "x > 0 [mU/L]"}]}
laws:
  - {id: L-1, when: "n == -9007199254740992", escalate: state, to: person}
  - {id: L-2, when: "mean(root.typicality) < 0.3", forbid: state.bad}
rules:
  - {id: A-01, when: "x > 2 [U/L] or x in [0.0, 1.5)",
                     then : state.bad
}
  - {id: A-02, when: "within(y, 2, 0.5) and not sick", then: state.bad, overrides: [A-03]}
  - {id: A-03, when: "age(born) >= 18 and born < \"2000-02-29\"", then: state.worse}
  - {id: A-04, when: "y / n > 0.25 and -y * n - 1 < 3", then: state.bad}
  - {id: A-05, when: "n in {1, 2, 3} and n < 2.5 and n != 2", then: state.good, overrides: [A-01, A-03]}
  - {id: A-06, when: "colour == \"red\" or colour in {\"green\", \"q\"}", then: other.on, panel: pair}
  - {id: A-07, when: "e.label == \"p\" and e.confidence >= 0.7", then: other.off, panel: pair, overrides: [A-06]}
  - {id: A-08, when: "e.label != f.label or f.probability[\"q\"] > 0.1", then: other.none, panel: pair}
  - {id: A-09, when: "pair.other == \"off\" and r.value > 1", then: state.bad}
  - {id: A-10, when: "mean(pair.confidence) > 0.6 and count(root, each.judged) >= 2", then: state.bad}
  - {id: A-11, when: "agree(pair) or min(pair.confidence) < 0.5 or max(pair.typicality) >= 0.5", then: other.on}
  - {id: A-12, when: "known(y) and not (known(x) and sick)", then: other.on, overrides: [A-08]}
  - {id: A-13, when: "g.judged and count(pair, each.label == \"p\") != 1", then: other.off}
  - {id: A-14, when: "e.label == colour", then: other.off, status: suspended}
links: [{id: K-1, from: e, to: f, when: "e.label == \"p\""}, {id: K-2, from: f, to: g, when: "f.typicality < 0.5", eager: true}]
route: {home: [{when: "n > 3", engines: [e]}, {when: "sick", engines: [e, f, g, r]}, {engines: [r]}], broaden: [needed, panel, all], max_rounds: 2}
)yaml";

std::vector<EngineDescription> engines() {
  return {{"e", {"none", "p", "q"}}, {"f", {"q", "p", "none"}}, {"g", {"none", "p"}}, {"r", {}}};
}

Table random_table(std::size_t rows, std::mt19937_64& random) {
  Table table;
  table.schema = schema();
  for (std::size_t row = 0; row < rows; ++row) table.case_id.push_back(2 * row);
  for (const ColumnSchema& description : table.schema.columns) {
    Column column;
    for (std::size_t row = 0; row < rows; ++row)
      column.cells.push_back(random() % 8 == 0 ? static_cast<Cell>(1 + random() % 2) : Cell::known);
    const auto fill = [&]<class T>(std::vector<T> from) {
      std::vector<T> values(rows);
      for (T& value : values) value = from[random() % from.size()];
      column.values = values;
    };
    const double infinity = std::numeric_limits<double>::infinity(), nothing = std::numeric_limits<double>::quiet_NaN();
    if (description.type == ColumnType::real)
      fill(std::vector<double>{0, 0.5, 1, 1.5, 2, 2.5, 3, 2000, 2000.5, -1, infinity, nothing});
    if (description.type == ColumnType::integer)
      fill(std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, -9007199254740992, 9007199254740992});
    if (description.type == ColumnType::date)
      fill(std::vector<std::int32_t>{11015, 11016, 11017, 5000, 20000, -40000, 13428, 13429});
    if (description.type == ColumnType::category) fill(std::vector<std::int32_t>{0, 1, 2, 3});
    if (description.type == ColumnType::boolean) fill(std::vector<std::uint8_t>{0, 1});
    table.columns.push_back(column);
  }
  return table;
}

/// Of cases 0, 1, 2, ..., the odd ones of which no table has; with `gaps` some have no entry.
Judgments random_judgments(const EngineDescription& engine, std::vector<std::string> classes, std::size_t rows, bool gaps,
                           std::mt19937_64& random) {
  Judgments judgments;
  judgments.engine = engine.name;
  judgments.classes = std::move(classes);
  const std::size_t count = judgments.classes.size();
  for (std::uint64_t id = 0; id < 2 * rows; id += gaps ? 1 + random() % 2 : 2) {
    const std::size_t status = random() % 12;
    judgments.case_id.push_back(id);
    judgments.status.push_back(status < 4 ? static_cast<JudgmentStatus>(status) : JudgmentStatus::judged);
    judgments.typicality.push_back(static_cast<float>(random() % 5) / 4);
    if (count == 0) {
      judgments.value.push_back(static_cast<float>(random() % 3));
      continue;
    }
    judgments.label.push_back(static_cast<std::uint16_t>(random() % count));
    judgments.confidence.push_back(static_cast<float>(random() % 11) / 10);
    for (std::size_t i = 0; i < count; ++i) judgments.probability.push_back(static_cast<float>(random() % 4) / 10);
  }
  return judgments;
}

void expect_same(const Law& law, const Decisions& all, const Inputs& inputs) {
  Evaluator evaluator(law.model(), inputs);
  std::size_t differences = 0;
  for (std::size_t row = 0; row < inputs.cases(); ++row) {
    const CaseResult& one = evaluator.run(row);
    bool same = all.rounds[row] == one.rounds;
    for (std::size_t i = 0; i < one.active.size(); ++i)
      same = same && ((all.consulted[row] >> i) & 1) == (one.active[i] ? 1U : 0U);
    for (std::size_t question = 0; question < all.questions.size(); ++question) {
      const Answer& answer = one.answers(law.model())[question];
      const Decision& decision = all.at(row, question);
      const bool decided = answer.status == Status::decide;
      same = same && decision.status == answer.status && decision.reason == answer.reason &&
             decision.finding == (decided ? answer.finding - law.model().questions[question].first_finding : no_index) &&
             decision.rule == (answer.cited.empty() ? no_rule_index : answer.cited.front()) &&
             decision.flags == ((answer.firm ? flag::firm : 0) | (answer.critical ? flag::critical : 0) |
                                (answer.status == Status::escalate ? flag::escalated : 0) |
                                (one.broadened ? flag::broadened : 0) | (one.capped ? flag::capped : 0));
    }
    differences += same ? 0 : 1;
    if (!same && differences < 4) ADD_FAILURE() << "case " << row;
  }
  EXPECT_EQ(differences, 0U);
}

class Columnar : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { columnar::use_instruction_set(GetParam()); }
  void TearDown() override { columnar::use_instruction_set(columnar::instruction_sets().front()); }
};

/// Three tiles, the last not whole.
TEST_P(Columnar, AgreesWithOneCaseAfterTheOther) {
  std::mt19937_64 random(7);
  const Law law = Law::parse(text, "law.yaml", schema(), engines(), 20000);
  const std::size_t rows = 2 * ColumnarEvaluator::most_cases + 77;
  const Table table = random_table(rows, random);
  const auto all = engines();
  const Judgments e = random_judgments(all[0], {"q", "none", "p"}, rows, false, random),
                  f = random_judgments(all[1], all[1].classes, rows, false, random),
                  r = random_judgments(all[3], {}, rows, true, random);
  const std::vector<EngineJudgments> words = {
      {"e", &e, {}, {}}, {"f", &f, {}, {}}, {"g", nullptr, "it failed", {}}, {"r", &r, {}, {}}};
  const Decisions decisions = decide(law, table, words, {.threads = 2});
  expect_same(law, decisions, Inputs(law.model(), table, words));
  EXPECT_EQ(decisions.root, root_hash(decisions));
}

INSTANTIATE_TEST_SUITE_P(EveryInstructionSet, Columnar, ::testing::ValuesIn(columnar::instruction_sets()),
                         [](const auto& set) { return set.param; });

/// A constant between two numbers of a column's type, or beyond them all.
TEST(ColumnarConstants, AreNeverRoundedAcrossAValue) {
  std::mt19937_64 random(3);
  const std::size_t rows = 200;
  const Table table = random_table(rows, random);
  const Judgments e = random_judgments(engines()[0], engines()[0].classes, rows, false, random);
  for (const char* field : {"n", "e.confidence", "y"})
    for (const char* op : {"<", "<=", ">", ">="})
      for (const char* constant :
           {"0.7", "0.5", "1", "0.1", "-0.5", "2.5", "1e30", "-1e30", "9007199254740992", "9007199254740991.5", "1e300", "-1e300",
            "-9007199254740992", "9223372036854775808.0", "-9223372036854775808.0"}) {
        const std::string condition = std::string(field) + " " + op + " " + constant;
        const Law law = Law::parse("law: 1\nname: one\nquestions: [{name: q, findings: [a, b]}]\nrules:\n  - {id: R, when: '" +
                                       condition + "', then: q.a}\n",
                                   "law.yaml", schema(), engines(), 0);
        const std::vector<EngineJudgments> words = {{"e", &e, {}, {}}};
        SCOPED_TRACE(condition);
        expect_same(law, decide(law, table, words), Inputs(law.model(), table, words));
      }
}

/// It would be neither above nor below anything.
TEST(ColumnarConstants, APredictionThatIsNoNumberIsRefused) {
  std::mt19937_64 random(4);
  const Table table = random_table(9, random);
  const Law law = Law::parse(
      "law: 1\nname: one\nquestions: [{name: q, findings: [a, b]}]\nrules:\n  - {id: R, when: 'r.value > 1', then: q.a}\n",
      "law.yaml", schema(), engines(), 0);
  Judgments r = random_judgments(engines()[3], {}, 9, false, random);
  const auto decide_with = [&](JudgmentStatus status, float value) {
    r.status[3] = status;
    r.value[3] = value;
    return decide(law, table, {{"r", &r, {}, {}}}).root;
  };
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NO_THROW((void)decide_with(JudgmentStatus::judged, 2));
  EXPECT_NO_THROW((void)decide_with(JudgmentStatus::abstained, nothing));
  EXPECT_THROW((void)decide_with(JudgmentStatus::judged, nothing), InputError);
  EXPECT_THROW((void)decide_with(JudgmentStatus::judged, std::numeric_limits<float>::infinity()), InputError);
}

/// Rules are cited by numbers of 32 bits: none wraps around at 65536.
TEST(ManyRules, AreCitedByTheirOwnNumbers) {
  std::string rules;
  const std::size_t count = 65600;
  for (std::size_t i = 0; i < count; ++i)
    rules += "\n  - {id: R" + std::to_string(100000 + i) + ", when: 'n == " + std::to_string(i) + "', then: q.a}";
  const Law law = Law::parse("law: 1\nname: many\nquestions: [{name: q, findings: [a, b]}]\nrules:" + rules + "\n", "law.yaml",
                             schema(), engines(), 0);
  std::mt19937_64 random(1);
  Table table = random_table(4, random);
  Column& n = table.columns[2];
  n.values = std::vector<std::int64_t>{0, 65535, 65536, 65599};
  n.cells.assign(4, Cell::known);
  const Decisions decisions = decide(law, table, {});
  for (std::size_t row = 0; row < 4; ++row) {
    EXPECT_EQ(decisions.rules[decisions.at(row, 0).rule].id, "R" + std::to_string(100000 + std::get<1>(n.values)[row]));
    EXPECT_EQ(decisions.at(row, 0).finding, 0);
  }
}

}  // namespace
}  // namespace hiple::law
