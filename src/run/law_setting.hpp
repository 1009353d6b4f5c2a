#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "audit/check.hpp"
#include "law/law.hpp"
#include "table/schema.hpp"

namespace hiple {

/// What a law is read against, named on the command line. The run's table is not looked at: a law can be worked on before
/// there is one.
struct LawOptions {
  std::filesystem::path law;         ///< law.yaml; or a run.yaml, whose law is meant
  std::filesystem::path run;         ///< the run.yaml that names schema and engines; by default the one beside the law
  std::filesystem::path schema;      ///< without a run.yaml: schema.yaml
  std::vector<std::string> engines;  ///< without a run.yaml: "hypo=none,F,G"; "load" for one that predicts a number
  std::string as_of;                 ///< without a run.yaml: the day, 2026-01-31
};

struct LawSetting {
  std::filesystem::path law;
  Schema schema;
  std::vector<law::EngineDescription> engines;
  std::vector<std::string> domains;  ///< of each engine; empty without a run.yaml
  std::int32_t as_of = 0;
  std::optional<Place> evidence = {};  ///< where run.yaml names evidence, which the law of the run heeds
};

/// Throws InputError: no schema or engines are named and no run.yaml stands beside the law; or what is named is wrong.
LawSetting find_law_setting(const LawOptions& options);

/// The law itself, or another version of it, against the setting.
law::Law load_law(const LawSetting& setting);
law::Law load_law(const LawSetting& setting, const std::filesystem::path& law);

/// What the checks of a law are told beside it: domains, and with a table, the smallest and largest known value of each
/// number that the law reads.
audit::CheckOptions check_options(const LawSetting& setting, const law::Law& law, const std::filesystem::path& table);

}  // namespace hiple
