// What the ledger costs: each call through its wrapper and through PMPI, in turns, in one process; medians as JSON on standard
// output.
#include <mpi.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/build_info.hpp"
#include "mpi/ledger/ledger.hpp"
#include "mpi/session.hpp"
#include "run/host.hpp"

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  int runs = 21;
  int calls = 20000;
};

/// Nanoseconds of this process's processor time, which other programs on the machine disturb less than the time of day.
double processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

/// Nanoseconds a call of one run.
template <class Function>
double nanoseconds(int calls, Function&& function) {
  const double start = processor_time();
  for (int i = 0; i < calls; ++i) function();
  return (processor_time() - start) / calls;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// `calls_each`: MPI calls in one go of the function.
template <class Wrapped, class Bare>
Json compare(const Options& options, const std::string& name, int calls_each, Wrapped&& wrapped, Bare&& bare) {
  std::vector<double> with, without;
  nanoseconds(options.calls, wrapped);  // the first ones find their names and places
  for (int run = 0; run < options.runs; ++run) {
    with.push_back(nanoseconds(options.calls, wrapped));
    without.push_back(nanoseconds(options.calls, bare));
  }
  const double difference = (median(with) - median(without)) / calls_each;
  return {{"case", name},
          {"wrapped_ns", median(with)},
          {"pmpi_ns", median(without)},
          {"calls", calls_each},
          {"overhead_ns_a_call", difference}};
}

Json measure(const Options& options) {
  Json cases = Json::array();
  int rank = 0, flag = 0;
  cases.push_back(compare(
      options, "MPI_Comm_rank", 1, [&] { MPI_Comm_rank(MPI_COMM_WORLD, &rank); },
      [&] { PMPI_Comm_rank(MPI_COMM_WORLD, &rank); }));
  cases.push_back(compare(
      options, "MPI_Iprobe", 1, [&] { MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); },
      [&] { PMPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); }));
  std::vector<float> in(1024), out(1024);
  cases.push_back(compare(
      options, "MPI_Allreduce of 4 KiB on self", 1,
      [&] { MPI_Allreduce(in.data(), out.data(), 1024, MPI_FLOAT, MPI_SUM, MPI_COMM_SELF); },
      [&] { PMPI_Allreduce(in.data(), out.data(), 1024, MPI_FLOAT, MPI_SUM, MPI_COMM_SELF); }));
  std::array<MPI_Request, 2> requests{};
  cases.push_back(compare(
      options, "MPI_Irecv, MPI_Isend, MPI_Waitall of 4 KiB on self", 3,
      [&] {
        MPI_Irecv(out.data(), 1024, MPI_FLOAT, 0, 2, MPI_COMM_SELF, &requests[0]);
        MPI_Isend(in.data(), 1024, MPI_FLOAT, 0, 2, MPI_COMM_SELF, &requests[1]);
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
      },
      [&] {
        PMPI_Irecv(out.data(), 1024, MPI_FLOAT, 0, 2, MPI_COMM_SELF, &requests[0]);
        PMPI_Isend(in.data(), 1024, MPI_FLOAT, 0, 2, MPI_COMM_SELF, &requests[1]);
        PMPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
      }));
  return cases;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("What the ledger of MPI calls costs a call", "hiple-bench-ledger");
  app.add_option("--runs", options.runs, "Runs of each case, wrapped and bare in turns; the median is shown")
      ->check(CLI::Range(5, 1000));
  app.add_option("--calls", options.calls, "Calls a run")->check(CLI::Range(100, 100000000));
  CLI11_PARSE(app, argc, argv);
  try {
    const hiple::mpi::Session session;
    hiple::mpi::Ledger::of_this_process().enter(hiple::Phase::train);
    const hiple::BuildInfo& build = hiple::build_info();
    const Json result = {{"program", "hiple-bench-ledger"}, {"revision", build.revision},
                         {"compiler", build.compiler},      {"flags", build.flags},
                         {"host", hiple::host_name()},      {"processor", hiple::processor_name()},
                         {"clock", "processor time"},       {"runs", options.runs},
                         {"calls", options.calls},          {"cases", measure(options)}};
    std::cout << result.dump(2) << "\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
