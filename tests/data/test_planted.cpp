#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "base/hash.hpp"
#include "data/planted_study.hpp"
#include "table/table.hpp"
#include "temporary_folder.hpp"

namespace hiple::data {
namespace {

using State = PlantedState;

PlantedOptions options_of(std::uint64_t domains, std::uint64_t correlated = 1) {
  PlantedOptions options;
  options.domains = domains;
  options.correlated = correlated;
  return options;
}

std::vector<PlantedCase> draw(const PlantedWorld& world, std::uint64_t rows) {
  std::vector<PlantedCase> cases;
  for (std::uint64_t row = 0; row < rows; ++row) cases.push_back(world.draw(row));
  return cases;
}

template <class Holds>
double share(const std::vector<PlantedCase>& cases, Holds holds) {
  return static_cast<double>(std::ranges::count_if(cases, holds)) / static_cast<double>(cases.size());
}

class PlantedTest : public testing::Test {
 protected:
  Table table(const PlantedWorld& world, std::uint64_t rows, TableFormat format = TableFormat::h5) {
    const auto path = folder_.path() / ("table" + std::to_string(++files_));
    write_planted_table(path, world, rows, format);
    return read_table(path, planted_schema(world));
  }
  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
    return folder_.path() / name;
  }

  TemporaryFolder folder_;
  int files_ = 0;
};

TEST_F(PlantedTest, TheSchemaThatIsWrittenIsTheTables) {
  const PlantedWorld world(options_of(9, 3));
  const Schema written = load_schema(write("schema.yaml", planted_schema_yaml(world))), ours = planted_schema(world);
  ASSERT_EQ(written.columns.size(), ours.columns.size());
  for (std::size_t i = 0; i < ours.columns.size(); ++i) {
    const ColumnSchema &a = ours.columns[i], &b = written.columns[i];
    EXPECT_EQ(std::tie(a.name, a.type, a.role, a.low, a.high, a.values),
              std::tie(b.name, b.type, b.role, b.low, b.high, b.values));
  }
}

TEST_F(PlantedTest, ARowDependsOnNothingButItsNumber) {
  const PlantedWorld world(options_of(5));
  const Table some = table(world, 300), more = table(world, 9000);  // more than two portions
  ASSERT_EQ(more.rows(), 9000U);
  for (std::size_t i = 1; i < some.columns.size(); ++i)
    for (std::size_t row = 0; row < some.rows(); ++row) {
      EXPECT_EQ(some.columns[i].cells[row], more.columns[i].cells[row]);
      EXPECT_EQ(some.columns[i].number(row), more.columns[i].number(row)) << some.schema.columns[i].name << ", row " << row;
    }
  PlantedOptions other = world.options();
  other.seed += 1;
  EXPECT_NE(table(PlantedWorld(other), 300).column("d000_a").values, some.column("d000_a").values);
}

TEST_F(PlantedTest, BothFormatsHoldTheSameTable) {
  const PlantedWorld world(options_of(4, 4));
  const Table h5 = table(world, 5000), csv = table(world, 5000, TableFormat::csv);
  EXPECT_EQ(csv.case_id, h5.case_id);
  EXPECT_TRUE(csv.text_of_invalid.empty() && h5.text_of_invalid.empty());
  for (std::size_t i = 0; i < csv.columns.size(); ++i) {
    EXPECT_EQ(csv.columns[i].values, h5.columns[i].values) << csv.schema.columns[i].name;
    EXPECT_EQ(csv.columns[i].cells, h5.columns[i].cells) << csv.schema.columns[i].name;
  }
}

TEST_F(PlantedTest, SharesAreAsAsked) {
  PlantedOptions options = options_of(8, 4);
  options.cross = 0.3;
  options.critical = 0.2;
  options.missing = 0.05;
  options.out_of_distribution = 0.1;
  const PlantedWorld world(options);
  const auto cases = draw(world, 40000);
  const auto at_home = [](State state) { return [state](const PlantedCase& drawn) { return drawn.touched[0].truth == state; }; };
  EXPECT_NEAR(share(cases, [](const auto& drawn) { return drawn.is_test; }), 0.5, 0.01);
  std::vector<PlantedCase> training, test;
  std::ranges::partition_copy(cases, std::back_inserter(test), std::back_inserter(training), &PlantedCase::is_test);
  EXPECT_NEAR(share(training, at_home(State::critical)), 0.2, 0.01);
  EXPECT_NEAR(share(training, at_home(State::near)), 0.15, 0.01);
  EXPECT_NEAR(share(training, at_home(State::far)), 0.15, 0.01);
  EXPECT_NEAR(share(training, at_home(State::local)), 0.15, 0.01);
  EXPECT_NEAR(share(training, [](const auto& drawn) { return drawn.count > 1; }), 0.3, 0.01);
  EXPECT_EQ(share(training, [](const auto& drawn) { return drawn.kind != PlantedKind::ordinary; }), 0);
  EXPECT_NEAR(share(test, at_home(State::unseen)), 0.1, 0.01);
  const auto with_witness = [&](const auto& drawn) { return world.has_witness(drawn.home()); };
  std::erase_if(test, [&](const auto& drawn) { return !with_witness(drawn); });
  EXPECT_NEAR(share(test, [](const auto& drawn) { return drawn.kind == PlantedKind::conflict; }), 0.2, 0.02);
  double missing = 0;
  for (std::uint64_t row = 0; row < 20000; ++row) {
    const PlantedReadings readings = world.read(row, cases[row], 0);
    missing += readings.alarm_is_missing + readings.sensors[0].is_missing + readings.sensors[1].is_missing;
  }
  EXPECT_NEAR(missing / 60000, 0.05, 0.005);
}

TEST_F(PlantedTest, WhatSpreadsEndsSomewhereElse) {
  const PlantedWorld world(options_of(4));
  std::set<std::uint32_t> lengths;
  for (const PlantedCase& drawn : draw(world, 20000)) {
    std::set<std::uint32_t> domains;
    lengths.insert(drawn.count);
    for (std::uint32_t i = 0; i < drawn.count; ++i) {
      const PlantedCase::Touched& here = drawn.touched.at(i);
      domains.insert(here.domain);
      const bool goes_on = here.truth == State::near || here.truth == State::far;
      if (drawn.kind != PlantedKind::conflict) {
        EXPECT_EQ(goes_on, i + 1 < drawn.count);
      }
      if (i + 1 < drawn.count) {
        EXPECT_EQ(drawn.touched.at(i + 1).domain,
                  here.truth == State::near ? world.near_of(here.domain) : world.far_of(here.domain));
      }
      if (i > 0) {
        EXPECT_NE(here.truth, State::none);
      }
    }
    EXPECT_EQ(domains.size(), drawn.count) << "no domain twice";
  }
  EXPECT_THAT(lengths, testing::ElementsAre(1U, 2U, 3U));
}

TEST_F(PlantedTest, SensorsShowTheFindingAndTheAlarmNeverMissesACriticalOne) {
  PlantedOptions options = options_of(6, 6);
  options.missing = 0;
  const PlantedWorld world(options);
  std::map<State, std::array<double, 2>> sums;
  double sound_alarms = 0, sound = 0;
  for (std::uint64_t row = 0; row < 30000; ++row) {
    const PlantedCase drawn = world.draw(row);
    for (const PlantedCase::Touched& here : drawn.domains()) {
      const PlantedReadings readings = world.read(row, drawn, here.domain);
      if (here.truth == State::critical) {
        EXPECT_TRUE(readings.alarm);
      }
      const double length = std::hypot(readings.sensors[0].value, readings.sensors[1].value);
      if (here.sensors == State::unseen) {
        EXPECT_GT(length, 8);
      }
      if (here.domain != 2) continue;
      for (std::size_t k = 0; k < 2; ++k) sums[here.sensors].at(k) += readings.sensors.at(k).value;
    }
    sound_alarms += world.read(row, drawn, (drawn.home() + 2) % 6).alarm;
    ++sound;
  }
  EXPECT_LT(sound_alarms / sound, 0.1);
  const auto dot = [&](State a, State b) {
    return (sums[a][0] * sums[b][0] + sums[a][1] * sums[b][1]) / std::hypot(sums[a][0], sums[a][1]) /
           std::hypot(sums[b][0], sums[b][1]);
  };
  EXPECT_NEAR(dot(State::near, State::far), -1, 0.05);
  EXPECT_NEAR(dot(State::local, State::critical), -1, 0.05);
  EXPECT_NEAR(dot(State::local, State::near), 0, 0.1);
}

TEST_F(PlantedTest, InAConflictOneOfTwoPairsOfSensorsIsWrong) {
  const PlantedWorld world(options_of(8, 8));
  double sensors_wrong = 0, all = 0;
  for (const PlantedCase& drawn : draw(world, 40000)) {
    const PlantedCase::Touched& home = drawn.touched[0];
    if (drawn.kind != PlantedKind::conflict) {
      EXPECT_TRUE(home.sensors == home.truth && home.witness == home.truth);
      continue;
    }
    EXPECT_TRUE(drawn.is_test);
    EXPECT_EQ(drawn.count, 1U);
    EXPECT_NE(home.sensors, home.witness);
    EXPECT_TRUE(home.sensors == home.truth || home.witness == home.truth);
    sensors_wrong += home.sensors != home.truth;
    ++all;
  }
  ASSERT_GT(all, 1000);
  EXPECT_NEAR(sensors_wrong / all, 0.5, 0.05) << "nothing tells which";
}

TEST_F(PlantedTest, TheNumberOfWitnessesIsExact) {
  for (const std::uint64_t domains : {4ULL, 7ULL, 100ULL, 256ULL})
    for (const std::uint64_t correlated : {std::uint64_t{0}, std::uint64_t{1}, domains / 3, domains}) {
      const PlantedWorld world(options_of(domains, correlated));
      std::uint64_t found = 0;
      for (std::uint32_t domain = 0; domain < world.domains(); ++domain) found += world.has_witness(domain);
      EXPECT_EQ(found, correlated);
    }
}

TEST_F(PlantedTest, RefusesWorldsThatCannotBe) {
  const auto refused = [](auto change) {
    PlantedOptions options = options_of(16);
    change(options);
    EXPECT_THROW(PlantedWorld{options}, InputError);
  };
  for (const std::uint64_t domains : {0ULL, 3ULL, 257ULL, 1000000000ULL}) refused([&](auto& o) { o.domains = domains; });
  refused([](auto& o) { o.correlated = 17; });
  refused([](auto& o) { o.missing = 1; });
  refused([](auto& o) { o.cross = -0.1; });
  refused([](auto& o) { o.cross = std::nan(""); });
  refused([](auto& o) { o.critical = 0.6; });
  refused([](auto& o) { o.conflict = 0.99; });
  refused([](auto& o) { o.seed = ~std::uint64_t{0}; });
}

TEST_F(PlantedTest, TakesAFolderThatIsNewOrEmptyAlone) {
  const auto folder = folder_.path() / "new" / "study";
  EXPECT_THROW(generate_planted(folder, options_of(4), 0, TableFormat::h5), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder));
  generate_planted(folder, options_of(4), 50, TableFormat::csv);
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename().string());
  EXPECT_THAT(names, testing::ElementsAre("cases.csv", "critical.yaml", "gates.yaml", "law.yaml", "run.yaml", "schema.yaml"));
  const std::string before = sha256_file(folder / "cases.csv");
  EXPECT_THROW(generate_planted(folder, options_of(4), 60, TableFormat::csv), InputError);
  EXPECT_EQ(sha256_file(folder / "cases.csv"), before);
  EXPECT_THROW(generate_planted(folder / "run.yaml", options_of(4), 60, TableFormat::csv), InputError);
  std::filesystem::create_directory(folder_.path() / "empty");
  generate_planted(folder_.path() / "empty", options_of(4), 50, TableFormat::csv);
  EXPECT_EQ(sha256_file(folder_.path() / "empty" / "cases.csv"), before) << "same options, same bytes";
}

}  // namespace
}  // namespace hiple::data
