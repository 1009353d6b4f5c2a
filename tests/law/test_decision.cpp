#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "law/decision.hpp"
#include "law/sample_decisions.hpp"

namespace hiple::law {
namespace {

TEST(RootHash, KnownAnswers) {
  // Computed by the description in the header with Python's hashlib; see tests/program/decisions_file.
  EXPECT_EQ(root_hash(sample_decisions(0)), sha256(""));
  EXPECT_EQ(root_hash(sample_decisions(3)), "a99512cb38a0500e379f2e8f30284aff6db1aaf5f1578a000ff9c173aa62dfa0");
  EXPECT_EQ(root_hash(sample_decisions(5000)), "cc067646d18a9502ae61bab8d06bd2d7d787713ea676ca1e0101b02cbb637c09");
}

TEST(RootHash, DoesNotDependOnTheOrderOfNames) {
  EXPECT_EQ(root_hash(reordered(sample_decisions(50))), root_hash(sample_decisions(50)));
}

TEST(RootHash, SeesEveryField) {
  const std::vector<std::function<void(Decisions&)>> changes = {
      [](Decisions& d) { d.case_id[9] += 1; },
      [](Decisions& d) { d.questions[0] = "bindung"; },
      [](Decisions& d) { d.decisions[4].status = Status::decide; },
      [](Decisions& d) { d.decisions[4].reason = Reason::blocked; },
      [](Decisions& d) { d.decisions[4].finding = 1; },
      [](Decisions& d) { d.findings[0][0] = "decreases"; },
      [](Decisions& d) { d.decisions[4].rule = 1; },
      [](Decisions& d) { d.rules[0].id = "A-2"; },
      [](Decisions& d) { d.rules[0].version = 2; },
      [](Decisions& d) { d.decisions[4].flags ^= flag::firm; },
      [](Decisions& d) { d.decisions[4].flags ^= flag::critical; },
      [](Decisions& d) { d.decisions[4].flags ^= flag::escalated; },
      [](Decisions& d) { d.decisions[4].flags ^= flag::broadened; },
      [](Decisions& d) { d.decisions[4].flags ^= flag::capped; },
      [](Decisions& d) { d.rounds[3] = 7; },
      [](Decisions& d) { d.consulted[3] ^= 2; },
      [](Decisions& d) { d.engines[0].name = "nto"; },
      [](Decisions& d) {
        d.decisions.pop_back(), d.decisions.pop_back(), d.case_id.pop_back(), d.rounds.pop_back(), d.consulted.pop_back();
      },
  };
  std::set<std::string> roots = {root_hash(sample_decisions(10))};
  for (const auto& change : changes) {
    Decisions changed = sample_decisions(10);
    change(changed);
    EXPECT_TRUE(roots.insert(root_hash(changed)).second) << "change " << roots.size();
  }
}

TEST(RootHash, LeavesOutWhatIsNoPartOfTheDecision) {
  Decisions changed = sample_decisions(10);
  changed.decisions[4].flags ^= flag::gate_closed;
  changed.engines[0].reason = "out of memory";
  changed.law_text = "another layout";
  EXPECT_EQ(root_hash(changed), root_hash(sample_decisions(10)));
}

// With one question a case is a decision: the second block begins at 4097.
TEST(RootHash, ABlockHolds4096Decisions) {
  EXPECT_EQ(root_hash(one_question(1)), "6166dc31b6a29890ea13112d200b7a17798b2da7933cca5062a4d933c0aea67b");
  EXPECT_EQ(root_hash(one_question(4096)), "e0542009a3f2db1eb5eb4c4cad012e30c9aa7bf77bb0b3c52dc969f6ae1d4c64");
  EXPECT_EQ(root_hash(one_question(4097)), "4cd8b45051f6654eda9e0c972328b1f3b642dc4ac5dd6dbdc37891a375b6bba8");
}

TEST(RootHash, RefusesWhatDoesNotFit) {
  Decisions d = sample_decisions(3);
  std::swap(d.case_id[0], d.case_id[1]);
  EXPECT_THROW((void)root_hash(d), Error);
  d = sample_decisions(3);
  d.case_id[1] = d.case_id[0];
  EXPECT_THROW((void)root_hash(d), Error);
  d = sample_decisions(3);
  d.rounds.pop_back();
  EXPECT_THROW((void)root_hash(d), Error);
  d = sample_decisions(3);
  d.decisions[0].rule = 9;
  EXPECT_THROW((void)root_hash(d), Error);
  d = sample_decisions(3);
  d.decisions[0].finding = 9;
  EXPECT_THROW((void)root_hash(d), Error);
}

TEST(NameOf, EveryStatusAndReason) {
  EXPECT_EQ(name_of(Status::decide), "decide");
  EXPECT_EQ(name_of(Status::abstain), "abstain");
  EXPECT_EQ(name_of(Status::escalate), "escalate");
  EXPECT_EQ(name_of(Reason::none), "none");
  EXPECT_EQ(name_of(Reason::critical_not_excluded), "critical_not_excluded");
  EXPECT_EQ(name_of(Reason::no_rule), "no_rule");
  EXPECT_THROW((void)name_of(static_cast<Status>(9)), Error);
  EXPECT_THROW((void)name_of(static_cast<Reason>(9)), Error);
}

}  // namespace
}  // namespace hiple::law
