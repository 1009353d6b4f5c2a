/// Trains one engine with an MPI_Allreduce planted into its training loop, and writes the ledger: the proof that the ledger would
/// see what it says is not there; with --peaceful, without it; with --nccl LIBRARY, with an ncclAllReduce of that library in its
/// place; with --silent-nccl LIBRARY the library is only mapped. Also calls some functions whose bytes are known.
#include <dlfcn.h>
#include <mpi.h>

#include <array>
#include <cstdio>
#include <exception>
#include <string_view>

#include "mpi/ledger/ledger_file.hpp"
#include "mpi/ledger/nccl.hpp"
#include "mpi/ledger/records.hpp"
#include "mpi/session.hpp"
#include "run/prepare.hpp"
#include "run/train_engine.hpp"

extern "C" {
int ncclCommInitRank(void** made, int nranks, hiple::mpi::nccl::UniqueId id, int rank);
int ncclAllReduce(const void* sendbuff, void* recvbuff, std::size_t count, int datatype, int op, void* comm, void* stream);
}

namespace {

using namespace hiple;

void open_library(const char* path) {
  if (::dlopen(path, RTLD_NOW) == nullptr) throw Error(::dlerror());
}

/// A communicator of this process alone.
void* communicator_of_nccl() {
  void* made = nullptr;
  if (ncclCommInitRank(&made, 1, {}, 0) != 0) throw Error("ncclCommInitRank failed");
  return made;
}

void planted_call_of_nccl(void* communicator) {
  constexpr int type_of_float = 7, sum = 0;
  std::array<float, 5> gradient{};
  if (ncclAllReduce(gradient.data(), gradient.data(), 5, type_of_float, sum, communicator, nullptr) != 0)
    throw Error("ncclAllReduce failed");
}

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
  const std::string_view what = argc > 3 ? argv[3] : "";
  const bool takes_library = what == "--nccl" || what == "--silent-nccl";
  if (argc != (what.empty() ? 3 : takes_library ? 5 : 4)) return 2;
  try {
    mpi::Session session;
    const PreparedRun run = prepare(std::filesystem::path(argv[1]));
    TrainSettings settings;
    if (takes_library) open_library(argv[4]);
    if (what.empty()) settings.on_step = [](std::uint64_t) { planted_call(); };
    if (what == "--nccl")
      settings.on_step = [communicator = communicator_of_nccl()](std::uint64_t) { planted_call_of_nccl(communicator); };
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
