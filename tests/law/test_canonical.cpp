#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "law_sample.hpp"

namespace hiple::law {
namespace {

struct Lists {
  std::vector<std::string> questions = {"{name: q, findings: [none, X, Y], default: none}", "{findings: [U, V], name: s}"};
  std::vector<std::string> rules = {
      "id: A, when: 'a > 0 and e.judged', then: q.X, overrides: [B, C]", "id: B, when: 'b > 0', then: q.Y",
      "id: C, when: 'c > 0', then: q.none",
      "id: D, panel: kid, when: 'd > 0', then: s.U, evidence: [{source: book}], tests: {fires: [{d: 1}]}",
      "id: E, when: 'kid.s == \"U\"', then: q.X, status: suspended, valid: {from: 2024-01-01}"};
  std::vector<std::string> laws = {"{id: L1, forbid: q.X, when: 'd > 5'}", "{id: L2, escalate: s, when: 'a > 5', to: chief}"};
  std::vector<std::string> links = {"{id: X1, from: e, to: f, when: 'a > 1'}",
                                    "{id: X2, from: f, to: e, when: 'b > 1', eager: true}"};
  std::vector<std::string> panels = {"{name: kid, members: [f, e], answers: [s]}", "{name: root, members: [kid, e, f]}"};
  std::vector<std::string> pairs = {"[q.X, s.U]", "[s.V, q.Y]"};
  std::vector<std::string> engines = {"e", "f"};

  static std::string list(const std::vector<std::string>& entries) {
    std::string text = "[";
    for (const std::string& entry : entries) text += (text.size() > 1 ? ", " : "") + entry;
    return text + "]";
  }

  [[nodiscard]] LawSample sample() const {
    LawSample sample;
    sample.questions = list(questions);
    sample.rules = rules;
    sample.engines = engines;
    sample.more = "laws: " + list(laws) + "\nlinks: " + list(links) + "\npanels: " + list(panels) +
                  "\nincompatible: " + list(pairs) + "\ncritical: {critical: 1, findings: [{finding: q.Y, to: endo}]}";
    return sample;
  }
};

TEST(Canonical, TheOrderOfTheFileMeansNothing) {
  const LawSample first = Lists().sample();
  const Law law = first.law();
  const std::map<std::string, Word> words = {{"e", {}}, {"f", {JudgmentStatus::abstained, "p", 0.5F, 0.01F}}};
  std::mt19937 random(3);
  for (int i = 0; i < 20; ++i) {
    Lists lists;
    for (auto* list : {&lists.questions, &lists.rules, &lists.laws, &lists.links, &lists.panels, &lists.pairs, &lists.engines})
      std::shuffle(list->begin(), list->end(), random);
    const LawSample other = lists.sample();
    const Law shuffled = other.law();
    EXPECT_EQ(shuffled.canonical(), law.canonical());
    EXPECT_EQ(shuffled.sha256(), law.sha256());
    for (const std::map<std::string, double>& values :
         {std::map<std::string, double>{{"a", 1}}, {{"a", 0}, {"b", 1}, {"c", 1}, {"d", 0}}, {{"b", 0}, {"c", 0}, {"d", 9}}})
      for (const std::size_t question : {0U, 1U})
        EXPECT_EQ(LawSample::said(shuffled, other.run(values, words), question),
                  LawSample::said(law, first.run(values, words), question));
  }
}

TEST(Canonical, LayoutMeansNothingAndContentDoes) {
  LawSample sample;
  sample.rules = {"id: A, when: 'a>0 and (b   >1)', then: q.X"};
  const Law law = sample.law();
  sample.rules = {"then: q.X, id: A, when: \"(a > 0) and b > 1\", status: accepted, version: 1, panel: root"};
  EXPECT_EQ(sample.law().canonical(), law.canonical());
  sample.rules = {"id: A, when: 'a >= 0 and b > 1', then: q.X"};
  EXPECT_NE(sample.law().sha256(), law.sha256());
  EXPECT_NE(sample.law().model().records[0].sha256, law.model().records[0].sha256);
}

TEST(Canonical, LoadingItGivesTheSameLaw) {
  const LawSample sample = Lists().sample();
  const Law law = sample.law();
  std::vector<EngineDescription> engines = law.model().engines;
  const Law again = Law::parse(law.canonical(), "canonical", LawSample::schema(), engines, 20000);
  EXPECT_EQ(again.canonical(), law.canonical());
  EXPECT_EQ(again.model().records.size(), law.model().records.size());
}

}  // namespace
}  // namespace hiple::law
