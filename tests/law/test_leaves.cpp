#include <gtest/gtest.h>

#include "base/error.hpp"
#include "law/leaves.hpp"
#include "law/sample_decisions.hpp"

namespace hiple::law {
namespace {

/// So many rules that the answers to one question in a leaf take two bytes each.
Decisions many_answers(std::size_t cases, std::size_t rules) {
  Decisions d = sample_decisions(cases);
  d.rules.clear();
  for (std::size_t i = 0; i < rules; ++i) d.rules.push_back({"R-" + std::to_string(10000 + i), 1, std::string(64, 'a')});
  for (std::size_t row = 0; row < cases; ++row) d.decisions[2 * row].rule = static_cast<std::uint32_t>(row % rules);
  for (std::size_t row = 0; row < cases; ++row) d.decisions[2 * row + 1].rule = static_cast<std::uint32_t>(row % 3);
  return d;
}

std::vector<std::uint32_t> every(std::size_t step, std::size_t cases) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < cases; row += step) rows.push_back(static_cast<std::uint32_t>(row));
  return rows;
}

TEST(Leaves, HaveTheRootOfTheDecisions) {
  for (const std::size_t cases : {0UL, 1UL, 4096UL, 4097UL, 20000UL})
    EXPECT_EQ(root_of(Leaves(sample_decisions(cases), 2).digests()), root_hash(sample_decisions(cases)));
}

TEST(Leaves, ComeToTheRootOfWhatWasDecidedAgain) {
  constexpr std::size_t cases = 10000;
  Decisions d = sample_decisions(cases);
  Leaves leaves(d);
  for (const std::size_t step : {1UL, 7UL, 100UL, 9999UL}) {
    const auto rows = every(step, cases);
    for (const std::uint32_t row : rows) {
      d.decisions[2 * row + step % 2].flags ^= flag::firm;
      d.rounds[row] ^= 4;
      d.consulted[row] ^= 1;
    }
    leaves.update(d, rows, 1 + static_cast<int>(step % 2));
    EXPECT_EQ(root_of(leaves.digests()), root_hash(d)) << step;
  }
}

// 300 different answers take two bytes a case; 250 take one. What no case has any more is no part of the root.
TEST(Leaves, ForgetAnswersThatAreGoneAndLearnNewOnes) {
  constexpr std::size_t cases = 5000;
  const Decisions many = many_answers(cases, 300);
  Decisions d = many;
  Leaves leaves(d);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < cases; ++row)
    if (row % 300 >= 250) rows.push_back(row);
  for (const std::uint32_t row : rows) d.decisions[2 * row] = d.decisions[2 * (row % 250)];
  leaves.update(d, rows);
  EXPECT_EQ(root_of(leaves.digests()), root_hash(d));
  d = many;
  leaves.update(d, rows);
  EXPECT_EQ(root_of(leaves.digests()), root_hash(many));
}

TEST(Leaves, LookAtNoOtherCaseThanThoseDecidedAgain) {
  Decisions d = sample_decisions(5000);
  Leaves leaves(d);
  const std::string root = root_of(leaves.digests());
  d.decisions[2 * 17].flags ^= flag::firm;
  leaves.update(d, std::vector<std::uint32_t>{18, 4999});
  EXPECT_EQ(root_of(leaves.digests()), root);
}

TEST(Leaves, RefuseOtherDecisions) {
  Leaves leaves(sample_decisions(5000));
  EXPECT_THROW(leaves.update(sample_decisions(4999), {}), Error);
  EXPECT_THROW(leaves.update(sample_decisions(5000), std::vector<std::uint32_t>{5000}), Error);
  EXPECT_THROW(leaves.update(sample_decisions(5000), std::vector<std::uint32_t>{5, 4}), Error);
  EXPECT_THROW(leaves.update(one_question(5000), std::vector<std::uint32_t>{5}), Error);
}

}  // namespace
}  // namespace hiple::law
