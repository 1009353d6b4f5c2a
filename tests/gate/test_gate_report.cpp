#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "gate/gate_report.hpp"
#include "temporary_folder.hpp"

namespace hiple::gate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

GateReport example() {
  GateReport report;
  report.provenance = {"r", "study", "2026-11-30T10:00:00Z", "2026-11-30T11:00:00Z", "l", "g", "p", "root", "", ""};
  report.figures.rows = 10;
  report.figures.silent = {0, 299};
  report.figures.recall = {3, 4};
  report.figures.basis = Basis::stated;
  report.judged = judge(report.figures, {});
  report.risk = risk_curve({});
  return report;
}

class GateReportTest : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    write_file(folder_.path() / "gates.json", text);
    return folder_.path() / "gates.json";
  }
  TemporaryFolder folder_;
};

TEST_F(GateReportTest, ComesBackWithWhatIsOpen) {
  const StoredReport stored = read_report(write(to_json(example())));
  EXPECT_EQ(stored.provenance.run, "r");
  EXPECT_EQ(stored.provenance.partition, "p");
  EXPECT_EQ(stored.provenance.written, "2026-11-30T11:00:00Z");
  EXPECT_FALSE(stored.trusted);
  EXPECT_THAT(stored.open, ElementsAre("cbr: NOT_EVALUABLE", "boundaries: NOT_EVALUABLE", "cmr_strict: NOT_EVALUABLE",
                                       "over_triage: NOT_EVALUABLE"));
  EXPECT_EQ(stored.sha256.size(), 64U);
}

TEST_F(GateReportTest, IsTheSameForTheSameFigures) {
  EXPECT_EQ(to_json(example()), to_json(example()));
  GateReport other = example();
  other.figures.silent.count = 1;
  EXPECT_NE(read_report(write(to_json(example()))).sha256, read_report(write(to_json(other))).sha256);
}

TEST_F(GateReportTest, WhatIsNoNumberIsNullAndNotZero) {
  const auto json = nlohmann::json::parse(to_json(example()));
  EXPECT_TRUE(json.at("figures").at("exact").at("share").is_null());
  EXPECT_TRUE(json.at("risk").at("aurc").is_null());
  EXPECT_EQ(json.at("figures").at("silent").at("share"), 0.0);
}

TEST_F(GateReportTest, ChangedTextsAreRefused) {
  std::string text = to_json(example());
  const std::size_t at = text.find("NOT_EVALUABLE");
  EXPECT_THROW(read_report(write(text.replace(at, 13, "PASS"))), InputError);
  EXPECT_THROW(read_report(write("{}")), InputError);
  EXPECT_THROW(read_report(write("garbage")), InputError);
  EXPECT_THROW(read_report(folder_.path() / "none.json"), InputError);
  // Layout does not matter.
  EXPECT_EQ(read_report(write(nlohmann::json::parse(to_json(example())).dump())).provenance.law, "l");
}

TEST_F(GateReportTest, LawOrGatesThatMovedTrustNothing) {
  GateReport report = example();
  report.judged.gates.resize(1);
  report.judged.gates[0].verdict = Verdict::pass;
  EXPECT_TRUE(report.trusted());
  EXPECT_TRUE(read_report(write(to_json(report))).open.empty());
  report.settled = false;
  EXPECT_FALSE(report.trusted());
  EXPECT_THAT(read_report(write(to_json(report))).open, ElementsAre(HasSubstr("changed after the run had begun")));
}

}  // namespace
}  // namespace hiple::gate
