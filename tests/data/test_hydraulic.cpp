#include <gmock/gmock.h>

#include <map>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "data/hydraulic.hpp"
#include "data/real_data.hpp"
#include "table/table.hpp"
#include "temporary_folder.hpp"

namespace hiple::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> sensor_names = {"PS1", "PS2", "PS3", "PS4", "PS5", "PS6", "EPS1", "FS1", "FS2",
                                               "TS1", "TS2", "TS3", "TS4", "VS1", "CE",  "CP",   "SE"};

class HydraulicTest : public testing::Test {
 protected:
  /// Three cycles: sensor s has the value 100 c + second in cycle c.
  HydraulicTest() {
    for (const std::string& sensor : sensor_names) {
      std::string text;
      for (int cycle = 1; cycle <= 3; ++cycle)
        for (int second = 0; second < 60; ++second) text += std::to_string(100 * cycle + second) + (second < 59 ? "\t" : "\r\n");
      write(sensor + ".txt", text);
    }
    write("profile.txt", "100\t100\t0\t130\t0\n100\t100\t0\t130\t1\n3\t73\t2\t90\t0\n");
  }
  void write(const std::string& name, const std::string& text) { write_file(folder_.path() / name, text); }
  std::size_t convert() { return convert_hydraulic(folder_.path(), table_file(), TableFormat::h5); }
  std::string refusal() {
    try {
      convert();
    } catch (const InputError& error) {
      EXPECT_FALSE(std::filesystem::exists(table_file()));
      return error.what();
    }
    return "accepted";
  }
  [[nodiscard]] std::filesystem::path table_file() const { return folder_.path() / "cycles.h5"; }
  static Schema configured_schema() {
    return load_schema(std::filesystem::path(HIPLE_SOURCE_DIR) / "configs" / "hydraulic" / "schema.yaml");
  }

  TemporaryFolder folder_;
};

TEST_F(HydraulicTest, SecondsMeansOfFiveRunsAndStates) {
  EXPECT_EQ(convert(), 3U);
  const Table table = read_table(table_file(), configured_schema());
  EXPECT_THAT(table.case_id, ElementsAre(1, 2, 3));
  EXPECT_EQ(table.column("PS2_05").number(0), 105);
  EXPECT_EQ(table.column("SE_59").number(2), 359);
  EXPECT_EQ(table.column("PS2_mean_01").number(0), 107);
  EXPECT_EQ(table.column("SE_mean_11").number(2), 357);
  const auto numbers = [&](const char* name) {
    return std::vector<double>{table.column(name).number(0), table.column(name).number(1), table.column(name).number(2)};
  };
  EXPECT_THAT(numbers("run"), ElementsAre(1, 1, 2)) << "the fifth number of the profile is no state";
  EXPECT_THAT(numbers("fold"), ElementsAre(1, 1, 2));
  EXPECT_THAT(numbers("valve"), ElementsAre(0, 0, 3));
  EXPECT_THAT(numbers("pump"), ElementsAre(0, 0, 2));
}

TEST_F(HydraulicTest, AveragedFilesAreTakenWhereTheyAre) {
  std::filesystem::rename(folder_.path() / "PS2.txt", folder_.path() / "PS2_1hz.tsv");
  EXPECT_EQ(convert(), 3U);
}

TEST_F(HydraulicTest, WhatDoesNotFitIsNamed) {
  write("profile.txt", "100\t100\t0\t130\t0\n100\t100\t0\t130\t1\n3\t74\t2\t90\t0\n");
  EXPECT_THAT(refusal(), HasSubstr("profile.txt:3: value 2 is 74: it is no state of the valve"));
  write("profile.txt", "100\t100\t0\t130\t0\n");
  EXPECT_THAT(refusal(), HasSubstr("PS1.txt: 3 cycles"));
  write("profile.txt", "100\t100\t0\t130\n");
  EXPECT_THAT(refusal(), HasSubstr("a line of 4 values"));
  write("profile.txt", "100\t100\tno\t130\t0\n");
  EXPECT_THAT(refusal(), HasSubstr("value 3 is \"no\""));
  std::filesystem::remove(folder_.path() / "profile.txt");
  EXPECT_THAT(refusal(), HasSubstr("profile.txt: cannot be read"));
}

TEST_F(HydraulicTest, ThePublishedCycles) {
  const auto published = real_data("hydraulic");
  if (!published) GTEST_SKIP() << no_real_data;
  ASSERT_EQ(convert_hydraulic(*published, table_file(), TableFormat::h5), 2205U);
  const Table table = read_table(table_file(), configured_schema());
  std::set<double> runs;
  int cross = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    runs.insert(table.column("run").number(row));
    int degraded = 0;
    for (const char* component : {"cooler", "valve", "pump", "accumulator"})
      degraded += table.column(component).number(row) > 0 ? 1 : 0;
    cross += degraded >= 2 ? 1 : 0;
  }
  EXPECT_EQ(runs.size(), 194U);
  std::map<double, std::set<double>> folds_of_run;
  for (std::size_t row = 0; row < table.rows(); ++row)
    folds_of_run[table.column("run").number(row)].insert(table.column("fold").number(row));
  for (const auto& [run, folds] : folds_of_run) EXPECT_EQ(folds.size(), 1U) << run;
  for (const char* component : {"cooler", "valve", "pump", "accumulator"}) {
    std::map<double, std::set<double>> folds_of_state;
    for (std::size_t row = 0; row < table.rows(); ++row)
      folds_of_state[table.column(component).number(row)].insert(table.column("fold").number(row));
    for (const auto& [state, folds] : folds_of_state) EXPECT_GE(folds.size(), 2U) << component << ' ' << state;
  }
  EXPECT_EQ(cross, 1618);
}

}  // namespace
}  // namespace hiple::data
