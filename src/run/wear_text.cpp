#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "gate/sequence.hpp"
#include "report/text_table.hpp"
#include "run/wear.hpp"

namespace hiple {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> row_of(const std::string& engine, const WearSignal& signal) {
  if (!signal.why.empty()) return {engine, signal.name, "-", "-", "-", "not measured"};
  return {engine,
          signal.name,
          fmt::format("{} of {}", signal.against, signal.cases),
          fmt::format("{:.3f}", static_cast<double>(signal.against) / static_cast<double>(signal.cases)),
          fmt::format("{:.3f}", signal.allowed),
          signal.shown ? "WORN since " + signal.begins[signal.drift.since] : "no wear shown"};
}

Json json_of(const WearSignal& signal) {
  Json json = {{"signal", signal.name}, {"cases", signal.cases}, {"against", signal.against}};
  if (!signal.why.empty()) {
    json["why"] = signal.why;
    return json;
  }
  json["allowed"] = signal.allowed;
  json["shown"] = signal.shown;
  json["probability_at_any_look"] = gate::probability_at_any_look(signal.drift.log_evidence);
  if (signal.shown) {
    json["since"] = signal.begins[signal.drift.since];
    json["seen_in_window"] = signal.drift.seen + 1;
  }
  json["windows"] = Json::array();
  for (std::size_t i = 0; i < signal.windows.size(); ++i)
    json["windows"].push_back({{"from", signal.begins[i]}, {"cases", signal.windows[i].n}, {"against", signal.windows[i].count}});
  return json;
}

}  // namespace

std::string to_text(const Wear& wear) {
  std::string text =
      fmt::format("order     by {}, {} cases a window\n", wear.by.empty() ? "the ids of cases" : wear.by, wear.window);
  if (wear.unordered > 0) text += fmt::format("left out  {} cases without {}\n", wear.unordered, wear.by);
  std::vector<std::vector<std::string>> rows = {{"engine", "watched", "against it", "share", "allowed", "verdict"}};
  for (const EngineWear& engine : wear.engines)
    for (const WearSignal& signal : engine.signals)
      rows.push_back(row_of(&signal == &engine.signals.front() ? engine.engine : "", signal));
  text += "\n" + report::text_table(rows, {0, 1, 5}) + "\n";
  for (const EngineWear& engine : wear.engines)
    for (const WearSignal& signal : engine.signals)
      if (!signal.why.empty()) text += fmt::format("{}, {}: not measured: {}\n", engine.engine, signal.name, signal.why);
  for (const EngineWear& engine : wear.engines)
    for (const WearSignal& signal : engine.signals) {
      if (!signal.shown) continue;
      text += signal.name == "typicality"
                  ? fmt::format(
                        "{0} is worn: its domain has moved away; train it anew on cases of today (`hiple add-engine DIR "
                        "--retrain {0} --run NEW.yaml`)\n",
                        engine.engine)
                  : fmt::format(
                        "{} is worn, or rules that read it are wrong: evidence contradicts them too often; `hiple evidence "
                        "verify` says which\n",
                        engine.engine);
    }
  return text;
}

std::string to_json(const Wear& wear) {
  Json json = {{"by", wear.by.empty() ? Json(nullptr) : Json(wear.by)},
               {"window", wear.window},
               {"unordered", wear.unordered},
               {"engines", Json::array()}};
  for (const EngineWear& engine : wear.engines) {
    Json one = {{"engine", engine.engine}, {"worn", engine.worn()}, {"signals", Json::array()}};
    for (const WearSignal& signal : engine.signals) one["signals"].push_back(json_of(signal));
    json["engines"].push_back(one);
  }
  return json.dump(1) + "\n";
}

}  // namespace hiple
