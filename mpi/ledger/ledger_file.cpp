#include "mpi/ledger/ledger_file.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "h5/h5.hpp"
#include "run/host.hpp"

namespace hiple::mpi {

namespace {

std::string name_of(Phase phase) { return std::string(phase_names.at(static_cast<std::size_t>(phase))); }

Phase phase_named(const std::string& name, const std::filesystem::path& path) {
  const auto found = std::find(phase_names.begin(), phase_names.end(), name);
  if (found == phase_names.end()) throw InputError(Place{path.string()}, "no phase is called " + name);
  return static_cast<Phase>(found - phase_names.begin());
}

/// Columns of equal length become rows only if they are.
template <class T>
void expect_rows(const std::vector<T>& column, std::size_t rows, const std::filesystem::path& path) {
  if (column.size() != rows) throw InputError(Place{path.string()}, "columns of different lengths");
}

void write_calls(h5::Writer& file, const std::vector<RankLedger>& ledgers) {
  std::vector<std::uint32_t> ranks;
  std::vector<std::string> phases, functions;
  std::vector<std::uint64_t> calls, sent, received;
  std::vector<double> seconds;
  for (const RankLedger& ledger : ledgers) {
    for (const LedgerRow& row : ledger.rows) {
      ranks.push_back(static_cast<std::uint32_t>(ledger.rank));
      phases.push_back(name_of(row.phase));
      functions.push_back(row.function);
      calls.push_back(row.calls);
      sent.push_back(row.bytes_sent);
      received.push_back(row.bytes_received);
      seconds.push_back(row.seconds);
    }
  }
  file.write<std::uint32_t>("/calls/rank", ranks);
  file.write("/calls/phase", phases);
  file.write("/calls/function", functions);
  file.write<std::uint64_t>("/calls/calls", calls);
  file.write<std::uint64_t>("/calls/bytes_sent", sent);
  file.write<std::uint64_t>("/calls/bytes_received", received);
  file.write<double>("/calls/seconds", seconds);
}

void write_phases(h5::Writer& file, const std::vector<RankLedger>& ledgers) {
  std::vector<std::uint32_t> ranks;
  std::vector<std::string> phases;
  std::vector<std::uint64_t> calls;
  std::vector<double> inside, all;
  for (const RankLedger& ledger : ledgers) {
    for (const PhaseTime& time : ledger.phases) {
      const PhaseSum in_mpi = sum(ledger, time.phase);
      ranks.push_back(static_cast<std::uint32_t>(ledger.rank));
      phases.push_back(name_of(time.phase));
      calls.push_back(in_mpi.calls);
      inside.push_back(in_mpi.seconds_in_mpi);
      all.push_back(time.seconds);
    }
  }
  file.write<std::uint32_t>("/phases/rank", ranks);
  file.write("/phases/phase", phases);
  file.write<std::uint64_t>("/phases/calls", calls);
  file.write<double>("/phases/seconds_in_mpi", inside);
  file.write<double>("/phases/seconds", all);
}

void read_calls(const h5::Reader& file, std::map<std::uint32_t, RankLedger>& ledgers) {
  const auto ranks = file.read<std::uint32_t>("/calls/rank");
  const auto phases = file.read_texts("/calls/phase");
  const auto functions = file.read_texts("/calls/function");
  const auto calls = file.read<std::uint64_t>("/calls/calls");
  const auto sent = file.read<std::uint64_t>("/calls/bytes_sent");
  const auto received = file.read<std::uint64_t>("/calls/bytes_received");
  const auto seconds = file.read<double>("/calls/seconds");
  expect_rows(phases, ranks.size(), file.path());
  expect_rows(functions, ranks.size(), file.path());
  expect_rows(calls, ranks.size(), file.path());
  expect_rows(sent, ranks.size(), file.path());
  expect_rows(received, ranks.size(), file.path());
  expect_rows(seconds, ranks.size(), file.path());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    ledgers[ranks[i]].rows.push_back(
        {phase_named(phases[i], file.path()), functions[i], calls[i], sent[i], received[i], seconds[i]});
  }
}

void read_phases(const h5::Reader& file, std::map<std::uint32_t, RankLedger>& ledgers) {
  const auto ranks = file.read<std::uint32_t>("/phases/rank");
  const auto phases = file.read_texts("/phases/phase");
  const auto seconds = file.read<double>("/phases/seconds");
  expect_rows(phases, ranks.size(), file.path());
  expect_rows(seconds, ranks.size(), file.path());
  for (std::size_t i = 0; i < ranks.size(); ++i)
    ledgers[ranks[i]].phases.push_back({phase_named(phases[i], file.path()), seconds[i]});
}

}  // namespace

RankLedger take_ledger(int rank) {
  const Ledger& ledger = Ledger::of_this_process();
  return {rank, host_name(), ledger.rows(), ledger.phase_times()};
}

void write_ledger(const std::filesystem::path& path, const std::vector<RankLedger>& ledgers) {
  h5::Writer file(path, "hiple ledger", 1);
  std::vector<std::uint32_t> ranks;
  std::vector<std::string> hosts;
  for (const RankLedger& ledger : ledgers) {
    ranks.push_back(static_cast<std::uint32_t>(ledger.rank));
    hosts.push_back(ledger.host);
  }
  file.write<std::uint32_t>("/ranks/rank", ranks);
  file.write("/ranks/host", hosts);
  write_calls(file, ledgers);
  write_phases(file, ledgers);
  file.finish();
}

std::vector<RankLedger> read_ledger(const std::filesystem::path& path) {
  const h5::Reader file(path, "hiple ledger", 1);
  const auto ranks = file.read<std::uint32_t>("/ranks/rank");
  const auto hosts = file.read_texts("/ranks/host");
  expect_rows(hosts, ranks.size(), path);
  std::map<std::uint32_t, RankLedger> ledgers;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    ledgers[ranks[i]].rank = static_cast<int>(ranks[i]);
    ledgers[ranks[i]].host = hosts[i];
  }
  read_calls(file, ledgers);
  read_phases(file, ledgers);
  std::vector<RankLedger> result;
  result.reserve(ledgers.size());
  for (auto& [rank, ledger] : ledgers) result.push_back(std::move(ledger));
  return result;
}

PhaseSum sum(const RankLedger& ledger, Phase phase) {
  PhaseSum result;
  for (const LedgerRow& row : ledger.rows) {
    if (row.phase != phase) continue;
    result.calls += row.calls;
    result.bytes += row.bytes_sent + row.bytes_received;
    result.seconds_in_mpi += row.seconds;
  }
  for (const PhaseTime& time : ledger.phases)
    if (time.phase == phase) result.seconds = time.seconds;
  return result;
}

}  // namespace hiple::mpi
