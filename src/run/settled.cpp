#include "run/settled.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/date.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"

namespace hiple {

namespace {

std::string line(const std::string& first, const std::string& now, const std::string& time) {
  const auto shown = [](const std::string& hash) { return hash.empty() ? std::string("none") : hash; };
  if (time.empty()) return shown(now) + ", not settled before the run";
  if (first == now) return fmt::format("{}, settled {}, before the run", shown(now), time);
  return fmt::format("{}, CHANGED since the run started {}, with {}", shown(now), time, shown(first));
}

}  // namespace

Settled settle(const PreparedRun& run) {
  return {utc_now(), run.law.sha256(), run.gates ? sha256(run.gates->canonical()) : std::string(),
          run.gate_state ? run.gate_state->report : std::string()};
}

std::vector<Settled> read_settled(const std::filesystem::path& build_record) {
  std::vector<Settled> settled;
  if (!std::filesystem::exists(build_record)) return settled;
  try {
    const auto record = nlohmann::json::parse(read_file(build_record));
    for (const auto& entry : record.value("settled", nlohmann::json::array()))
      settled.push_back({entry.at("time"), entry.at("law"), entry.at("gates"), entry.value("report", std::string())});
  } catch (const nlohmann::json::exception& error) {
    throw InputError(Place{build_record.string()}, "is no record of a run's start", error.what(), "start anew with --fresh");
  }
  return settled;
}

std::vector<std::pair<std::string, std::string>> settled_lines(const std::vector<Settled>& settled, const Settled& now) {
  const Settled first = settled.empty() ? Settled{} : settled.front();
  std::vector<std::pair<std::string, std::string>> lines = {{"law", line(first.law, now.law, first.time)}};
  if (!first.gates.empty() || !now.gates.empty()) lines.emplace_back("gates", line(first.gates, now.gates, first.time));
  if (!first.report.empty() || !now.report.empty()) lines.emplace_back("gate report", line(first.report, now.report, first.time));
  return lines;
}

}  // namespace hiple
