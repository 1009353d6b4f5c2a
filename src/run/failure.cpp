#include "run/failure.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/date.hpp"
#include "base/file.hpp"
#include "run/host.hpp"

namespace hiple {

void write_failure(const std::filesystem::path& path, const std::string& reason) {
  const nlohmann::ordered_json record = {{"reason", reason}, {"host", host_name()}, {"time", utc_now()}};
  make_folder(path.parent_path());
  // A reason may quote bytes of a damaged table that are no UTF-8.
  write_file(path, record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

std::optional<std::string> read_failure(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) return std::nullopt;
  const auto record = nlohmann::json::parse(stream, nullptr, false);
  if (!record.is_object()) return "failed, with a record that cannot be read: " + path.string();
  return record.value("reason", "failed without a reason");
}

}  // namespace hiple
