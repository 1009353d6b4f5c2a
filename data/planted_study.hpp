#pragma once

#include <filesystem>

#include "data/milling.hpp"
#include "data/planted_world.hpp"
#include "table/schema.hpp"

namespace hiple::data {

/// The columns of a planted world's table: those of the plant, then for each domain its sensors and alarm and, as labels, its
/// true finding and whether it is needed.
Schema planted_schema(const PlantedWorld& world);

/// Writes the table of `rows` cases, in portions: memory grows with the domains (about 2 MB each), not with the rows.
void write_planted_table(const std::filesystem::path& path, const PlantedWorld& world, std::uint64_t rows, TableFormat format);

/// The files of a study of that table. `table`: its name; `output`: where the run goes.
std::string planted_schema_yaml(const PlantedWorld& world);
std::string planted_run_yaml(const PlantedWorld& world, std::uint64_t rows, const std::string& table, const std::string& output);
std::string planted_law_yaml(const PlantedWorld& world);
std::string planted_critical_yaml(const PlantedWorld& world);
std::string planted_gates_yaml(const PlantedWorld& world);

/// Makes a folder that `hiple run FOLDER/run.yaml` runs as it is: table, schema, run, law, critical findings and gates. The
/// folder must be new or empty; where anything fails, it is left as it was. Throws InputError: options out of range, no rows, a
/// folder that holds something; Error where a file cannot be written.
void generate_planted(const std::filesystem::path& folder, const PlantedOptions& options, std::uint64_t rows, TableFormat format);

}  // namespace hiple::data
