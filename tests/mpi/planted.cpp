/// Trains one engine with an MPI_Allreduce planted into its training loop, and writes the ledger: the proof that the ledger would
/// see what it says is not there; with --peaceful, without it. Also calls some functions whose bytes are known.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <exception>
#include <string_view>

#include "mpi/ledger/ledger_file.hpp"
#include "mpi/ledger/records.hpp"
#include "mpi/session.hpp"
#include "run/prepare.hpp"
#include "run/train_engine.hpp"

namespace {

using namespace hiple;

void planted_call() {
  std::array<float, 5> gradient{};
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, gradient.data(), 5, MPI_FLOAT, MPI_SUM, MPI_COMM_SELF), "MPI_Allreduce");
}

/// On one process: what it sends it also receives.
void known_calls() {
  mpi::Ledger::of_this_process().enter(Phase::notify);
  std::array<double, 3> in{}, out{};
  std::array<int, 1> counts = {3}, places = {0};
  mpi::check(MPI_Sendrecv(in.data(), 3, MPI_DOUBLE, 0, 7, out.data(), 3, MPI_DOUBLE, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE),
             "MPI_Sendrecv");
  mpi::check(
      MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out.data(), counts.data(), places.data(), MPI_DOUBLE, MPI_COMM_SELF),
      "MPI_Allgatherv");
  mpi::check(MPI_Bcast(out.data(), 2, MPI_DOUBLE, 0, MPI_COMM_SELF), "MPI_Bcast");
}

}  // namespace

int main(int argc, char** argv) {
  const bool peaceful = argc == 4 && std::string_view(argv[3]) == "--peaceful";
  if (argc != 3 && !peaceful) return 2;
  try {
    mpi::Session session;
    const PreparedRun run = prepare(std::filesystem::path(argv[1]));
    TrainSettings settings;
    if (!peaceful) settings.on_step = [](std::uint64_t) { planted_call(); };
    mpi::watch(settings);
    const RunDirectory directory(run.config);
    const auto& engine = run.config.engines.at(0);
    std::filesystem::remove(directory.checkpoint(engine.name));
    std::filesystem::remove(directory.judgments(engine.name));
    const auto outcome = train_engine(run, directory, engine, settings);
    if (outcome.state != EngineOutcome::State::trained) throw Error(outcome.reason);
    known_calls();
    const std::vector<mpi::RankLedger> ledgers = {mpi::take_ledger(session.rank())};
    mpi::write_ledger(argv[2], ledgers);
    mpi::write_certificate(directory.certificate(), mpi::certify(ledgers, 1));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
