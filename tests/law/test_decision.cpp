#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "law/root.hpp"
#include "law/sample_decisions.hpp"

namespace hiple::law {
namespace {

TEST(RootHash, KnownAnswers) {
  // Computed by the description in the header with Python's hashlib; see tests/program/decisions_file.
  EXPECT_EQ(root_hash(sample_decisions(0)), sha256(""));
  EXPECT_EQ(root_hash(sample_decisions(3)), "030f3a093c5a32714bd0321684921eddd6fa4b22c875ec24dda16ae78733ad96");
  EXPECT_EQ(root_hash(sample_decisions(5000)), "bdc51de9d4a1a9ba65e966cc9fced283ab84f81d96a9c6ce44144bab098289f8");
  Decisions far = sample_decisions(4);  // ids whose differences take one, two and ten bytes
  far.case_id = {5, 132, 260, std::uint64_t{1} << 63};
  EXPECT_EQ(root_hash(far), "6f7be6430db19b23851d030a0235767f4da125bcb5b714cf2d4d8fec6a280a51");
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
      [](Decisions& d) { d.decisions[4].flags ^= flag::gate_closed; },
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
  changed.engines[0].reason = "out of memory";
  changed.law_text = "another layout";
  EXPECT_EQ(root_hash(changed), root_hash(sample_decisions(10)));
}

TEST(RootHash, ThreadsChangeNothing) {
  const Decisions d = sample_decisions(20000);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(root_hash(d, threads), root_hash(d));
}

// The second leaf begins at case 4097.
TEST(RootHash, ALeafHolds4096Cases) {
  EXPECT_EQ(root_hash(one_question(1)), "388b733466e3b6702c041cf996d9d4c1910e5d6f974774cdb940804ea4e8c08d");
  EXPECT_EQ(root_hash(one_question(4096)), "5d2e1fbb70eac4126060fbc3a6e9aefe7b7f49897b5688ccb57d1a565553b640");
  EXPECT_EQ(root_hash(one_question(4097)), "b6d935d376f1e0180d9002eb37cab46280323acc5e31a91a27a50109f2c0cac2");
}

/// The root of RFC 6962, leaf after leaf: subtrees of equal height are joined as soon as there are two.
std::string joined_one_by_one(const std::vector<Digest>& leaves) {
  const auto join = [](const Digest& a, const Digest& b) { return Sha256().update("\1").update(a).update(b).bytes(); };
  std::vector<std::pair<int, Digest>> trees;
  for (const Digest& leaf : leaves) {
    trees.emplace_back(0, leaf);
    while (trees.size() > 1 && trees[trees.size() - 2].first == trees.back().first) {
      const auto last = trees.back();
      trees.pop_back();
      trees.back() = {last.first + 1, join(trees.back().second, last.second)};
    }
  }
  Digest root = trees.back().second;
  for (auto tree = trees.rbegin() + 1; tree != trees.rend(); ++tree) root = join(tree->second, root);
  return hexadecimal(root);
}

// 2^31 cases are 2^19 leaves.
TEST(RootHash, MoreThanTwoToThe31Cases) {
  std::vector<Digest> leaves(cases_a_leaf * 128 + 3);
  ASSERT_GT(leaves.size() * cases_a_leaf, std::uint64_t{1} << 31);
  for (std::size_t i = 0; i < leaves.size(); ++i) std::memcpy(leaves[i].data(), &i, sizeof i);
  EXPECT_EQ(root_of(leaves), joined_one_by_one(leaves));
  const std::string whole = root_of(leaves);
  leaves.pop_back();
  EXPECT_NE(root_of(leaves), whole);
}

TEST(RootHash, NoBitOfACaseIdIsLost) {
  std::set<std::string> roots;
  for (unsigned bit = 0; bit < 64; ++bit) {
    Decisions d = one_question(2);
    d.case_id = {0, std::uint64_t{1} << bit};
    roots.insert(root_hash(d));
    d.case_id = {(std::uint64_t{1} << bit) - 1, std::uint64_t{1} << bit};
    roots.insert(root_hash(d));
  }
  EXPECT_EQ(roots.size(), 127U);  // 0 and 1 twice
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
