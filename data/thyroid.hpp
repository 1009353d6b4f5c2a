#pragma once

#include <cstddef>
#include <filesystem>

namespace hiple::data {

/// Changes the published records (thyroid0387.data; UCI "Thyroid Disease") into the CSV that configs/thyroid/schema.yaml
/// describes: the case id is the record's own number, the attributes stay as they are (`?` and odd ages included), and the
/// diagnosis becomes the answers of thyroid_diagnosis.hpp. Every record becomes one row. Returns their number. Throws InputError
/// with all problems at their places: another number of fields, an unknown letter, a record number that stands twice.
std::size_t convert_thyroid(const std::filesystem::path& published, const std::filesystem::path& path);

}  // namespace hiple::data
