#include "run/revise_status.hpp"

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"

namespace hiple {

void tell_status(const RunDirectory& directory, const law::Decisions& decisions, const std::string& summary) {
  write_file(directory.summary(), summary);
  if (!std::filesystem::exists(directory.status())) return;
  try {
    auto status = nlohmann::ordered_json::parse(read_file(directory.status()));
    std::uint64_t count[3] = {0, 0, 0};
    for (const law::Decision& decision : decisions.decisions) ++count[static_cast<std::size_t>(decision.status)];
    status["decided"] = count[0];
    status["abstained"] = count[1];
    status["escalated"] = count[2];
    status["root"] = decisions.root;
    write_file(directory.status(), status.dump() + "\n");
  } catch (const nlohmann::json::exception& error) {
    throw InputError(Place{directory.status().string()}, "is no STATUS of a run", error.what());
  }
}

}  // namespace hiple
