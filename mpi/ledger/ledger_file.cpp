#include "mpi/ledger/ledger_file.hpp"

#include <utility>

#include "mpi/ledger/columns.hpp"
#include "mpi/ledger/timeline_file.hpp"

namespace hiple::mpi {

namespace {

using Ledgers = std::map<std::uint32_t, RankLedger>;

constexpr std::uint32_t version = 2;

std::string_view name_of(Phase phase) { return phase_names.at(static_cast<std::size_t>(phase)); }

Phase phase_named(const std::string& name, const std::filesystem::path& path) {
  const auto found = std::find(phase_names.begin(), phase_names.end(), name);
  if (found == phase_names.end()) throw InputError(Place{path.string()}, "no phase is called " + name);
  return static_cast<Phase>(found - phase_names.begin());
}

RankLedger& ledger_of(Ledgers& ledgers, std::uint32_t rank, const h5::Reader& file) {
  const auto found = ledgers.find(rank);
  if (found == ledgers.end()) throw InputError(Place{file.path().string()}, "a row is of a rank that /ranks does not name");
  return found->second;
}

/// (rank, entry) of every entry of a list that each ledger has.
template <class Entry>
std::vector<std::pair<int, Entry>> entries(const std::vector<RankLedger>& ledgers, std::vector<Entry> RankLedger::*list) {
  std::vector<std::pair<int, Entry>> all;
  for (const RankLedger& ledger : ledgers)
    for (const Entry& entry : ledger.*list) all.emplace_back(ledger.rank, entry);
  return all;
}

void write_ranks(h5::Writer& file, const std::vector<RankLedger>& ledgers) {
  write_column<std::uint32_t>(file, "/ranks/rank", ledgers, [](const auto& l) { return l.rank; });
  write_texts(file, "/ranks/host", ledgers, [](const auto& l) { return l.host; });
  write_texts(file, "/ranks/mpi", ledgers, [](const auto& l) { return l.mpi; });
  write_column<std::uint64_t>(file, "/ranks/steps", ledgers, [](const auto& l) { return l.steps; });
  write_column<std::int64_t>(file, "/ranks/clock_realtime", ledgers, [](const auto& l) { return l.clock.realtime; });
  write_column<std::int64_t>(file, "/ranks/clock_uncertainty", ledgers, [](const auto& l) { return l.clock.uncertainty; });
  write_column<std::int64_t>(file, "/ranks/clock_drift", ledgers, [](const auto& l) { return l.clock.drift; });
  write_column<std::uint64_t>(file, "/ranks/events_dropped", ledgers, [](const auto& l) { return l.timeline.dropped; });
  const auto libraries = entries(ledgers, &RankLedger::libraries);
  write_column<std::uint32_t>(file, "/libraries/rank", libraries, [](const auto& row) { return row.first; });
  write_texts(file, "/libraries/kind", libraries, [](const auto& row) { return row.second.kind; });
  write_texts(file, "/libraries/path", libraries, [](const auto& row) { return row.second.path; });
}

void write_calls(h5::Writer& file, const std::vector<RankLedger>& ledgers) {
  const auto rows = entries(ledgers, &RankLedger::rows);
  write_column<std::uint32_t>(file, "/calls/rank", rows, [](const auto& row) { return row.first; });
  write_texts(file, "/calls/phase", rows, [](const auto& row) { return name_of(row.second.phase); });
  write_texts(file, "/calls/communicator", rows, [](const auto& row) { return row.second.communicator; });
  write_column<std::uint32_t>(file, "/calls/communicator_size", rows,
                              [](const auto& row) { return row.second.communicator_size; });
  write_texts(file, "/calls/function", rows, [](const auto& row) { return row.second.function; });
  write_column<std::uint64_t>(file, "/calls/calls", rows, [](const auto& row) { return row.second.calls; });
  write_column<std::uint64_t>(file, "/calls/bytes_sent", rows, [](const auto& row) { return row.second.bytes_sent; });
  write_column<std::uint64_t>(file, "/calls/bytes_received", rows, [](const auto& row) { return row.second.bytes_received; });
  write_column<double>(file, "/calls/seconds", rows, [](const auto& row) { return row.second.seconds; });
  write_column<double>(file, "/calls/wait_seconds", rows, [](const auto& row) { return row.second.wait_seconds; });
}

void write_phases(h5::Writer& file, const std::vector<RankLedger>& ledgers) {
  std::vector<std::pair<int, std::pair<Phase, PhaseSum>>> rows;
  for (const RankLedger& ledger : ledgers)
    for (const PhaseTime& time : ledger.phases) rows.push_back({ledger.rank, {time.phase, sum(ledger, time.phase)}});
  write_column<std::uint32_t>(file, "/phases/rank", rows, [](const auto& row) { return row.first; });
  write_texts(file, "/phases/phase", rows, [](const auto& row) { return name_of(row.second.first); });
  write_column<std::uint64_t>(file, "/phases/calls", rows, [](const auto& row) { return row.second.second.calls; });
  write_column<double>(file, "/phases/seconds_in_mpi", rows, [](const auto& row) { return row.second.second.seconds_in_mpi; });
  write_column<double>(file, "/phases/wait_seconds", rows, [](const auto& row) { return row.second.second.wait_seconds; });
  write_column<double>(file, "/phases/seconds", rows, [](const auto& row) { return row.second.second.seconds; });
}

Ledgers read_ranks(const h5::Reader& file) {
  const auto ranks = file.read<std::uint32_t>("/ranks/rank");
  const auto hosts = read_texts(file, "/ranks/host", ranks.size());
  const auto mpi = read_texts(file, "/ranks/mpi", ranks.size());
  const auto steps = read_column<std::uint64_t>(file, "/ranks/steps", ranks.size());
  const auto realtime = read_column<std::int64_t>(file, "/ranks/clock_realtime", ranks.size());
  const auto uncertainty = read_column<std::int64_t>(file, "/ranks/clock_uncertainty", ranks.size());
  const auto drift = read_column<std::int64_t>(file, "/ranks/clock_drift", ranks.size());
  const auto dropped = read_column<std::uint64_t>(file, "/ranks/events_dropped", ranks.size());
  Ledgers ledgers;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    RankLedger& ledger = ledgers[ranks[i]];
    ledger.rank = static_cast<int>(ranks[i]);
    ledger.host = hosts[i];
    ledger.mpi = mpi[i];
    ledger.steps = steps[i];
    ledger.clock = {realtime[i], uncertainty[i], drift[i]};
    ledger.timeline.dropped = dropped[i];
  }
  return ledgers;
}

void read_libraries(const h5::Reader& file, Ledgers& ledgers) {
  const auto ranks = file.read<std::uint32_t>("/libraries/rank");
  const auto kinds = read_texts(file, "/libraries/kind", ranks.size());
  const auto paths = read_texts(file, "/libraries/path", ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) ledger_of(ledgers, ranks[i], file).libraries.push_back({kinds[i], paths[i]});
}

void read_calls(const h5::Reader& file, Ledgers& ledgers) {
  const auto ranks = file.read<std::uint32_t>("/calls/rank");
  const std::size_t count = ranks.size();
  const auto phases = read_texts(file, "/calls/phase", count);
  const auto communicators = read_texts(file, "/calls/communicator", count);
  const auto sizes = read_column<std::uint32_t>(file, "/calls/communicator_size", count);
  const auto functions = read_texts(file, "/calls/function", count);
  const auto calls = read_column<std::uint64_t>(file, "/calls/calls", count);
  const auto sent = read_column<std::uint64_t>(file, "/calls/bytes_sent", count);
  const auto received = read_column<std::uint64_t>(file, "/calls/bytes_received", count);
  const auto seconds = read_column<double>(file, "/calls/seconds", count);
  const auto waits = read_column<double>(file, "/calls/wait_seconds", count);
  for (std::size_t i = 0; i < count; ++i) {
    ledger_of(ledgers, ranks[i], file)
        .rows.push_back({phase_named(phases[i], file.path()), communicators[i], static_cast<int>(sizes[i]), functions[i],
                         calls[i], sent[i], received[i], seconds[i], waits[i]});
  }
}

void read_phases(const h5::Reader& file, Ledgers& ledgers) {
  const auto ranks = file.read<std::uint32_t>("/phases/rank");
  const auto phases = read_texts(file, "/phases/phase", ranks.size());
  const auto seconds = read_column<double>(file, "/phases/seconds", ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i)
    ledger_of(ledgers, ranks[i], file).phases.push_back({phase_named(phases[i], file.path()), seconds[i]});
}

}  // namespace

void write_ledger(const std::filesystem::path& path, const std::vector<RankLedger>& ledgers) {
  h5::Writer file(path, "hiple ledger", version);
  write_ranks(file, ledgers);
  write_calls(file, ledgers);
  write_phases(file, ledgers);
  write_timeline(file, ledgers);
  file.finish();
}

std::vector<RankLedger> read_ledger(const std::filesystem::path& path) {
  const h5::Reader file(path, "hiple ledger", version);
  if (file.attribute<std::uint32_t>("/", "version") != version)
    throw InputError(Place{path.string()}, "is a ledger of version 1, which knew no communicators", {}, "run again");
  Ledgers ledgers = read_ranks(file);
  read_libraries(file, ledgers);
  read_calls(file, ledgers);
  read_phases(file, ledgers);
  read_timeline(file, ledgers);
  std::vector<RankLedger> result;
  result.reserve(ledgers.size());
  for (auto& [rank, ledger] : ledgers) result.push_back(std::move(ledger));
  return result;
}

}  // namespace hiple::mpi
