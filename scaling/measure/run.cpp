#include "scaling/measure/run.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <optional>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "mpi/ledger/ledger_file.hpp"
#include "mpi/ledger/trace.hpp"
#include "mpi/session.hpp"
#include "run/host.hpp"
#include "scaling/measure/engine_arithmetic.hpp"
#include "scaling/measure/heap.hpp"
#include "scaling/measure/machine.hpp"
#include "scaling/measure/record.hpp"
#include "scaling/measure/step_counter.hpp"
#include "scaling/measure/weights_file.hpp"
#include "scaling/measure/wire_bytes.hpp"
#include "scaling/record/metadata.hpp"

namespace hiple::scaling {

namespace {

/// A file's content by way of a temporary folder of this host, so that ranks need not share a disk.
class Scratch {
 public:
  explicit Scratch(int rank) : path_(temporary_name(std::filesystem::temp_directory_path() / fmt::format("hiple-{}.h5", rank))) {}
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Every rank's ledger on rank 0. The file format is what a ledger is exchanged in.
std::vector<mpi::RankLedger> gather_ledgers(Communicator& world) {
  const Scratch scratch(world.rank());
  mpi::write_ledger(scratch.path(), {mpi::take_ledger(world.rank())});
  std::vector<mpi::RankLedger> ledgers;
  for (const std::string& bytes : world.gather(read_file(scratch.path()))) {
    write_file(scratch.path(), bytes);
    for (mpi::RankLedger& ledger : mpi::read_ledger(scratch.path())) ledgers.push_back(std::move(ledger));
  }
  return ledgers;
}

std::vector<RankReport::Model> describe(const std::vector<TrainedModel>& models) {
  std::vector<RankReport::Model> result;
  for (const TrainedModel& model : models) {
    std::uint64_t parameters = 0;
    for (const LayerPlace& layer : model.layers) parameters += layer.parameters();
    result.push_back({model.name, parameters, model.parameters.size_bytes(), model.first_step, model.steps,
                      Sha256().update(std::as_bytes(model.parameters)).digest()});
  }
  return result;
}

std::vector<RankReport> gather_reports(Communicator& world, const RankReport& report) {
  std::vector<RankReport> reports;
  for (const std::string& bytes : world.gather(to_bytes(report))) reports.push_back(report_from_bytes(bytes));
  return reports;
}

void warn_if_oversubscribed(const std::vector<RankReport>& reports) {
  if (is_oversubscribed(reports))
    fmt::print(
        stderr,
        "hiple-scaling: {} ranks on fewer cores: the record is marked \"oversubscribed\"; use its counts and bytes, never its "
        "times\n",
        reports.size());
}

void measure_in(mpi::Session& session, const Setup& setup, const MeasureOptions& options) {
  if (session.size() != setup.ranks)
    throw InputError(Place{"launch"}, fmt::format("MPI sees {} ranks, the launcher said {}", session.size(), setup.ranks), {},
                     "start again with mpirun or srun --mpi=pmix");
  Communicator world;
  const int rank = world.rank();
  nlohmann::ordered_json about = metadata();
  about["mpi_settings"] = open_mpi_settings();
  ComputeClock clock(Stretch(setup.seed, rank, setup.factor(rank), setup.jitter));
  EngineArithmetic arithmetic(setup.shape, setup.seed, clock);
  const std::uint64_t heap_before = heap_bytes();
  const auto strategy = setup.kind->make(setup.settings, arithmetic, world);
  std::optional<StepCounter> counter;
  if (!options.counters.empty()) counter.emplace(options.counters, rank, setup.ranks);
  mpi::Ledger& ledger = mpi::Ledger::of_this_process();
  std::optional<std::uint64_t> sent_before;
  const Watchers watchers{.phase =
                              [&](Phase phase, const std::string& engine) {
                                if (phase == Phase::train) sent_before = wire_bytes_sent();
                                ledger.enter(phase, engine);
                              },
                          .steps =
                              [&](std::uint64_t steps) {
                                ledger.step();
                                if (counter) counter->set(steps);
                              }};
  RankReport report{.rank = rank, .host = host_name(), .cores = usable_cores()};
  report.times = measure(*strategy, world, clock, setup.warmup, watchers);
  if (sent_before) report.wire_bytes = wire_bytes_sent().value() - *sent_before;

  report.held = strategy->held();
  report.heap_bytes = heap_bytes() - heap_before;

  strategy->collect();
  report.models = describe(strategy->models());
  const auto ledgers = gather_ledgers(world);
  const auto reports = gather_reports(world, std::move(report));
  if (!options.weights.empty()) write_weights(options.weights, strategy->models(), world);
  if (rank != 0) return;
  warn_if_oversubscribed(reports);
  if (!options.ledger.empty()) mpi::write_ledger(options.ledger, ledgers);
  if (!options.trace.empty()) mpi::write_trace(options.trace, ledgers);
  write_file(options.output, make_record(setup, reports, mpi::certify(ledgers, setup.ranks), std::move(about)).dump(1) + "\n");
}

/// Open MPI 4.1 sums in place by a tree (reduce, then broadcast) unless it is told otherwise, which on two ranks takes twice the
/// time of a ring and on four loads two of them with a third more bytes: not what the authors of data parallel training
/// measured. A setting of the user's stays.
void prefer_rings() { ::setenv("OMPI_MCA_coll_libnbc_iallreduce_algorithm", "ring", 0); }

}  // namespace

void run_measurement(const Setup& setup, const MeasureOptions& options) {
  prefer_rings();
  mpi::Session session;
  try {
    measure_in(session, setup, options);
  } catch (...) {
    // Others may wait for this rank in a collective: MPI_Finalize would not return, and then this is the status to end with.
    session.set_exit_status(static_cast<int>(ExitStatus::failed));
    throw;
  }
}

}  // namespace hiple::scaling
