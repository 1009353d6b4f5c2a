#include "mpi/ledger/ledger_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "base/file.hpp"
#include "mpi/ledger/ledger_file.hpp"
#include "report/text_table.hpp"

namespace hiple::mpi {

namespace {

report::Doing doing_of(const std::string& phase) {
  static const std::map<std::string, report::Doing> of = {
      {"train", report::Doing::training}, {"judge", report::Doing::judging},      {"write", report::Doing::writing},
      {"wait", report::Doing::waiting},   {"integrate", report::Doing::deciding}, {"program", report::Doing::other}};
  const auto found = of.find(phase);
  return found == of.end() ? report::Doing::other : found->second;
}

report::TimeLine time_line(const std::vector<RankLedger>& ledgers) {
  std::int64_t zero = ledgers.front().clock.realtime, uncertainty = 0;
  std::set<std::string> hosts;
  std::uint64_t dropped = 0;
  for (const RankLedger& ledger : ledgers) {
    zero = std::min(zero, ledger.clock.realtime);
    uncertainty = std::max(uncertainty, ledger.clock.uncertainty);
    hosts.insert(ledger.host);
    dropped += ledger.timeline.dropped;
  }
  report::TimeLine time;
  for (const RankLedger& ledger : ledgers) {
    report::RankPicture& rank = time.ranks.emplace_back();
    rank.rank = ledger.rank;
    rank.host = ledger.host;
    const double offset = static_cast<double>(ledger.clock.realtime - zero) / 1e9;
    for (const Event& event : ledger.timeline.events) {
      if (event.kind != EventKind::phase) continue;
      rank.spans.push_back({offset + event.start, offset + event.end, doing_of(ledger.timeline.names.at(event.name)),
                            ledger.timeline.names.at(event.detail)});
    }
  }
  if (hosts.size() > 1)
    time.note =
        fmt::format("The ranks ran on {} hosts, and are laid beside one another by their hosts' clocks, as good as these agree.",
                    hosts.size());
  if (dropped > 0) time.note += fmt::format("{}{} events had no room in the ledger.", time.note.empty() ? "" : " ", dropped);
  return time;
}

report::MpiLedger mpi_ledger(const std::vector<RankLedger>& ledgers) {
  report::MpiLedger result;
  std::vector<report::PhaseLine> phases(phase_names.size());
  std::map<std::tuple<std::string, std::string, std::string>, report::FunctionLine> functions;
  for (const RankLedger& ledger : ledgers) {
    for (const PhaseTime& time : ledger.phases) {
      report::PhaseLine& line = phases.at(static_cast<std::size_t>(time.phase));
      ++line.ranks;
      line.seconds += time.seconds;
    }
    std::set<const report::FunctionLine*> here;
    for (const LedgerRow& row : ledger.rows) {
      report::PhaseLine& line = phases.at(static_cast<std::size_t>(row.phase));
      const std::uint64_t bytes = row.bytes_sent + row.bytes_received;
      line.calls += row.calls;
      line.bytes += bytes;
      line.wait_seconds += row.wait_seconds;
      const std::string phase(phase_names.at(static_cast<std::size_t>(row.phase)));
      report::FunctionLine& function = functions[{phase, row.function, row.communicator}];
      function.function = row.function;
      function.phase = phase;
      function.communicator = row.communicator;
      function.calls += row.calls;
      function.bytes += bytes;
      function.wait_seconds += row.wait_seconds;
      if (here.insert(&function).second) ++function.ranks;
    }
  }
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (phases[i].ranks == 0) continue;
    phases[i].phase = phase_names[i];
    result.phases.push_back(phases[i]);
  }
  for (auto& [key, function] : functions) result.functions.push_back(std::move(function));
  std::stable_sort(result.functions.begin(), result.functions.end(),
                   [](const auto& a, const auto& b) { return a.wait_seconds > b.wait_seconds; });
  return result;
}

report::CertificateLine read_certificate(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  try {
    const auto json = nlohmann::json::parse(text);
    report::CertificateLine line{json.at("verdict"), {json.at("reason")}};
    if (const double seconds = json.at("init_seconds"); seconds > 0)
      line.reasons.push_back("MPI_Init and MPI_Finalize do synchronise all ranks, outside of training; MPI_Init took " +
                             report::seconds_text(seconds));
    for (const auto& found : json.at("found"))
      line.reasons.push_back(fmt::format("rank {} called {} {} times in phase {}, {} bytes", found.at("rank").get<int>(),
                                         found.at("function").get<std::string>(), found.at("calls").get<std::uint64_t>(),
                                         found.at("phase").get<std::string>(), found.at("bytes").get<std::uint64_t>()));
    constexpr std::size_t most = 12;
    if (line.reasons.size() > most) {
      const std::size_t more = line.reasons.size() - most;
      line.reasons.resize(most);
      line.reasons.push_back(fmt::format("and {} more; {} names them", more, path.string()));
    }
    return line;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(Place{path.string()}, "is no certificate", error.what());
  }
}

}  // namespace

void add_ledger(report::Picture& picture, const RunDirectory& directory) {
  try {
    if (std::filesystem::exists(directory.certificate()))
      picture.certificate.content = read_certificate(directory.certificate());
    else
      picture.certificate.missing = "The run has not come to its end, where it is written.";
  } catch (const Error& error) {
    picture.certificate.missing = error.what();
  }
  try {
    if (!std::filesystem::exists(directory.ledger())) {
      picture.time.missing = picture.mpi.missing =
          "There is no ledger.h5: the run has not come to its end, or its engines were trained one by one (`hiple train`, then "
          "`hiple integrate`).";
      return;
    }
    const auto ledgers = read_ledger(directory.ledger());
    if (ledgers.empty()) {
      picture.time.missing = picture.mpi.missing = "The ledger holds no rank.";
      return;
    }
    picture.time.content = time_line(ledgers);
    picture.mpi.content = mpi_ledger(ledgers);
  } catch (const Error& error) {
    picture.time.missing = picture.mpi.missing = error.what();
  }
}

}  // namespace hiple::mpi
