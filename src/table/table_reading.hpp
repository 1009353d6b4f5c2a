#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/table.hpp"

namespace hiple {

/// read_table(), which calls `beat` as rows of CSV and columns of HDF5 are read: to show that the work goes on. May be empty.
Table read_table(const std::filesystem::path& path, const Schema& schema, std::span<const std::string> wanted,
                 const std::function<void()>& beat);

}  // namespace hiple

/// The parts of read_table(), for both kinds of file.
namespace hiple::reading {

/// More problems than these are not told one by one.
inline constexpr std::size_t most_problems = 20;
/// Invalid cells that a Table remembers as texts.
inline constexpr std::size_t most_invalid_texts = 5;

/// Throws all problems, with a word that there are more, once there are `most_problems`.
void stop_if_too_many(Problems& problems, const std::filesystem::path& path);

/// The schema cut down to the wanted columns and the id; all of it if none is named. Throws Error: an unknown name.
Schema kept_columns(const Schema& schema, std::span<const std::string> wanted);

/// For each name in a file the schema's column. Problems: names that the schema lacks, names that stand twice, columns that the
/// file lacks (unless their role is `ignore`).
std::vector<std::optional<std::size_t>> match_names(std::span<const std::string> names, const Schema& schema,
                                                    const std::function<Place(std::size_t)>& place_of, const Place& table,
                                                    Problems& problems);

/// Sorts by case id. Throws InputError with both places of ids that stand twice; `places_of` is asked for the places of rows.
void sort_by_case(Table& table, const std::function<std::vector<Place>(std::span<const std::size_t>)>& places_of);

Table read_csv(const std::filesystem::path& path, const Schema& schema, const Schema& kept, const std::function<void()>& beat);
Table read_h5(const std::filesystem::path& path, const Schema& schema, const Schema& kept, const std::function<void()>& beat);
void check_csv_header(const std::filesystem::path& path, const Schema& schema);
void check_h5_names(const std::filesystem::path& path, const Schema& schema);

}  // namespace hiple::reading
