#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

#include "audit/law_diff.hpp"
#include "audit_sample.hpp"
#include "law/given_case.hpp"
#include "law/given_judgment.hpp"
#include "law/model.hpp"

namespace hiple::audit {
namespace {

constexpr const char* two_questions =
    "[{name: q, findings: [none, a, b], default: none}, {name: r, findings: [none, c], default: none}]";

/// Two hundred random cases with the words of both engines.
struct Cases {
  Table table;
  std::vector<Judgments> words;

  explicit Cases(const law::Law& law) {
    std::mt19937 random(3);
    const law::Law::Model& model = law.model();
    table.schema.columns = model.column_schemas;
    for (const Column& column : law::empty_case(model).table.columns) table.columns.push_back(column);
    for (Column& column : table.columns) {
      column.cells.clear();
      std::visit([](auto& values) { values.clear(); }, column.values);
    }
    for (const law::EngineDescription& engine : model.engines) {
      words.push_back(*law::make_judgment(engine, JudgmentStatus::judged));
      Judgments& word = words.back();
      word.case_id.clear(), word.label.clear(), word.confidence.clear(), word.probability.clear(), word.typicality.clear(),
          word.status.clear();
    }
    for (std::uint64_t id = 1; id <= 200; ++id) {
      table.case_id.push_back(id);
      for (Column& column : table.columns) {
        column.cells.push_back(random() % 4 == 0 ? Cell::missing : Cell::known);
        const auto value = random() % 10;
        std::visit(
            [&](auto& values) {
              using Value = typename std::decay_t<decltype(values)>::value_type;
              values.push_back(static_cast<Value>(sizeof(Value) == 1 ? value % 2 : value % 3));
              if constexpr (std::is_same_v<Value, double>) values.back() = static_cast<double>(value);
            },
            column.values);
      }
      for (Judgments& word : words) {
        const auto label = static_cast<std::uint16_t>(random() % 3);
        word.case_id.push_back(id);
        word.label.push_back(label);
        word.confidence.push_back(0.5F);
        for (std::uint16_t i = 0; i < 3; ++i) word.probability.push_back(i == label ? 0.5F : 0.25F);
        word.typicality.push_back(0.5F);
        word.status.push_back(random() % 5 == 0 ? JudgmentStatus::abstained : JudgmentStatus::judged);
      }
    }
  }
  [[nodiscard]] std::vector<law::EngineJudgments> engines() const { return {{"e", &words[0], "", ""}, {"f", &words[1], "", ""}}; }
};

TEST(LawDiff, LeavesOutOnlyWhatCannotChange) {
  const std::string base =
      "critical: {critical: 1, findings: [{finding: q.b, to: x}]}\n"
      "route: {home: [{when: 'on', engines: [e]}, {engines: []}]}\n"
      "links:\n  - {id: X-1, from: e, to: f, when: 'x > 3'}\n"
      "laws:\n  - {id: L-1, when: 'y > 8', escalate: r}\n"
      "rules:\n  - {id: A-1, when: 'x > 5 and e.label != \"none\"', then: q.a}\n  - {id: A-2, when: 'known(y) and y > 4', then: "
      "q.b}\n"
      "  - {id: R-1, when: 'f.label == \"p\" or n > 1', then: r.c}\n";
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = base;
    return text.replace(text.find(from), from.size(), to);
  };
  const law::Law before = sample_law(base, two_questions);
  const Cases cases(before);
  const std::vector<std::string> others = {changed("x > 5 and", "x > 6 and"),
                                           changed("y > 4'", "y > 7'"),
                                           changed("known(y) and y > 4", "y > 4"),
                                           changed("n > 1", "n > 0"),
                                           changed("x > 3", "x > 6"),
                                           changed("y > 8", "y > 7"),
                                           changed("then: q.b", "then: q.b, overrides: [A-1]"),
                                           changed("then: r.c", "then: r.c, status: retired"),
                                           base + "  - {id: R-2, when: 'off', then: r.c}\n",
                                           changed("then: r.c", "then: r.c, suspended_where: 'off'"),
                                           changed("e.label != \"none\"", "f.label != \"none\"")};
  std::size_t left_out = 0, different = 0;
  for (const std::string& text : others) {
    const law::Law after = sample_law(text, two_questions);
    const LawDiff some = diff_laws(before, after, cases.table, cases.engines());
    const LawDiff all = diff_laws(before, after, cases.table, cases.engines(), true);
    EXPECT_EQ(all.evaluated, 200U);
    EXPECT_EQ(to_json(all).substr(to_json(all).find("\"answers\"")), to_json(some).substr(to_json(some).find("\"answers\"")))
        << text;
    left_out += all.evaluated - some.evaluated;
    different += all.different;
  }
  EXPECT_GT(left_out, 800U);
  EXPECT_GT(different, 100U);
}

TEST(LawDiff, SaysWhatChangedAndCriticalFirst) {
  const std::string rules = "rules:\n  - {id: A, when: 'x > 5', then: q.a}\n  - {id: B, when: 'y > 5', then: q.b}\n";
  const std::string critical = "critical: {critical: 1, findings: [{finding: q.b, to: x}]}\n";
  const law::Law before = sample_law(critical + rules, two_questions);
  const law::Law after = sample_law(critical +
                                        "rules:\n  - {id: A, title: new, when: 'x > 5', then: q.a}\n  - {id: B, when: 'y > 7', "
                                        "then: q.b}\n  - {id: C, when: 'on', then: r.c}\n",
                                    two_questions);
  const Cases cases(before);
  const LawDiff diff = diff_laws(before, after, cases.table, cases.engines());
  EXPECT_EQ(diff.added, std::vector<std::string>{"C"});
  EXPECT_EQ(diff.changed, std::vector<std::string>{"B"});
  EXPECT_EQ(diff.reworded, std::vector<std::string>{"A"});
  ASSERT_GT(diff.changes.size(), 2U);
  EXPECT_TRUE(diff.changes.front().critical);
  EXPECT_FALSE(diff.changes.back().critical);
  EXPECT_EQ(diff_laws(before, before, cases.table, cases.engines()).evaluated, 0U);
  const law::Law elsewhere = sample_law(critical + rules + "independence: [[e, f]]\n", two_questions);
  EXPECT_EQ(diff_laws(before, elsewhere, cases.table, cases.engines()).evaluated, 200U);
}

/// Each answer that differs where every case is decided twice.
std::set<std::pair<std::uint64_t, std::string>> changes_of(const LawDiff& diff) {
  std::set<std::pair<std::uint64_t, std::string>> changes;
  for (const AnswerChange& change : diff.changes) changes.emplace(change.case_id, change.question);
  return changes;
}

constexpr const char* panels = "panels: [{name: root, members: [e, f";
constexpr const char* old_rules =
    "links:\n  - {id: X-1, from: e, to: f, when: 'x > 3'}\nrules:\n  - {id: A-1, when: 'x > 5 and e.label != \"none\"', then: "
    "q.a}\n"
    "  - {id: R-1, when: 'f.label == \"p\" or n > 1', then: r.c}\n";

TEST(LawDiff, OfAnEngineThatJoinsOnlyWhatReadsItCounts) {
  const std::string home = "route: {home: [{when: 'on', engines: [e]}, {engines: [f]}]}\n";
  const law::Law before = sample_law(panels + std::string("]}]\n") + home + old_rules, two_questions);
  const law::Law after = sample_law(panels + std::string(", g]}]\n") + home + old_rules +
                                        "  - {id: G-1, when: 'g.label == \"q\" and x > 2', then: q.b, overrides: [A-1]}\n",
                                    two_questions, {"e", "f", "g"});
  const Cases cases(after);
  const std::vector<law::EngineJudgments> old_engines = {{"e", &cases.words[0], "", ""}, {"f", &cases.words[1], "", ""}};
  std::vector<law::EngineJudgments> new_engines = old_engines;
  new_engines.push_back({"g", &cases.words[2], "", ""});
  const LawDiff some = diff_laws(before, old_engines, after, new_engines, cases.table);
  const LawDiff all = diff_laws(before, old_engines, after, new_engines, cases.table, true);
  EXPECT_TRUE(some.elsewhere.empty()) << some.elsewhere.front();
  EXPECT_EQ(some.added, std::vector<std::string>{"G-1"});
  EXPECT_TRUE(some.changed.empty());
  EXPECT_LT(some.evaluated, 200U);
  EXPECT_EQ(changes_of(some), changes_of(all));
  ASSERT_GT(some.changes.size(), 5U);
  for (const AnswerChange& change : some.changes) EXPECT_EQ(change.by, std::vector<std::string>{"G-1"});
}

TEST(LawDiff, ARuleThatCountsOverAPanelDiffersWhereTheEnginesDo) {
  const std::string counts = "rules:\n  - {id: C-1, when: 'count(root, each.label == \"p\") >= 2', then: q.a}\n";
  const law::Law before = sample_law(panels + std::string("]}]\n") + counts, two_questions);
  const law::Law after = sample_law(panels + std::string(", g]}]\n") + counts, two_questions, {"e", "f", "g"});
  const Cases cases(after);
  const std::vector<law::EngineJudgments> old_engines = {{"e", &cases.words[0], "", ""}, {"f", &cases.words[1], "", ""}};
  std::vector<law::EngineJudgments> new_engines = old_engines;
  new_engines.push_back({"g", &cases.words[2], "", ""});
  const LawDiff some = diff_laws(before, old_engines, after, new_engines, cases.table);
  EXPECT_EQ(some.changed, std::vector<std::string>{"C-1"});
  EXPECT_EQ(changes_of(some), changes_of(diff_laws(before, old_engines, after, new_engines, cases.table, true)));
  EXPECT_GT(some.changes.size(), 0U);
}

TEST(LawDiff, AnEngineThatJudgedAnewDiffersWhereItsWordDoes) {
  const law::Law law = sample_law(old_rules, two_questions);
  const Cases cases(law);
  Judgments anew = cases.words[0];
  anew.sha256 = "another";
  for (std::size_t i = 0; i < anew.size(); i += 7) anew.label[i] = static_cast<std::uint16_t>((anew.label[i] + 1) % 3);
  std::vector<law::EngineJudgments> before = cases.engines(), after = before;
  after[0].judgments = &anew;
  const LawDiff some = diff_laws(law, before, law, after, cases.table);
  const LawDiff all = diff_laws(law, before, law, after, cases.table, true);
  EXPECT_EQ(some.judged_anew, std::vector<std::string>{"e"});
  EXPECT_EQ(changes_of(some), changes_of(all));
  EXPECT_LE(some.evaluated, 29U);
  ASSERT_GT(some.changes.size(), 0U);
  for (const AnswerChange& change : some.changes) EXPECT_EQ(change.by, std::vector<std::string>{"e"});
}

TEST(LawDiff, AnswersToANewQuestionAreNoChanges) {
  const law::Law before = sample_law(old_rules, two_questions);
  const law::Law after =
      sample_law(old_rules,
                 "[{name: q, findings: [none, a, b], default: none}, {name: r, findings: [none, c], default: none}, {name: s, "
                 "findings: [none, d], default: none}]");
  const Cases cases(before);
  const LawDiff diff = diff_laws(before, after, cases.table, cases.engines());
  EXPECT_EQ(diff.new_questions, std::vector<std::string>{"s"});
  EXPECT_EQ(diff.elsewhere, std::vector<std::string>{"questions"});
  EXPECT_TRUE(diff.changes.empty());
}

}  // namespace
}  // namespace hiple::audit
