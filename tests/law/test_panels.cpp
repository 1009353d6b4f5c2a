#include <gtest/gtest.h>

#include "law_sample.hpp"

namespace hiple::law {
namespace {

/// R1 and R2 in a panel below the root; R3 reads its finding.
LawSample two_levels() {
  LawSample sample;
  sample.questions = "[{name: q, findings: [X, Y, Z]}, {name: s, findings: [U]}]";
  sample.more = "panels: [{name: kid, members: [], answers: [q]}, {name: root, members: [kid]}]";
  sample.rules = {"id: R1, panel: kid, when: 'a > 0', then: q.X", "id: R2, panel: kid, when: 'b > 0', then: q.Y",
                  "id: R3, when: 'kid.q == \"X\"', then: s.U", "id: R4, when: 'c > 0', then: q.Z"};
  return sample;
}

TEST(Panels, AFindingThatIsNotFirmGivesNoneThatIs) {
  EXPECT_EQ(two_levels().answer({{"a", 1}, {"c", 0}}), "decide X");
  EXPECT_EQ(two_levels().answer({{"a", 1}, {"c", 0}}, {}, 1), "decide U");
  EXPECT_EQ(two_levels().answer({{"a", 1}, {"b", 0}, {"c", 0}}, {}, 1), "decide U firm");
}

TEST(Panels, NoLevelOutranksAnother) {
  EXPECT_EQ(two_levels().answer({{"a", 0}, {"b", 0}, {"c", 1}}), "decide Z firm");
  EXPECT_EQ(two_levels().answer({{"a", 1}, {"b", 0}, {"c", 1}}), "abstain conflict");
}

TEST(Panels, ThreeLevelsPassAFindingUp) {
  LawSample sample;
  sample.questions = "[{name: q, findings: [X]}, {name: s, findings: [U]}, {name: t, findings: [V]}]";
  sample.more =
      "panels: [{name: low, members: [], answers: [q]}, {name: mid, members: [low], answers: [s]}, {name: root, members: [mid]}]";
  sample.rules = {"id: R1, panel: low, when: 'a > 0', then: q.X", "id: R2, panel: mid, when: 'low.q == \"X\"', then: s.U",
                  "id: R3, when: 'mid.s == \"U\"', then: t.V"};
  for (const std::size_t question : {0U, 1U, 2U})
    EXPECT_EQ(sample.answer({{"a", 1}}, {}, question).substr(0, 6), "decide") << question;
  EXPECT_EQ(sample.answer({{"a", 1}}, {}, 2), "decide V firm");
  EXPECT_EQ(sample.answer({}, {}, 2), "abstain blocked");
  sample.rules[2] = "id: R3, when: 'low.q == \"X\"', then: t.V";
  EXPECT_THROW((void)sample.law(), InputError);  // a finding is seen by its direct parent only
}

TEST(Panels, AnUndecidedFindingHandsItsCausesUp) {
  LawSample sample = two_levels();
  const Law law = sample.law();
  const CaseResult result = sample.run({{"b", 0}, {"c", 0}});
  EXPECT_EQ(law.model().causes().texts(result.answers(law.model())[1].causes),
            (std::vector<std::string>{"missing:a", "undecided:kid.q"}));
}

TEST(Panels, ACriticalFindingsRulesReadNoFindings) {
  LawSample sample = two_levels();
  sample.more += "\ncritical: {critical: 1, findings: [{finding: s.U}]}";
  try {
    (void)sample.law();
    FAIL() << "the law was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("findings of panels cannot be read here"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace hiple::law
