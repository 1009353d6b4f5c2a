#include "mpi/ledger/timeline_file.hpp"

#include "mpi/ledger/columns.hpp"

namespace hiple::mpi {

namespace {

struct Row {
  int rank = 0;
  Event event;
};

}  // namespace

void write_timeline(h5::Writer& file, const std::vector<RankLedger>& ledgers) {
  NameTable names;
  std::vector<Row> rows;
  for (const RankLedger& ledger : ledgers) {
    std::vector<std::uint32_t> numbers;  // of the rank's own names, in the common table
    numbers.reserve(ledger.timeline.names.size());
    for (const std::string& name : ledger.timeline.names) numbers.push_back(names.index_of(name));
    for (Event event : ledger.timeline.events) {
      event.name = numbers.at(event.name);
      event.detail = numbers.at(event.detail);
      rows.push_back({ledger.rank, event});
    }
  }
  file.write("/timeline/names", names.names());
  write_column<std::uint32_t>(file, "/timeline/rank", rows, [](const Row& row) { return row.rank; });
  write_column<double>(file, "/timeline/start", rows, [](const Row& row) { return row.event.start; });
  write_column<double>(file, "/timeline/end", rows, [](const Row& row) { return row.event.end; });
  write_column<std::uint8_t>(file, "/timeline/kind", rows, [](const Row& row) { return row.event.kind; });
  write_column<std::uint32_t>(file, "/timeline/name", rows, [](const Row& row) { return row.event.name; });
  write_column<std::uint32_t>(file, "/timeline/detail", rows, [](const Row& row) { return row.event.detail; });
  write_column<std::uint64_t>(file, "/timeline/bytes", rows, [](const Row& row) { return row.event.bytes; });
  write_column<std::uint64_t>(file, "/timeline/calls", rows, [](const Row& row) { return row.event.calls; });
}

void read_timeline(const h5::Reader& file, std::map<std::uint32_t, RankLedger>& ledgers) {
  const auto ranks = file.read<std::uint32_t>("/timeline/rank");
  const auto starts = read_column<double>(file, "/timeline/start", ranks.size());
  const auto ends = read_column<double>(file, "/timeline/end", ranks.size());
  const auto kinds = read_column<std::uint8_t>(file, "/timeline/kind", ranks.size());
  const auto name = read_column<std::uint32_t>(file, "/timeline/name", ranks.size());
  const auto detail = read_column<std::uint32_t>(file, "/timeline/detail", ranks.size());
  const auto bytes = read_column<std::uint64_t>(file, "/timeline/bytes", ranks.size());
  const auto calls = read_column<std::uint64_t>(file, "/timeline/calls", ranks.size());
  const auto names = file.read_texts("/timeline/names");
  for (auto& [rank, ledger] : ledgers) ledger.timeline.names = names;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto found = ledgers.find(ranks[i]);
    const bool known = found != ledgers.end() && name[i] < names.size() && detail[i] < names.size();
    if (!known || kinds[i] > static_cast<std::uint8_t>(EventKind::call))
      throw InputError(Place{file.path().string()}, "an event of the time line has no rank, no name or no kind");
    found->second.timeline.events.push_back(
        {starts[i], ends[i], static_cast<EventKind>(kinds[i]), name[i], detail[i], bytes[i], calls[i]});
  }
}

}  // namespace hiple::mpi
