#include "config/run_config.hpp"
#include "feeding.hpp"
#include "targets.hpp"

namespace hiple::fuzz {

void feed_run(std::string_view input) {
  refusing([&] {
    const RunConfig config = load_run_config(file_with("run.yaml", input));
    const std::string text = to_yaml(config);
    const RunConfig again =
        accepting("what is written of a run.yaml can be read", [&] { return load_run_config(file_with("resolved.yaml", text)); });
    check(to_yaml(again) == text, "what is written of a run.yaml reads back as the same");
    check(again.engines.size() == config.engines.size(), "no engine is lost");
    for (std::size_t i = 0; i < config.engines.size(); ++i) {
      check(engine_identity(again, again.engines[i]) == engine_identity(config, config.engines[i]),
            "what is written of an engine trains the same engine");
    }
  });
}

}  // namespace hiple::fuzz
