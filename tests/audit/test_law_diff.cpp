#include <gtest/gtest.h>

#include <random>

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

}  // namespace
}  // namespace hiple::audit
