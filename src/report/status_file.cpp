#include "report/status_file.hpp"

#include <nlohmann/json.hpp>

#include "base/build_info.hpp"
#include "base/date.hpp"
#include "base/error.hpp"
#include "base/file.hpp"

namespace hiple::report {

namespace {

bool is_state(const std::string& state) { return state == "complete" || state == "partial" || state == "failed"; }

}  // namespace

void write_status(const std::filesystem::path& path, const StatusRecord& record) {
  if (!is_state(record.state)) throw Error(path.string() + ": \"" + record.state + "\" is no state of a run");
  nlohmann::ordered_json json = {{"state", record.state},
                                 {"name", record.name},
                                 {"engines", record.engines},
                                 {"available", record.engines - record.missing.size()},
                                 {"missing", nlohmann::json::array()},
                                 {"cases", record.cases},
                                 {"questions", record.questions},
                                 {"decided", record.decided},
                                 {"abstained", record.abstained},
                                 {"escalated", record.escalated},
                                 {"judgments", record.judged},
                                 {"root", record.root},
                                 {"software", software()},
                                 {"time", utc_now()}};
  for (const auto& [engine, reason] : record.missing) json["missing"].push_back({{"engine", engine}, {"reason", reason}});
  if (const auto& seconds = record.rank_seconds) {
    json["rank_seconds"] = {{"useful", seconds->useful},     {"repeated", seconds->repeated},
                            {"waiting", seconds->waiting},   {"lost", seconds->lost},
                            {"attempts", seconds->attempts}, {"failed_attempts", seconds->failed_attempts}};
  }
  if (!record.reason.empty()) json["reason"] = record.reason;
  // A reason may hold bytes from anywhere; they must not cost us the record.
  write_file(path, json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

StatusRecord read_status(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  StatusRecord record;
  try {
    const auto json = nlohmann::json::parse(text);
    json.at("state").get_to(record.state);
    record.reason = json.value("reason", "");
    json.at("name").get_to(record.name);
    json.at("engines").get_to(record.engines);
    for (const auto& missing : json.at("missing")) record.missing.emplace_back(missing.at("engine"), missing.at("reason"));
    json.at("cases").get_to(record.cases);
    json.at("questions").get_to(record.questions);
    json.at("decided").get_to(record.decided);
    json.at("abstained").get_to(record.abstained);
    json.at("escalated").get_to(record.escalated);
    json.at("root").get_to(record.root);
    if (const auto seconds = json.find("rank_seconds"); seconds != json.end()) {
      RankSeconds& read = record.rank_seconds.emplace();
      seconds->at("useful").get_to(read.useful);
      seconds->at("repeated").get_to(read.repeated);
      seconds->at("waiting").get_to(read.waiting);
      seconds->at("lost").get_to(read.lost);
      seconds->at("attempts").get_to(read.attempts);
      seconds->at("failed_attempts").get_to(read.failed_attempts);
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError(Place{path.string()}, "is no record of a run", error.what());
  }
  if (!is_state(record.state)) throw InputError(Place{path.string()}, "\"" + record.state + "\" is no state of a run");
  return record;
}

}  // namespace hiple::report
