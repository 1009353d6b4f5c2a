#include <algorithm>

#include "base/text.hpp"
#include "scaling/plan/study.hpp"

namespace hiple::scaling {

std::vector<std::string> Configuration::arguments() const {
  std::vector<std::string> words;
  const auto add = [&](const char* name, const std::string& value) { words.insert(words.end(), {name, value}); };
  add("--strategy", options.strategy);
  if (!options.variant.empty()) add("--variant", options.variant);
  add("--network", options.network);
  add("--batch", std::to_string(options.batch));
  add("--steps", std::to_string(options.steps));
  add("--warmup", std::to_string(options.warmup));
  add("--seed", std::to_string(options.seed));
  if (!options.straggler.empty()) add("--straggler", options.straggler);
  if (options.jitter != "0") add("--jitter", options.jitter);
  if (options.engines > 0) add("--engines", std::to_string(options.engines));
  if (options.spread != "1") add("--spread", options.spread);
  if (options.bucket != MeasureOptions{}.bucket) add("--bucket", std::to_string(options.bucket));
  if (options.micro_batches != MeasureOptions{}.micro_batches) add("--micro-batches", std::to_string(options.micro_batches));
  const MeasureOptions defaults;
  if (options.experts != defaults.experts) add("--experts", std::to_string(options.experts));
  if (options.chosen != defaults.chosen) add("--chosen", std::to_string(options.chosen));
  if (options.capacity != defaults.capacity) add("--capacity", options.capacity);
  if (options.period != defaults.period) add("--period", std::to_string(options.period));
  return words;
}

}  // namespace hiple::scaling
