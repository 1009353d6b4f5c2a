#include "config/run_config.hpp"
#include "feeding.hpp"
#include "law/law.hpp"
#include "targets.hpp"

namespace hiple::fuzz {

namespace {

const std::filesystem::path study = std::filesystem::path(HIPLE_SOURCE_DIR) / "configs/thyroid";

std::vector<law::EngineDescription> engines_of(const Schema& schema) {
  std::vector<law::EngineDescription> engines;
  for (const EngineConfig& engine : load_run_config(study / "run.yaml").engines)
    engines.push_back({engine.name, schema.columns.at(schema.find(engine.target).value()).values});
  return engines;
}

}  // namespace

void feed_law(std::string_view input) {
  constexpr std::int32_t as_of = 20000;
  static const Schema schema = load_schema(study / "schema.yaml");
  static const auto engines = engines_of(schema);
  const auto read = [&] { return law::Law::parse(input, study / "law.yaml", schema, engines, as_of); };
  refusing([&] {
    const law::Law law = read();
    check(!law.canonical().empty(), "a law has a canonical text");
    check(read().sha256() == law.sha256(), "the same text is the same law");
    check(law.questions().size() == law.findings().size(), "every question has its findings");
    for (const std::string& critical : law.critical()) check(!law.covered_by(critical).empty(), "a finding covers itself");
    check(law.closed("report").closed_by() == "report", "a law can be closed");
  });
}

}  // namespace hiple::fuzz
