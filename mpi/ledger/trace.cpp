#include "mpi/ledger/trace.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.hpp"

namespace hiple::mpi {

namespace {

using Json = nlohmann::ordered_json;

constexpr int phase_track = 0;
constexpr int call_track = 1;

std::int64_t first_zero(const std::vector<RankLedger>& ledgers) {
  std::int64_t first = 0;
  for (const RankLedger& ledger : ledgers)
    if (first == 0 || ledger.clock.realtime < first) first = ledger.clock.realtime;
  return first;
}

Json named(const char* what, int rank, int track, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", rank}, {"tid", track}, {"args", {{"name", name}}}};
}

Json slice(const RankLedger& ledger, const Event& event, double offset) {
  constexpr double microseconds = 1e6;
  const bool is_phase = event.kind == EventKind::phase;
  const std::string& name = ledger.timeline.names.at(event.name);
  const std::string& detail = ledger.timeline.names.at(event.detail);
  Json json = {{"name", is_phase && !detail.empty() ? name + " " + detail : name},
               {"cat", is_phase ? "phase" : "mpi"},
               {"ph", "X"},
               {"ts", offset + event.start * microseconds},
               {"dur", std::max(0.0, event.end - event.start) * microseconds},
               {"pid", ledger.rank},
               {"tid", is_phase ? phase_track : call_track}};
  if (is_phase) {
    if (!detail.empty()) json["args"] = {{"engine", detail}};
  } else {
    json["args"] = {{"communicator", detail}, {"bytes", event.bytes}, {"calls", event.calls}};
  }
  return json;
}

Json clock_of(const RankLedger& ledger) {
  return {{"rank", ledger.rank},
          {"host", ledger.host},
          {"zero_ns_since_1970", ledger.clock.realtime},
          {"uncertainty_ns", ledger.clock.uncertainty},
          {"drift_ns", ledger.clock.drift},
          {"events_dropped", ledger.timeline.dropped}};
}

}  // namespace

std::string trace_json(const std::vector<RankLedger>& ledgers) {
  const std::int64_t zero = first_zero(ledgers);
  Json json = {{"displayTimeUnit", "ms"}, {"otherData", Json::object()}, {"traceEvents", Json::array()}};
  json["otherData"]["clock"] =
      "Each rank's times come from its own monotonic clock, laid on the real-time clock once, at its start. Ranks of one host "
      "share "
      "that clock. Ranks of different hosts lie beside one another as well as their hosts' clocks agree, which was not measured.";
  json["otherData"]["ranks"] = Json::array();
  for (const RankLedger& ledger : ledgers) {
    json["otherData"]["ranks"].push_back(clock_of(ledger));
    Json& events = json["traceEvents"];
    events.push_back(
        named("process_name", ledger.rank, phase_track, "rank " + std::to_string(ledger.rank) + " on " + ledger.host));
    events.push_back(named("thread_name", ledger.rank, phase_track, "phases"));
    events.push_back(named("thread_name", ledger.rank, call_track, "MPI"));
    const double offset = static_cast<double>(ledger.clock.realtime - zero) / 1e3;
    for (const Event& event : ledger.timeline.events) events.push_back(slice(ledger, event, offset));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_trace(const std::filesystem::path& path, const std::vector<RankLedger>& ledgers) {
  write_file(path, trace_json(ledgers));
}

}  // namespace hiple::mpi
