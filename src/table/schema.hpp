#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace hiple {

enum class ColumnType : std::uint8_t { real, integer, category, boolean, date };
/// input: engines, routes, links and rules may read it. label: only training and gates may. id: the case's number.
enum class ColumnRole : std::uint8_t { input, label, id, ignore };

/// One column, as schema.yaml describes it.
struct ColumnSchema {
  std::string name;
  ColumnType type = ColumnType::real;
  ColumnRole role = ColumnRole::input;
  std::string unit;                                     ///< UCUM; empty where the number is bare
  std::optional<double> low, high;                      ///< `range`: a value outside is invalid (dates: days)
  std::vector<std::string> missing;                     ///< texts that mean "not there"; an empty field always does
  std::vector<std::string> values;                      ///< of a category: the texts it may hold, in the order of its codes
  std::vector<std::string> true_texts = {"true", "1"};  ///< of a boolean
  std::vector<std::string> false_texts = {"false", "0"};
  Place place;  ///< of its name in schema.yaml
};

/// schema.yaml:
///   schema: 1
///   header: true                 # whether a CSV table begins with names; without, columns come in the schema's order
///   columns:
///     - {name: TSH, type: real, unit: mU/L, range: [0, 600], missing: ["?"]}
///     - {name: sex, type: category, values: [F, M], missing: ["?"]}
///     - {name: sick, type: boolean, "true": [t], "false": [f]}
///     - {name: seen, type: date}
///     - {name: record, type: integer, role: id}
///     - {name: hypo, type: category, values: [none, F, G], role: label}
/// Columns of a table that the schema does not name are an error; name them with role `ignore`.
struct Schema {
  std::filesystem::path file;
  bool header = true;
  std::vector<ColumnSchema> columns;

  /// Index of a column, or nothing.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names(ColumnRole role) const;
};

/// Throws InputError with every problem: unknown keys, a name twice, a range upside down, a category without values,
/// several id columns, a missing code that is also a value.
Schema load_schema(const std::filesystem::path& path);

std::string_view name_of(ColumnType type);
std::string_view name_of(ColumnRole role);

}  // namespace hiple
