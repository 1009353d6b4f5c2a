#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "law/cone.hpp"
#include "law/decide_again.hpp"
#include "law_sample.hpp"

namespace hiple::law {
namespace {

using Numbers = std::mt19937_64;

std::size_t below(Numbers& numbers, std::size_t bound) { return numbers() % bound; }
bool chance(Numbers& numbers, std::size_t one_in) { return below(numbers, one_in) == 0; }

template <class T>
const T& one_of(Numbers& numbers, const std::vector<T>& all) {
  return all[below(numbers, all.size())];
}

constexpr std::size_t cases = 2 * cases_a_leaf + 1000;  // three leaves

Table random_table(Numbers& numbers) {
  Table table;
  table.schema = LawSample::schema();
  for (std::size_t row = 0; row < cases; ++row) table.case_id.push_back(3 * row + 5);
  for (const ColumnSchema& schema : table.schema.columns) {
    Column column;
    std::vector<std::int64_t> whole;
    std::vector<double> real;
    for (std::size_t row = 0; row < cases; ++row) {
      whole.push_back(static_cast<std::int64_t>(below(numbers, 12)));
      real.push_back(static_cast<double>(below(numbers, 100)) / 10);
      column.cells.push_back(chance(numbers, 12) ? Cell::missing : chance(numbers, 40) ? Cell::invalid : Cell::known);
    }
    if (schema.type == ColumnType::integer)
      column.values = whole;
    else
      column.values = real;
    table.columns.push_back(std::move(column));
  }
  return table;
}

/// Of most cases; the others are absent.
Judgments random_judgments(Numbers& numbers, const std::string& engine, const Table& table) {
  Judgments judgments;
  judgments.engine = engine;
  judgments.classes = {"none", "p", "q"};
  for (const std::uint64_t id : table.case_id) {
    if (engine == "f" && chance(numbers, 20)) continue;
    const bool judged = !chance(numbers, 10);
    judgments.case_id.push_back(id);
    judgments.status.push_back(judged ? JudgmentStatus::judged : JudgmentStatus::abstained);
    const auto label = static_cast<std::uint16_t>(below(numbers, 3));
    judgments.label.push_back(judged ? label : no_label);
    judgments.confidence.push_back(0.4F + 0.05F * static_cast<float>(below(numbers, 12)));
    judgments.typicality.push_back(0.05F * static_cast<float>(below(numbers, 20)));
    for (std::uint16_t k = 0; k < 3; ++k) judgments.probability.push_back(k == label ? 0.75F : 0.125F);
  }
  return judgments;
}

/// Laws over two questions with panels, a route, links, critical findings, or some of these; and changes of their rules.
class RandomLaw {
 public:
  explicit RandomLaw(Numbers& numbers) : numbers_(numbers) {
    has_panel_ = chance(numbers, 3);
    const std::size_t count = 3 + below(numbers, 8);
    for (std::size_t i = 0; i < count; ++i) add_rule();
    head_ = "law: 1\nname: random\nquestions:\n  - {name: q, findings: [none, X, Y, Z]" + fallback() +
            "}\n  - {name: r, findings: [no, U, V]" + (chance(numbers, 2) ? ", default: no" : std::string()) + "}\n";
    if (chance(numbers, 3)) head_ += "incompatible: [[q.X, r.U]]\n";
    if (chance(numbers, 2)) head_ += "critical: {critical: 1, findings: [{finding: q.X, to: owner, suspect: 'a > 7'}]}\n";
    if (has_panel_) head_ += "panels: [{name: low, members: [e, f], answers: [q]}, {name: root, members: [low, g]}]\n";
    if (chance(numbers, 2)) head_ += "laws: [{id: L-1, when: '" + atom() + "', " + one_of(numbers, laws()) + "}]\n";
    if (chance(numbers, 2))
      head_ += "links: [{id: K-1, from: e, to: f, when: '" + atom() + "'}, {id: K-2, from: g, to: e, when: '" + atom() +
               "', eager: true}]\n";
    if (chance(numbers, 2)) head_ += "route: {home: [{when: 'a > 5', engines: [e]}, {engines: [g]}], broaden: [needed, all]}\n";
  }

  void change() {
    Entry& rule = rules_[below(numbers_, rules_.size())];
    ++rule.version;
    switch (below(numbers_, 6)) {
      case 0:
        rule.status = "retired";
        return;
      case 1:
        rule.when = "(" + rule.when + ") and " + atom();
        return;
      case 2:
        rule.when = condition();
        return;
      case 3:
        rule.where = atom();
        return;
      case 4:
        rule.title = "said otherwise";
        return;
      default:
        add_rule();
        if (rules_.back().finding != rules_.front().finding && rules_.back().finding[0] == rules_.front().finding[0])
          rules_.back().overrides = rules_.front().id;
    }
  }

  [[nodiscard]] std::string text() const {
    std::string text = head_ + "rules:\n";
    for (const Entry& rule : rules_) {
      text += "  - {id: " + rule.id + ", when: '" + rule.when + "', then: " + rule.finding + ", status: " + rule.status +
              ", version: " + std::to_string(rule.version) + ", title: " + rule.title;
      if (!rule.where.empty()) text += ", suspended_where: '" + rule.where + "'";
      if (!rule.overrides.empty()) text += ", overrides: [" + rule.overrides + "]";
      text += "}\n";
    }
    return text;
  }

  [[nodiscard]] Law law() const {
    return Law::parse(text(), "random.yaml", LawSample::schema(),
                      {{"e", {"none", "p", "q"}}, {"f", {"none", "p", "q"}}, {"g", {"none", "p", "q"}}}, 20000);
  }

 private:
  struct Entry {
    std::string id, when, finding, status = "accepted", where, overrides, title = "none";
    int version = 1;
  };

  std::string fallback() { return chance(numbers_, 2) ? ", default: none" : ""; }
  [[nodiscard]] static std::vector<std::string> laws() { return {"forbid: q.Y", "escalate: r, to: owner", "require: q.Z"}; }

  std::string atom() {
    const std::string n = std::to_string(below(numbers_, 12));
    std::vector<std::string> atoms = {"a > " + n,
                                      "b <= " + n,
                                      "c == " + n,
                                      "not known(d)",
                                      "TBG > " + n + ".5",
                                      "a + b < " + n,
                                      "e.label == \"p\"",
                                      "f.confidence >= 0.6",
                                      "g.label != \"q\"",
                                      "f.typicality < 0.3",
                                      "g.judged",
                                      "e.probability[\"q\"] > 0.5",
                                      "d in [2, " + std::to_string(3 + below(numbers_, 8)) + ")"};
    return one_of(numbers_, atoms);
  }

  std::string condition() {
    std::string text = atom();
    for (std::size_t i = below(numbers_, 3); i > 0; --i) text += chance(numbers_, 4) ? " or " + atom() : " and " + atom();
    return text;
  }

  void add_rule() {
    const std::vector<std::string> findings = {"q.X", "q.Y", "q.Z", "r.U", "r.V", "r.no"};
    Entry rule{"R-" + std::to_string(rules_.size()), condition(), one_of(numbers_, findings), "accepted", {}, {}, "none", 1};
    if (has_panel_ && chance(numbers_, 5) && rule.finding[0] == 'r') rule.when += " and low.q == \"Y\"";
    if (!rules_.empty() && chance(numbers_, 3)) {
      const Entry& other = one_of(numbers_, rules_);
      if (other.finding[0] == rule.finding[0] && other.finding != rule.finding) rule.overrides = other.id;
    }
    rules_.push_back(rule);
  }

  Numbers& numbers_;
  bool has_panel_ = false;
  std::string head_;
  std::vector<Entry> rules_;
};

struct World {
  explicit World(Numbers& numbers) : table(random_table(numbers)) {
    for (const char* name : {"e", "f", "g"}) judgments.push_back(random_judgments(numbers, name, table));
  }
  [[nodiscard]] std::vector<EngineJudgments> engines() const {
    std::vector<EngineJudgments> engines;
    for (const Judgments& each : judgments) engines.push_back({each.engine, &each, {}, "sha of " + each.engine});
    return engines;
  }
  Table table;
  std::vector<Judgments> judgments;
};

void expect_same(const Decisions& again, const Decisions& full, const std::string& about) {
  ASSERT_EQ(again.root, full.root) << about;
  EXPECT_EQ(again.decisions, full.decisions) << about;
  EXPECT_EQ(again.rounds, full.rounds);
  EXPECT_EQ(again.consulted, full.consulted);
  EXPECT_EQ(again.case_id, full.case_id);
  EXPECT_EQ(again.law_text, full.law_text);
  EXPECT_EQ(again.inputs_sha256, full.inputs_sha256);
  ASSERT_EQ(again.rules.size(), full.rules.size());
  for (std::size_t i = 0; i < full.rules.size(); ++i) {
    EXPECT_EQ(again.rules[i].id, full.rules[i].id);
    EXPECT_EQ(again.rules[i].version, full.rules[i].version);
    EXPECT_EQ(again.rules[i].sha256, full.rules[i].sha256);
  }
}

TEST(DecideAgain, GivesWhatAFullRunGivesOverRandomLawsAndRevisions) {
  Numbers numbers(7);
  const World world(numbers);
  std::size_t parts = 0, changed = 0;
  for (int trial = 0; trial < 150; ++trial) {
    RandomLaw random(numbers);
    const Law before = random.law();
    random.change();
    if (chance(numbers, 3)) random.change();
    const Law after = random.law();
    const Decisions old = decide(before, world.table, world.engines());
    const Decisions full = decide(after, world.table, world.engines());
    const auto rows = cone_of(before, after, world.table, world.engines(), 1 + trial % 2);
    Leaves leaves(old);
    const Decisions again = decide_again(after, old, leaves, rows, world.table, world.engines(), {.threads = 1 + trial % 2});
    expect_same(again, full, before.canonical() + after.canonical());
    EXPECT_EQ(leaves.digests(), Leaves(full).digests());
    // There and back, from leaves that were changed once: they still stand for what was hashed.
    const Decisions back = decide_again(before, again, leaves, rows, world.table, world.engines());
    ASSERT_EQ(back.root, old.root) << before.canonical() << after.canonical();
    if (rows.size() < cases / 2) ++parts;
    if (old.decisions != full.decisions) ++changed;
  }
  EXPECT_GT(parts, 30U);  // a cone is a part of the cases, and revisions change decisions, or nothing was tested
  EXPECT_GT(changed, 50U);
}

TEST(DecideAgain, EveryCaseThatChangesLiesInTheCone) {
  Numbers numbers(8);
  const World world(numbers);
  for (int trial = 0; trial < 60; ++trial) {
    RandomLaw random(numbers);
    const Law before = random.law();
    random.change();
    const Law after = random.law();
    const Decisions a = decide(before, world.table, world.engines()), b = decide(after, world.table, world.engines());
    const auto rows = cone_of(before, after, world.table, world.engines());
    const auto name = [](const Decisions& all, const Decision& one) {
      return one.rule == no_rule_index ? std::string() : all.rules[one.rule].id + std::to_string(all.rules[one.rule].version);
    };
    for (std::size_t row = 0; row < cases; ++row) {
      bool same = a.rounds[row] == b.rounds[row] && a.consulted[row] == b.consulted[row];
      for (std::size_t q = 0; q < 2; ++q) {
        Decision x = a.at(row, q), y = b.at(row, q);
        same = same && name(a, x) == name(b, y);
        x.rule = y.rule = 0;
        same = same && x == y;
      }
      EXPECT_TRUE(same || std::binary_search(rows.begin(), rows.end(), row)) << row << before.canonical() << after.canonical();
    }
  }
}

LawSample two_rules(const std::string& second) {
  LawSample sample;
  sample.rules = {"id: R-1, when: 'a > 3', then: q.X", "id: R-2, " + second + ", then: q.Y"};
  return sample;
}

TEST(Cone, HoldsWhereARuleThatDiffersIsNotFalse) {
  Numbers numbers(9);
  const World world(numbers);
  const Law before = two_rules("when: 'b > 9'").law(), after = two_rules("when: 'b > 8', version: 2").law();
  const auto rows = cone_of(before, after, world.table, {});
  std::vector<std::uint32_t> expected;
  const Column& b = world.table.column("b");
  for (std::uint32_t row = 0; row < cases; ++row)
    if (b.cells[row] != Cell::known || b.number(row) > 8) expected.push_back(row);
  EXPECT_EQ(rows, expected);
  EXPECT_EQ(changes_between(before, after).ids, std::vector<std::string>{"R-2"});
}

TEST(Cone, IsEmptyWhereOnlyWordsForPeopleDiffer) {
  Numbers numbers(10);
  const World world(numbers);
  const Law before = two_rules("when: 'b > 9'").law(), after = two_rules("title: other, precision: 0.8, when: 'b > 9'").law();
  EXPECT_TRUE(cone_of(before, after, world.table, {}).empty());
  const Law proposed = two_rules("status: proposed, when: 'b > 9'").law(),
            retired = two_rules("status: retired, when: 'b > 2'").law();
  EXPECT_TRUE(cone_of(proposed, retired, world.table, {}).empty());
}

TEST(Cone, IsEveryCaseWhereMoreThanRulesDiffers) {
  Numbers numbers(11);
  const World world(numbers);
  LawSample sample = two_rules("when: 'b > 9'");
  const Law before = sample.law();
  sample.more = "laws: [{id: L, when: 'c > 11', forbid: q.X}]";
  EXPECT_EQ(cone_of(before, sample.law(), world.table, {}).size(), cases);
}

TEST(DecideAgain, RefusesOtherCasesAndRulesThatAreGone) {
  Numbers numbers(12);
  const World world(numbers);
  const Law before = two_rules("when: 'b > 9'").law();
  LawSample one = two_rules("when: 'b > 9'");
  one.rules.pop_back();
  const Law after = one.law();
  const Decisions old = decide(before, world.table, {});
  Leaves leaves(old);
  EXPECT_THROW((void)decide_again(after, old, leaves, std::vector<std::uint32_t>{}, world.table, {}), Error);
  Decisions other = old;
  other.rounds.back() ^= 1;
  Leaves others(other);
  EXPECT_THROW((void)decide_again(before, old, others, std::vector<std::uint32_t>{}, world.table, {}), Error);
  other = old;
  ++other.case_id.back();
  EXPECT_THROW((void)decide_again(before, other, leaves, std::vector<std::uint32_t>{}, world.table, {}), Error);
}

}  // namespace
}  // namespace hiple::law
