#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <set>
#include <thread>

#include "base/text.hpp"
#include "mpi/job.hpp"
#include "mpi/ledger/ledger_file.hpp"
#include "mpi/ledger/records.hpp"
#include "mpi/notice.hpp"
#include "mpi/rank_lines.hpp"
#include "run/collect.hpp"
#include "run/estimate.hpp"
#include "run/goodput.hpp"
#include "run/heartbeat.hpp"
#include "run/integrate.hpp"
#include "run/on_demand.hpp"

namespace hiple::mpi {

namespace {

void say_progress(const Collector& collector) {
  constexpr std::size_t shown = 5;
  auto names = collector.pending_names();
  const std::string more = names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
  if (names.size() > shown) names.resize(shown);
  spdlog::info("{} of {} engines done, {} failed{}{}{}", collector.available(), collector.total(), collector.failed(),
               names.empty() ? "" : "; waiting for ", join(names, ", "), more);
}

/// Why an engine will not come any more: its rank's process is known to be gone, or its rank is silent.
Collector::Lost lost_ranks(const PreparedRun& run, const RunDirectory& directory, const Plan& plan) {
  std::vector<int> trainers(static_cast<std::size_t>(plan.integrator));
  std::iota(trainers.begin(), trainers.end(), 0);
  const auto watch = std::make_shared<HeartbeatWatch>(directory, trainers, plan.integrator, run.config.integrate.lost_after);
  return [&run, &directory, watch, ranks = ranks_of(plan, run.config.engines.size())](std::size_t engine) {
    watch->look();
    const std::string gone = gone_owner(directory, run.config.engines.at(engine).name);
    return gone.empty() ? watch->lost(ranks.at(engine)) : fmt::format("rank {}: {}", ranks.at(engine), gone);
  };
}

/// Reads the ledgers of the trainers, each of which may take a moment to appear after the rank's last engine; those of lost ranks
/// never do, and are waited for only shortly.
std::vector<RankLedger> gather_ledgers(const RunDirectory& directory, const Plan& plan, const std::vector<Arrival>& arrivals) {
  using namespace std::chrono_literals;
  std::vector<RankLedger> ledgers;
  const auto start = std::chrono::steady_clock::now();
  for (int rank = 0; rank < plan.integrator; ++rank) {
    const auto file = directory.rank_ledger(rank);
    const auto& engines = plan.engines.at(static_cast<std::size_t>(rank));
    const bool finished = std::all_of(engines.begin(), engines.end(), [&](std::size_t i) { return arrivals.at(i).judgments; });
    const auto deadline = start + (finished ? 20s : 2s);
    while (!std::filesystem::exists(file) && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(20ms);
    try {
      for (RankLedger& ledger : read_ledger(file)) ledgers.push_back(std::move(ledger));
    } catch (const Error& error) {
      spdlog::warn("no ledger of rank {}: {}", rank, error.what());
    }
  }
  return ledgers;
}

/// Has the ranks that train judge what the law asks for. What they are asked stands in files; a message says "look now".
void ask(const PreparedRun& run, const RunDirectory& directory, const Launch& launch, const Plan& plan, const Table& table,
         const Collector::Lost& lost, std::vector<Arrival>& arrivals) {
  Answering answering;
  answering.lost = lost;
  answering.deadline = run.config.integrate.deadline;
  answering.told = [] { return receive_notices() > 0; };
  answering.ask = [&, ranks = ranks_of(plan, arrivals.size())](const std::vector<std::size_t>& engines) {
    std::set<int> to;
    for (const std::size_t engine : engines) to.insert(ranks.at(engine));
    constexpr double limit = 1;  // seconds; it looks by itself
    for (const int rank : to) {
      try {
        if (!send_notice(rank, launch.rank, limit)) spdlog::warn("rank {} was not told; it looks by itself", rank);
      } catch (const Error& error) {
        spdlog::warn("rank {} was not told: {}", rank, error.what());
      }
    }
  };
  ask_engines(run, directory, table, arrivals, answering);
}

ExitStatus wait_and_decide(const PreparedRun& run, const RunDirectory& directory, const Launch& launch) {
  const auto start = std::chrono::steady_clock::now();
  Ledger& ledger = Ledger::of_this_process();
  ledger.enter(Phase::wait);
  const Plan plan = make_plan(engine_costs(run.config, run.schema), launch.size);
  const Heartbeat heartbeat(directory, launch.rank, heartbeat_interval(launch.size, run.config.integrate.lost_after));
  RunTable table(run, RunTable::usual_most, bound_processors());
  WaitSettings settings = wait_settings(run.config);
  settings.told = [] { return receive_notices() > 0; };
  settings.waiting = say_progress;
  const Collector::Lost lost = lost_ranks(run, directory, plan);
  auto arrivals = wait_for_engines(Collector(run, directory, table, lost), settings);
  if (run.config.integrate.on_demand()) ask(run, directory, launch, plan, table.whole(), lost, arrivals);

  ledger.enter(Phase::integrate);
  report::Summary summary = integrate(run, directory, table, arrivals, ranks_of(plan, arrivals.size()));
  auto ledgers = gather_ledgers(directory, plan, arrivals);
  ledgers.push_back(take_ledger(launch.rank));
  add_certificate(summary, directory, write_records(run, directory, ledgers, launch.size));
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  summary.ranks = rank_lines(ledgers, plan);
  summary.rank_seconds = rank_seconds(run, directory, launch.size, summary.seconds, summary.law_seconds);
  return finish(directory, summary);
}

}  // namespace

ExitStatus run_integrator(const PreparedRun& run, const RunDirectory& directory, const Launch& launch) {
  try {
    return wait_and_decide(run, directory, launch);
  } catch (const std::exception& error) {
    finish_failed(run, directory, error.what());
    throw;
  }
}

}  // namespace hiple::mpi
