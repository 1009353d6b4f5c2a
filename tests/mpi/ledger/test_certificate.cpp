#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "mpi/ledger/certificate.hpp"

namespace hiple::mpi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A rank that trained in peace, with MPI around it.
RankLedger peaceful(int rank) {
  RankLedger ledger;
  ledger.rank = rank;
  ledger.host = "h";
  ledger.mpi = "Some MPI 1.0";
  ledger.steps = 10;
  ledger.rows = {{Phase::init, "", 0, "MPI_Init", 1, 0, 0, 0.5, 0.5}, {Phase::notify, "world", 3, "MPI_Isend", 1, 4, 0, 1e-6, 0}};
  ledger.phases = {{Phase::init, 0.6}, {Phase::train, 2.0}, {Phase::notify, 0.1}};
  ledger.libraries = {{"MPI", "/usr/lib/libmpi.so.40"}};
  return ledger;
}

TEST(Certificate, IsGreenWhereEveryRankWasWatchedAndNothingWasCalled) {
  const Certificate certificate = certify({peaceful(1), peaceful(0), peaceful(2)}, 3);
  EXPECT_EQ(certificate.verdict, Verdict::synchronisation_free) << certificate.reason;
  EXPECT_EQ(certificate.steps, 30U);
  EXPECT_EQ(certificate.training.calls, 0U);
  EXPECT_DOUBLE_EQ(certificate.training.seconds, 6.0);
  EXPECT_EQ(certificate.shares.at(1).rank, 1);
  EXPECT_EQ(certificate.shares.at(1).outside.calls, 2U);
  EXPECT_EQ(certificate.libraries.size(), 1U);
}

TEST(Certificate, NamesTheFunctionTheCallsAndTheRankOfASynchronisation) {
  RankLedger planted = peaceful(1);
  planted.rows.push_back({Phase::judge, "self", 1, "MPI_Barrier", 1, 0, 0, 0.1, 0.1});
  planted.rows.push_back({Phase::train, "gradients", 2, "MPI_Allreduce", 10, 400, 400, 0.25, 0.25});
  const Certificate certificate = certify({peaceful(0), planted}, 2);
  EXPECT_EQ(certificate.verdict, Verdict::synchronised);
  ASSERT_EQ(certificate.found.size(), 2U);
  EXPECT_EQ(certificate.found[0].function, "MPI_Allreduce");
  EXPECT_EQ(certificate.found[0].rank, 1);
  EXPECT_EQ(certificate.found[0].calls, 10U);
  EXPECT_EQ(certificate.found[0].bytes, 800U);
  EXPECT_EQ(certificate.training.calls, 11U);
  EXPECT_THAT(certificate.reason, HasSubstr("MPI_Allreduce on \"gradients\" by rank 1: 10 calls"));
}

TEST(Certificate, NamesNccl) {
  RankLedger planted = peaceful(0);
  planted.libraries.push_back({"NCCL", "/opt/libnccl.so.2"});
  planted.rows.push_back({Phase::train, "nccl 1", 2, "ncclAllReduce", 10, 40, 40, 0.1, 0});
  const Certificate certificate = certify({planted}, 1);
  EXPECT_EQ(certificate.verdict, Verdict::synchronised);
  EXPECT_THAT(certificate.reason, HasSubstr("10 NCCL calls and 80 bytes while training; most often ncclAllReduce on \"nccl 1\""));
  planted.rows.push_back({Phase::train, "world", 2, "MPI_Barrier", 1, 0, 0, 0.1, 0});
  EXPECT_THAT(certify({planted}, 1).reason, HasSubstr("11 MPI and NCCL calls"));
}

TEST(Certificate, IsNeverGreenWithoutTheLedgerOfEveryRank) {
  const Certificate certificate = certify({peaceful(0), peaceful(2)}, 4);
  EXPECT_EQ(certificate.verdict, Verdict::incomplete);
  EXPECT_THAT(certificate.missing, ElementsAre(1, 3));
  EXPECT_EQ(certificate.reason, "no ledger of ranks 1, 3");
  EXPECT_EQ(certify({}, 1).verdict, Verdict::incomplete);
}

TEST(Certificate, WhatWasFoundOutweighsWhatIsMissing) {
  RankLedger planted = peaceful(0);
  planted.rows.push_back({Phase::train, "world", 2, "MPI_Allreduce", 1, 4, 4, 0, 0});
  const Certificate certificate = certify({planted}, 2);
  EXPECT_EQ(certificate.verdict, Verdict::synchronised);
  EXPECT_THAT(certificate.reason, HasSubstr("no ledger of rank 1"));
}

TEST(Certificate, IsIncompleteWhereTheLedgerCouldNotSee) {
  RankLedger blind = peaceful(0);
  blind.rows.clear();
  EXPECT_THAT(certify({blind}, 1).reason, HasSubstr("did not see MPI_Init"));
  EXPECT_EQ(certify({blind}, 1).verdict, Verdict::incomplete);
  for (const char* kind : {"NCCL", "SHMEM", "MPI for Fortran"}) {
    RankLedger beside = peaceful(0);
    beside.libraries.push_back({kind, "/opt/libother.so"});
    EXPECT_EQ(certify({beside}, 1).verdict, Verdict::incomplete) << kind;
    EXPECT_THAT(certify({beside}, 1).reason, HasSubstr(kind));
  }
  RankLedger heard = peaceful(0);
  heard.libraries.push_back({"NCCL", "/opt/libnccl.so.2"});
  heard.rows.push_back({Phase::init, "", 0, "ncclCommInitRank", 1, 0, 0, 0.5, 0.5});
  EXPECT_EQ(certify({heard}, 1).verdict, Verdict::synchronisation_free) << "its calls would be there";
  RankLedger device = peaceful(0);
  device.libraries.push_back({"CUDA", "/opt/libcudart.so"});
  EXPECT_EQ(certify({device}, 1).verdict, Verdict::synchronisation_free);
}

TEST(Certificate, IsIncompleteWhereNobodyTrained) {
  RankLedger idle = peaceful(0);
  idle.steps = 0;
  EXPECT_EQ(certify({idle}, 1).verdict, Verdict::incomplete);
  EXPECT_EQ(certify({idle}, 1).reason, "no training step was taken");
  EXPECT_EQ(certify({idle, peaceful(1)}, 2).verdict, Verdict::synchronisation_free);
}

TEST(Certificate, AProcessWithoutMpiNeedsNoInit) {
  RankLedger alone = peaceful(0);
  alone.rows.clear();
  alone.libraries.clear();
  alone.mpi.clear();
  EXPECT_EQ(certify({alone}, 1).verdict, Verdict::synchronisation_free);
  EXPECT_EQ(certify({alone}, 1).reason,
            "10 training steps on 1 rank; no MPI call, no byte and no wait from the first to the last of each");
}

TEST(Certificate, IsValidJsonWithItsBuild) {
  RankLedger planted = peaceful(1);
  planted.rows.push_back({Phase::train, "w\xff\"", 2, "MPI_Allreduce", 3, 12, 12, 0, 0});
  const auto json = nlohmann::json::parse(certificate_json(certify({peaceful(0), planted}, 3)));
  EXPECT_EQ(json.at("format"), "hiple certificate");
  EXPECT_EQ(json.at("verdict"), "synchronised");
  EXPECT_EQ(json.at("missing"), nlohmann::json({2}));
  EXPECT_EQ(json.at("found").at(0).at("function"), "MPI_Allreduce");
  EXPECT_EQ(json.at("training").at("bytes"), 24);
  EXPECT_EQ(json.at("build").at("mpi"), nlohmann::json({"Some MPI 1.0"}));
  EXPECT_FALSE(json.at("build").at("revision").get<std::string>().empty());
  EXPECT_EQ(json.at("libraries").at(0).at("kind"), "MPI");
}

EngineShare walled_in(const std::string& engine) { return {engine, "process", 2, 30, {}, "refused (Permission denied)"}; }

TEST(Certificate, HoldsTheEnginesProcessesBesideTheRanks) {
  const Certificate certificate = certify({peaceful(0), peaceful(1)}, 2, {{walled_in("a"), walled_in("b")}, {"c"}});
  EXPECT_EQ(certificate.verdict, Verdict::synchronisation_free);
  EXPECT_EQ(certificate.steps, 20U) << "those that the ranks saw in this start";
  EXPECT_THAT(certificate.reason, HasSubstr("2 engines in processes of their own, without MPI and without a socket"));
  const auto json = nlohmann::json::parse(certificate_json(certificate));
  EXPECT_EQ(json.at("per_rank").size(), 2U);
  EXPECT_EQ(json.at("engines").at(1), nlohmann::json({{"engine", "b"},
                                                      {"isolation", "process"},
                                                      {"attempt", 2},
                                                      {"steps", 30},
                                                      {"mapped", nlohmann::json::array()},
                                                      {"internet", "refused (Permission denied)"}}));
  EXPECT_EQ(json.at("engines_missing"), nlohmann::json({"c"}));
}

TEST(Certificate, IsIncompleteWhereAProcessOfAnEngineWasNotWalledIn) {
  EngineShare open = walled_in("a"), linked = walled_in("b"), rank = walled_in("c");
  open.internet = "opened";
  linked.mapped = {"libmpi.so.40"};
  rank.isolation = "rank";  // its calls are in the ledger
  rank.mapped = linked.mapped;
  rank.internet = open.internet;
  EXPECT_EQ(certify({peaceful(0)}, 1, {{open}, {}}).verdict, Verdict::incomplete);
  EXPECT_EQ(certify({peaceful(0)}, 1, {{linked}, {}}).verdict, Verdict::incomplete);
  EXPECT_EQ(certify({peaceful(0)}, 1, {{rank}, {}}).verdict, Verdict::synchronisation_free);
}

TEST(Certificate, OfEnginesThatWereTrainedOneByOne) {
  const Certificate green = certify(EngineShares{{walled_in("a"), walled_in("b")}, {}});
  EXPECT_EQ(green.verdict, Verdict::synchronisation_free);
  EXPECT_EQ(green.ranks, 0);
  EXPECT_EQ(green.steps, 60U);
  EXPECT_THAT(green.reason, HasSubstr("60 training steps of 2 engines, each in a process that had no MPI"));
  EXPECT_FALSE(nlohmann::json::parse(certificate_json(green)).contains("apart"));
  EXPECT_THAT(certificate_line(green).reasons, testing::SizeIs(1));

  EXPECT_EQ(certify(EngineShares{{walled_in("a")}, {"b", "c"}}).reason, "no record of the process that trained b, c");
  EngineShare open = walled_in("b"), linked = walled_in("b");
  open.internet = "opened";
  linked.mapped = {"libmpi.so.40"};
  for (const EngineShare& share : {open, linked}) {
    const Certificate certificate = certify(EngineShares{{walled_in("a"), share}, {}});
    EXPECT_EQ(certificate.verdict, Verdict::incomplete);
    EXPECT_THAT(certificate.reason, HasSubstr("the process that trained engine b"));
  }
  EXPECT_EQ(certify(EngineShares{}).verdict, Verdict::incomplete);
}

TEST(Certificate, AsTheSummaryShowsIt) {
  const report::CertificateLine line = certificate_line(certify({peaceful(0), peaceful(1)}, 2));
  EXPECT_EQ(line.verdict, "synchronisation-free");
  EXPECT_THAT(line.reasons,
              ElementsAre("20 training steps on 2 ranks; no MPI call, no byte and no wait from the first to the last of each",
                          "MPI_Init and MPI_Finalize do synchronise all ranks, outside of training; MPI_Init took 0.500 s"));
}

}  // namespace
}  // namespace hiple::mpi
