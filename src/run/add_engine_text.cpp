#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "run/add_engine.hpp"

namespace hiple {

std::string to_text(const EngineAdded& added, std::size_t most) {
  std::string text = fmt::format("version    {} of {}; version {} is kept in {}\n", added.version, added.directory.string(),
                                 added.parent, added.kept.string());
  text +=
      fmt::format("{:<10} {}\n", added.joining.retrained.empty() ? "joined" : "retrained", join(added.joining.trained(), ", "));
  if (added.newer.learned > 0) text += fmt::format("learned    from {} rows outside the training part\n", added.newer.learned);
  if (added.newer.labels_changed) text += "labels     are not those that it was trained with before\n";
  text += fmt::format("unchanged  checkpoints and judgments of {} other engines, byte for byte by SHA-256\n",
                      added.shared.size() - added.asked.size());
  for (const auto& [engine, cases] : added.asked)
    text += fmt::format("asked      {} about {} more cases; its checkpoint and all that it said before are unchanged\n", engine,
                        cases);
  return text + audit::to_text(added.diff, most);
}

std::string to_json(const EngineAdded& added) {
  using Json = nlohmann::ordered_json;
  Json shared = Json::array(), asked = Json::array();
  for (const EngineFiles& files : added.shared)
    shared.push_back(
        {{"engine", files.engine}, {"checkpoint_sha256", files.checkpoint_sha256}, {"judgments_sha256", files.judgments_sha256}});
  for (const auto& [engine, cases] : added.asked) asked.push_back({{"engine", engine}, {"cases", cases}});
  const Json json = {{"version", added.version},
                     {"parent", added.parent},
                     {"added", added.joining.added},
                     {"retrained", added.joining.retrained},
                     {"learned_besides", added.newer.learned},
                     {"labels_changed", added.newer.labels_changed},
                     {"unchanged", shared},
                     {"asked", asked},
                     {"law_before", added.law_before},
                     {"law", added.law},
                     {"root_before", added.root_before},
                     {"root", added.root},
                     {"diff", Json::parse(audit::to_json(added.diff))}};
  return json.dump(1) + "\n";
}

}  // namespace hiple
