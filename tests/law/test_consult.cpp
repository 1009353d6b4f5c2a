#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "law/consult.hpp"
#include "law_sample.hpp"

namespace hiple::law {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// e is home where a is 1; its p calls f, f's p calls g, and g's p calls e and h: a circle.
LawSample circle(const std::string& rest = ", broaden: []") {
  LawSample sample;
  sample.engines = {"e", "f", "g", "h"};
  sample.rules = {"id: A, when: 'h.label == \"p\"', then: q.X"};
  sample.more =
      "links: [{id: L1, from: e, to: f, when: 'e.label == \"p\"'}, {id: L2, from: f, to: g, when: 'f.label == \"p\"'},"
      " {id: L3, from: g, to: e, when: 'g.label == \"p\"'}, {id: L4, from: g, to: h, when: 'g.label == \"p\" and b == 1'}]\n"
      "route: {home: [{when: 'a == 1', engines: [e]}, {engines: [f]}]" +
      rest + "}";
  return sample;
}

/// Cases 1 (home e), 2 (home f), 3 (home unknown, so f) with b = 1, 0, 1.
Table table() {
  Table table = LawSample::table({{"a", 0}, {"b", 0}});
  table.case_id = {1, 2, 3};
  for (Column& column : table.columns) {
    std::visit([](auto& values) { values.assign(3, 0); }, column.values);
    column.cells.assign(3, Cell::missing);
  }
  table.columns[0].values = std::vector<std::int64_t>{1, 0, 0};
  table.columns[0].cells = {Cell::known, Cell::known, Cell::missing};
  table.columns[1].values = std::vector<std::int64_t>{1, 0, 1};
  table.columns[1].cells.assign(3, Cell::known);
  return table;
}

/// Says p of every case, once it is asked.
Judgments unasked(const std::string& engine) {
  Judgments judgments = LawSample::judgments(engine, {});
  judgments.case_id = {1, 2, 3};
  judgments.status.assign(3, JudgmentStatus::not_asked);
  judgments.label.assign(3, 1);
  judgments.confidence.assign(3, 0.9F);
  judgments.typicality.assign(3, 0.5F);
  judgments.probability = {0.05F, 0.9F, 0.05F, 0.05F, 0.9F, 0.05F, 0.05F, 0.9F, 0.05F};
  return judgments;
}

struct Asked {
  explicit Asked(const LawSample& sample) : law(sample.law()), cases(table()) {
    for (const std::string& name : sample.engines) files.push_back(unasked(name));
  }

  [[nodiscard]] std::vector<EngineJudgments> words() const {
    std::vector<EngineJudgments> words;
    for (const Judgments& file : files) words.push_back({file.engine, &file, {}, {}});
    return words;
  }
  [[nodiscard]] Consultation ask(std::size_t rounds) const {
    Consultation found;
    consult(law, ColumnarLaw(law.model()), Inputs(law.model(), cases, words()), rounds, found);
    return found;
  }
  void answer(const Consultation& found) {
    for (std::size_t e = 0; e < files.size(); ++e)
      for (const std::uint64_t id : found.unasked[e]) files[e].status[id - 1] = JudgmentStatus::judged;
  }

  Law law;
  Table cases;
  std::vector<Judgments> files;
};

TEST(Consult, AsksRoundAfterRoundAndACircleEnds) {
  Asked run(circle());
  Consultation found = run.ask(0);
  EXPECT_THAT(found.unasked, ElementsAre(ElementsAre(1), ElementsAre(2, 3), IsEmpty(), IsEmpty()));
  EXPECT_TRUE(found.goes_on);
  run.answer(found);
  EXPECT_EQ(run.ask(0).open(), 0U);

  found = run.ask(1);
  EXPECT_THAT(found.unasked, ElementsAre(IsEmpty(), ElementsAre(1), ElementsAre(2, 3), IsEmpty()));
  run.answer(found);
  found = run.ask(2);  // g says p of 2 and 3: e, and where b is 1, h
  EXPECT_THAT(found.unasked, ElementsAre(ElementsAre(2, 3), IsEmpty(), ElementsAre(1), ElementsAre(3)));
  run.answer(found);
  found = run.ask(3);
  EXPECT_THAT(found.unasked, ElementsAre(IsEmpty(), IsEmpty(), IsEmpty(), ElementsAre(1)));
  run.answer(found);
  found = run.ask(4);
  EXPECT_EQ(found.open(), 0U);
  EXPECT_FALSE(found.goes_on);
  EXPECT_EQ(found.asked, 11U);  // all four of cases 1 and 3, and three of case 2
  EXPECT_EQ(run.files[3].status[1], JudgmentStatus::not_asked);
}

TEST(Consult, StopsWhereRoundsAreCapped) {
  Asked run(circle(", broaden: [], max_rounds: 1"));
  for (std::size_t rounds = 0; rounds < 3; ++rounds) run.answer(run.ask(rounds));
  EXPECT_EQ(run.files[3].status, std::vector<JudgmentStatus>(3, JudgmentStatus::not_asked));
  EXPECT_TRUE(run.ask(1).goes_on);
  EXPECT_FALSE(run.ask(2).goes_on);
  EXPECT_EQ(decide(run.law, run.cases, run.words()).decisions[0].flags & flag::capped, flag::capped);
}

TEST(Consult, AnEngineThatIsNotAvailableCannotBeAsked) {
  Asked run(circle());
  auto words = run.words();
  words[1].judgments = nullptr;
  Consultation found;
  consult(run.law, ColumnarLaw(run.law.model()), Inputs(run.law.model(), run.cases, words), 0, found);
  EXPECT_THAT(found.unasked, ElementsAre(ElementsAre(1), IsEmpty(), IsEmpty(), IsEmpty()));
}

TEST(Consult, AddsUpOverPortions) {
  Asked run(circle());
  Consultation found;
  const ColumnarLaw columnar(run.law.model());
  const Inputs inputs(run.law.model(), run.cases, run.words());
  consult(run.law, columnar, inputs, 0, found);
  consult(run.law, columnar, inputs, 0, found);
  EXPECT_EQ(found.open(), 6U);
}

TEST(HomeRows, AreThoseOfTheFirstEntryThatIsTrue) {
  const LawSample sample = circle();
  const Law law = sample.law();
  EXPECT_THAT(home_columns(law), ElementsAre("a"));
  EXPECT_THAT(home_rows(law, table(), "e"), ElementsAre(0));
  EXPECT_THAT(home_rows(law, table(), "f"), ElementsAre(1, 2));
  EXPECT_THAT(home_rows(law, table(), "g"), IsEmpty());
}

TEST(HomeRows, AreAllWithoutARoute) {
  LawSample sample;
  sample.engines = {"e"};
  const Law law = sample.law();
  EXPECT_THAT(home_rows(law, table(), "e"), ElementsAre(0, 1, 2));
  EXPECT_THAT(home_columns(law), IsEmpty());
}

TEST(HomeRows, NeedTheColumnsOfTheRoute) {
  Table cases = table();
  cases.schema.columns.erase(cases.schema.columns.begin());
  cases.columns.erase(cases.columns.begin());
  EXPECT_THROW((void)home_rows(circle().law(), cases, "e"), InputError);
}

}  // namespace
}  // namespace hiple::law
