#include <gtest/gtest.h>

#include <algorithm>

#include "evidence_sample.hpp"

namespace hiple::evidence {
namespace {

using Records = std::vector<std::size_t>;

Standings standings_of(const Store& store, double least_reliability = 0, const char* as_of = "2026-06-30") {
  return {store, sample_terms(), {*parse_date(as_of), least_reliability}, "evidence.h5"};
}

const Standing& only(const Standings& standings, const char* about) {
  EXPECT_EQ(standings.of(about).size(), 1U);
  return standings.of(about)[0];
}

TEST(Standings, WhatSourcesAgreeOnIsKnown) {
  const Store store = store_of({says(7, "TSH", "7.2", "north", "2026-01-01", "mU/L"),
                                says(7, "TSH", "7200", "south", "2026-03-01", "uU/L"), says(3, "state", "hypo", "lee")});
  const Standings standings = standings_of(store);
  EXPECT_DOUBLE_EQ(only(standings, "TSH").value, 7.2);
  EXPECT_FALSE(only(standings, "TSH").contradictory);
  EXPECT_EQ(only(standings, "TSH").records, (Records{0, 1}));
  EXPECT_EQ(only(standings, "state").case_id, 3U);
  EXPECT_EQ(only(standings, "state").value, 1);
  EXPECT_TRUE(standings.of("count").empty());
}

TEST(Standings, SourcesThatDifferKnowNothing) {
  const Store store = store_of({says(7, "state", "hypo", "lee"), says(7, "state", "none", "may", "2026-05-01")});
  const Standings standings = standings_of(store);
  EXPECT_TRUE(only(standings, "state").contradictory);
  EXPECT_EQ(only(standings, "state").records, (Records{0, 1}));
  EXPECT_EQ(standings.contradictions(), 1U);
}

TEST(Standings, OfOneSourceTheLatestDayCounts) {
  const Store store =
      store_of({says(7, "TSH", "9", "north", "2026-03-01", "mU/L"), says(7, "TSH", "7", "north", "2026-01-01", "mU/L")});
  EXPECT_EQ(only(standings_of(store), "TSH").value, 9);
  EXPECT_EQ(only(standings_of(store), "TSH").records, (Records{0}));
}

TEST(Standings, ASourceThatSaysTwoThingsOfOneDayContradictsItself) {
  const Store store = store_of({says(7, "count", "1", "north"), says(7, "count", "2", "north")});
  EXPECT_TRUE(only(standings_of(store), "count").contradictory);
}

TEST(Standings, ASourceTakesBackWhatItSaid) {
  const Store store = store_of({says(7, "state", "hypo", "lee", "2026-05-01"), says(7, "state", "none", "may"),
                                says(7, "state", "", "lee", "2026-02-01")});
  EXPECT_FALSE(only(standings_of(store), "state").contradictory);
  EXPECT_EQ(only(standings_of(store), "state").records, (Records{1}));
  Store longer = store;
  append(longer, {"", "more.csv", "", 0, 0, {}}, {says(7, "state", "hyper", "lee", "2026-01-05")}, {});
  EXPECT_EQ(only(standings_of(longer), "state").records, (Records{1, 3}));
  EXPECT_TRUE(standings_of(store_of({says(1, "count", "3", "x"), says(1, "count", "", "x")})).of("count").empty());
}

TEST(Standings, WhatIsLaterOrLessReliableIsNotSeen) {
  const Store store = store_of({says(7, "state", "hypo", "lee", "2026-05-01", "", 0.5), says(7, "state", "none", "may")});
  EXPECT_TRUE(only(standings_of(store), "state").contradictory);
  EXPECT_EQ(only(standings_of(store, 0.6), "state").records, (Records{1}));
  EXPECT_EQ(only(standings_of(store, 0.5), "state").records, (Records{0, 1}));
  EXPECT_EQ(only(standings_of(store, 0, "2026-04-30"), "state").records, (Records{1}));
  EXPECT_EQ(only(standings_of(store, 0, "2026-05-01"), "state").records, (Records{0, 1}));
}

TEST(Standings, WhatNobodyKnowsAnyMoreIsCounted) {
  const Store store =
      store_of({says(7, "gone", "1", "lee"), says(7, "state", "old_finding", "lee"), says(8, "state", "hypo", "lee")});
  const Standings standings = standings_of(store);
  EXPECT_EQ(standings.unknown(), (Records{0}));
  ASSERT_EQ(standings.problems().list().size(), 1U);
  EXPECT_EQ(standings.problems().list()[0].what,
            "record 2, from some.csv:2, cannot be read any more: state cannot be \"old_finding\"");
  EXPECT_EQ(standings.of("state").size(), 1U);
}

/// Whatever the order in which the sources came, the same stands.
TEST(Standings, DoNotDependOnTheOrderOfSources) {
  std::vector<CaseRecord> records = {
      says(1, "TSH", "7.1", "a", "2026-01-01", "mU/L"), says(1, "TSH", "7100", "b", "2026-01-02", "uU/L"),
      says(2, "TSH", "5", "a", "2026-01-01", "mU/L"),   says(2, "TSH", "6", "c", "2026-01-01", "mU/L"),
      says(2, "TSH", "5", "b", "2026-01-03", "mU/L"),   says(3, "TSH", "5", "b", "2026-01-03", "mU/L")};
  const auto seen = [](const Standings& standings) {
    std::vector<std::tuple<std::uint64_t, bool, double>> list;
    for (const Standing& s : standings.of("TSH")) list.emplace_back(s.case_id, s.contradictory, s.value);
    return list;
  };
  const auto wanted = seen(standings_of(store_of(records)));
  ASSERT_EQ(wanted.size(), 3U);
  const auto before = [](const CaseRecord& a, const CaseRecord& b) {
    return std::tie(a.value, a.source, a.case_id) < std::tie(b.value, b.source, b.case_id);
  };
  std::sort(records.begin(), records.end(), before);
  do EXPECT_EQ(seen(standings_of(store_of(records))), wanted);
  while (std::next_permutation(records.begin(), records.end(), before));
}

TEST(ColumnOf, IsMissingWithoutEvidenceAndInvalidWhereSourcesDiffer) {
  const Store store = store_of({says(2, "state", "hypo", "a"), says(5, "state", "none", "a"), says(5, "state", "hypo", "b"),
                                says(9, "state", "none", "a"), says(1, "state", "none", "a")});
  const Standings standings = standings_of(store);
  const Terms terms = sample_terms();
  const std::vector<std::uint64_t> ids = {2, 3, 5, 9, 11};
  const Column column = column_of(*terms.find("state"), standings.of("state"), ids);
  EXPECT_EQ(column.cells, (std::vector<Cell>{Cell::known, Cell::missing, Cell::invalid, Cell::known, Cell::missing}));
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(column.values), (std::vector<std::int32_t>{1, 0, 0, 2, 0}));
  EXPECT_EQ(column_of(*terms.find("TSH"), {}, ids).cells, std::vector<Cell>(5, Cell::missing));
}

TEST(RuleStandings, OfEachSourceTheLatestDay) {
  const auto found = [](const char* rule, std::uint64_t cases, std::uint64_t held, const char* source, const char* date) {
    return RuleRecord{rule, cases, held, source, *parse_date(date), 1, 2};
  };
  const Store store = store_of({}, {found("F-1", 100, 90, "a", "2026-01-01"), found("F-1", 120, 95, "a", "2026-02-01"),
                                    found("F-1", 50, 20, "b", "2026-01-01"), found("F-2", 10, 1, "a", "2026-01-01"),
                                    found("F-2", 10, 2, "a", "2026-01-01"), found("F-1", 9, 9, "a", "2026-12-01")});
  const auto standings = rule_standings(store, {*parse_date("2026-06-30"), 0});
  ASSERT_EQ(standings.size(), 3U);
  EXPECT_EQ(standings[0].cases, 120U);
  EXPECT_EQ(standings[0].held, 95U);
  EXPECT_EQ(standings[1].source, "b");
  EXPECT_TRUE(standings[2].contradictory);
  EXPECT_EQ(standings[2].cases, 0U);
}

}  // namespace
}  // namespace hiple::evidence
