#include "run/attempt_record.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"

namespace hiple {

namespace {

void add_line(const std::filesystem::path& path, const nlohmann::ordered_json& json) {
  make_folder(path.parent_path());
  std::ofstream stream(path, std::ios::app);
  stream << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (!stream.flush()) throw Error(path.string() + ": cannot be written");
}

void read_line(const nlohmann::json& json, std::vector<AttemptRecord>& records) {
  const auto attempt = json.at("attempt").get<std::uint64_t>();
  if (json.contains("begun")) {
    AttemptRecord& record = records.emplace_back();
    record.attempt = attempt;
    json.at("begun").get_to(record.begun);
    json.at("host").get_to(record.where);
    json.at("process").get_to(record.process);
    record.rank = json.value("rank", -1);
    record.at_once = json.value("at_once", std::uint64_t{1});
    return;
  }
  const auto found = std::find_if(records.rbegin(), records.rend(), [&](const auto& r) { return r.attempt == attempt; });
  if (found == records.rend()) return;
  found->has_end = true;
  json.at("outcome").get_to(found->outcome);
  json.at("reason").get_to(found->reason);
  json.at("first_step").get_to(found->first_step);
  json.at("last_step").get_to(found->last_step);
  json.at("useful").get_to(found->seconds.useful);
  json.at("repeated").get_to(found->seconds.repeated);
  json.at("lost").get_to(found->seconds.lost);
}

}  // namespace

Goodput& Goodput::operator+=(const Goodput& other) {
  useful += other.useful;
  repeated += other.repeated;
  lost += other.lost;
  return *this;
}

void write_attempt_begin(const std::filesystem::path& path, const AttemptRecord& record) {
  add_line(path, {{"attempt", record.attempt},
                  {"begun", record.begun},
                  {"host", record.where},
                  {"process", record.process},
                  {"rank", record.rank},
                  {"at_once", record.at_once}});
}

void write_attempt_end(const std::filesystem::path& path, const AttemptRecord& record) {
  add_line(path, {{"attempt", record.attempt},
                  {"outcome", record.outcome},
                  {"reason", record.reason},
                  {"first_step", record.first_step},
                  {"last_step", record.last_step},
                  {"useful", record.seconds.useful},
                  {"repeated", record.seconds.repeated},
                  {"lost", record.seconds.lost}});
}

std::vector<AttemptRecord> read_attempts(const std::filesystem::path& path) {
  std::vector<AttemptRecord> records;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    try {
      read_line(nlohmann::json::parse(line), records);
    } catch (const nlohmann::json::exception&) {
      continue;  // cut short by the end of its writer
    }
  }
  return records;
}

std::uint64_t next_attempt(const std::filesystem::path& path) {
  std::uint64_t last = 0;
  for (const AttemptRecord& record : read_attempts(path)) last = std::max(last, record.attempt);
  return last + 1;
}

}  // namespace hiple
