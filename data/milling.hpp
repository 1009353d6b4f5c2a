#pragma once

#include <cstdint>
#include <filesystem>

#include "table/schema.hpp"

namespace hiple::data {

enum class TableFormat : std::uint8_t { csv, h5 };

/// The columns of configs/milling/schema.yaml.
Schema milling_schema();

/// Writes `rows` cycles of a milling machine by the recipe of AI4I 2020 (S. Matzka, "Explainable Artificial Intelligence for
/// Predictive Maintenance Applications", AI4I 2020, pp. 69-74). A function of rows and seed alone: the same bytes every time as
/// CSV (HDF5 files also hold the time they were made). Memory does not grow with the number of rows. milling_recipe.hpp tells
/// what the paper leaves open. Throws InputError without rows, Error where the file cannot be written.
void generate_milling(const std::filesystem::path& path, std::uint64_t rows, std::uint64_t seed, TableFormat format);

/// Changes the published table (ai4i2020.csv; UCI 601) into our columns; case ids are its UDI. Throws InputError with the place
/// of what does not fit.
void convert_milling(const std::filesystem::path& published, const std::filesystem::path& path, TableFormat format);

}  // namespace hiple::data
