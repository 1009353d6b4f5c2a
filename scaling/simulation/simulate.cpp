/// One configuration on simulated ranks, compiled with smpicxx and started by smpirun: simulate CONFIG.json. What the strategies
/// say to each other is compiled from scaling/strategy; what they compute takes measured time. Rank 0 writes CONFIG's "output".
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <simgrid/s4u.hpp>

#include "scaling/measure/stretch.hpp"
#include "scaling/simulation/collectives.hpp"
#include "scaling/simulation/moving.hpp"
#include "scaling/simulation/simulated_arithmetic.hpp"
#include "scaling/strategy/strategy.hpp"

namespace hiple::simulation {

namespace {

using Json = nlohmann::ordered_json;

/// What is the same for all ranks. They live in one process: the first that comes here reads it.
struct Run {
  Json config;
  Pieces pieces;
  scaling::Settings settings;
  const scaling::StrategyKind* kind = nullptr;
  std::vector<std::vector<double>> step, computed;  ///< by rank
  std::vector<std::vector<double>> phases;          ///< by rank: seconds of start, reading, training, writing, integration
};

Run read_run(const char* path) {
  std::ifstream file(path);
  Run run;
  run.config = Json::parse(file);
  const Json& c = run.config;
  run.pieces = read_pieces(c.at("pieces"));
  const double scale = c.at("compute_scale");
  for (auto& [shape, layer] : run.pieces.layers)
    for (double* part : {&layer.multiply, &layer.activate, &layer.through_activation, &layer.weight_row, &layer.input})
      *part *= scale;
  for (auto& [size, seconds] : run.pieces.adam) seconds *= scale;
  run.pieces.copy *= scale;
  run.pieces.loss *= scale;
  run.kind = &scaling::strategy_kind(c.at("strategy"));
  run.settings = {.variant = c.at("variant"),
                  .widths = c.at("widths"),
                  .batch = c.at("batch"),
                  .steps = c.at("steps"),
                  .micro_batches = 1,
                  .experts = c.at("experts"),
                  .chosen = c.at("chosen"),
                  .capacity = c.at("capacity"),
                  .period = 1,
                  .bucket_bytes = c.at("bucket")};
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Problems problems;
  run.kind->check(run.settings, ranks, problems);
  problems.throw_if_any();
  const auto count = static_cast<std::size_t>(ranks);
  run.step.resize(count);
  run.computed.resize(count);
  run.phases.resize(count);
  seconds_a_number() = run.pieces.copy;
  choose(c.at("algorithm") == "ring" ? Algorithm::ring : Algorithm::halving);
  make_ranks(count);
  return run;
}

/// `amount` of what a server shared by all ranks does, `most` a second for one of them: processor sharing, as in a file system's
/// bandwidth or its metadata operations.
void ask_server(const char* name, double amount, double most) {
  if (amount <= 0) return;
  auto work = simgrid::s4u::Exec::init();
  work->set_flops_amount(amount)->set_host(simgrid::s4u::Host::by_name(name));
  if (most > 0) work->set_bound(most);
  work->start()->wait();
}

/// A whole run around the training, of which `run` is what config says of files and start: how long each part takes on this rank.
class Phases {
 public:
  Phases(const Json& about, std::vector<double>& seconds) : about_(about), seconds_(seconds), begin_(simgrid_get_clock()) {}
  void start(int ranks) {
    const double levels = ranks > 1 ? std::ceil(std::log2(ranks)) : 0;
    smpi_execute(about_.at("start_seconds").get<double>() + levels * about_.at("start_seconds_level").get<double>());
    end();
  }
  void read() { files(about_.at("read_operations"), about_.at("read_bytes")); }
  void train(double step, std::uint64_t steps, double factor) {
    smpi_execute(step * static_cast<double>(steps) * factor);
    end();
  }
  void write(double share) { files(about_.at("write_operations"), about_.at("write_bytes").get<double>() * share); }
  /// The last rank's work, after everybody: to open each engine's file, to read it, and to decide.
  void integrate(int engines) {
    const double all = engines;
    for (int i = 0; i < engines; ++i) ask_server("metadata", about_.at("integrate_operations"), 0);
    ask_server("files", about_.at("judgment_bytes").get<double>() * all, about_.at("most_bytes"));
    smpi_execute(about_.at("decide_seconds").get<double>() + about_.at("decide_seconds_engine").get<double>() * all);
    end();
  }

 private:
  void files(double operations, double bytes) {
    ask_server("metadata", operations, 0);
    ask_server("files", bytes, about_.at("most_bytes"));
    end();
  }
  void end() {
    const double now = simgrid_get_clock();
    seconds_.push_back(now - begin_);
    begin_ = now;
  }

  const Json& about_;
  std::vector<double>& seconds_;
  double begin_;
};

void train(Run& run, scaling::Communicator& world) {
  const Json& c = run.config;
  const int rank = world.rank();
  const bool is_slow = c.at("straggler").is_object() && c["straggler"].at("rank") == rank;
  const scaling::Stretch stretch(c.at("seed"), rank, is_slow ? c["straggler"].at("factor").get<double>() : 1.0, c.at("jitter"));
  SimulatedArithmetic arithmetic(run.settings.widths, run.pieces);
  const auto strategy = run.kind->make(run.settings, arithmetic, world);
  RankState& state = this_rank();
  strategy->start();
  world.barrier();
  double begin = simgrid_get_clock();
  for (std::uint64_t i = 0; i < run.settings.steps; ++i) {
    state.clock.stretch(stretch.of_step(i));
    strategy->step(i);
    state.clock.settle();
    const double now = simgrid_get_clock();
    run.step[static_cast<std::size_t>(rank)].push_back(now - begin);
    run.computed[static_cast<std::size_t>(rank)].push_back(state.clock.take_computed());
    begin = now;
  }
}

/// A whole run, of which the training is as many steps of the time that was simulated before.
void go_through(Run& run, scaling::Communicator& world) {
  const Json& about = run.config.at("run");
  const int rank = world.rank(), ranks = world.size();
  Phases phases(about, run.phases[static_cast<std::size_t>(rank)]);
  phases.start(ranks);
  phases.read();
  const scaling::Stretch stretch(run.config.at("seed"), rank, 1.0, run.config.at("jitter"));
  phases.train(about.at("step_seconds"), about.at("steps"), about.at("is_shared") ? 1.0 : stretch.of_step(0));
  phases.write(about.at("write_share"));
  if (about.at("is_shared")) return;
  world.barrier();  // in a real run the last rank waits for files; nobody else waits
  if (rank == ranks - 1) phases.integrate(ranks);
}

double largest(const std::vector<std::vector<double>>& all, std::size_t i) {
  double most = 0;
  for (const auto& one : all) most = std::max(most, i < one.size() ? one[i] : 0.0);
  return most;
}

void write(const Run& run) {
  std::vector<double> steps, others, computed, phases;
  const Json& straggler = run.config.at("straggler");
  for (std::size_t i = 0; i < run.step[0].size(); ++i) {
    steps.push_back(largest(run.step, i));
    computed.push_back(largest(run.computed, i));
    double most = 0;
    for (std::size_t rank = 0; rank < run.step.size(); ++rank)
      if (!straggler.is_object() || straggler.at("rank") != rank) most = std::max(most, run.step[rank][i]);
    others.push_back(most);
  }
  for (std::size_t i = 0; i < 5; ++i) phases.push_back(largest(run.phases, i));
  const RankState& state = this_rank();
  const Json result{{"step_seconds", steps},
                    {"others_step_seconds", others},
                    {"compute_seconds", computed},
                    {"phase_seconds", phases},
                    {"messages", state.messages},
                    {"bytes", state.sent},
                    {"simulated_seconds", simgrid_get_clock()}};
  std::ofstream file(run.config.at("output").get<std::string>());
  file << result.dump() << "\n";
}

void simulate(const char* path) {
  static Run run = read_run(path);
  scaling::Communicator world;
  if (run.config.at("run").is_object())
    go_through(run, world);
  else
    train(run, world);
  world.barrier();
  if (world.rank() == 0) write(run);
}

}  // namespace

}  // namespace hiple::simulation

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    if (argc != 2) throw hiple::Error("one word: the configuration's file");
    hiple::simulation::simulate(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hiple-simulate: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
