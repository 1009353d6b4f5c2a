#pragma once

#include <cstddef>
#include <filesystem>

#include "data/milling.hpp"
#include "table/schema.hpp"

namespace hiple::data {

/// The columns of configs/hydraulic/schema.yaml: of each of 17 sensors the series of its 60 seconds, `PS2`, and that of twelve
/// means of five seconds, `PS2_mean`, of which `PS2_mean_01` is that of the seconds 5 to 9; the state of four components; `run`,
/// the number of the stretch of cycles in which no state changed, from 1; and `fold`, 1 to 5, to which whole stretches are dealt
/// in turn.
Schema hydraulic_schema();

/// Changes the published cycles (UCI 447, "Condition monitoring of hydraulic systems"; N. Helwig, E. Pignanelli, A. Schuetze,
/// I2MTC 2015) into that table. `folder` holds profile.txt and for each sensor NAME.txt or NAME_1hz.tsv: a line a cycle, 60
/// values, one a second. Case ids are the cycles, from 1. Returns their number. Throws InputError with file, line and field of
/// what does not fit: another number of lines or values, no number, a state that is none.
std::size_t convert_hydraulic(const std::filesystem::path& folder, const std::filesystem::path& path, TableFormat format);

}  // namespace hiple::data
