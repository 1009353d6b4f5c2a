#pragma once

#include <cstdint>
#include <string>

/// Names inside an HDF5 table (format "hiple table"): /case_id u64[n]; for each column /columns/NAME with attributes `type` and
/// `unit` (real f64, integer i64, category i32 code, boolean u8, date i32 days since 1970-01-01), /cells/NAME u8 (0 known, 1
/// missing, 2 invalid), and for a category /values/NAME, the texts that its codes stand for.
namespace hiple::format {

inline constexpr const char* name = "hiple table";
inline constexpr std::uint32_t version = 1;
inline constexpr const char* case_id = "/case_id";
inline std::string column(const std::string& column) { return "/columns/" + column; }
inline std::string cells(const std::string& column) { return "/cells/" + column; }
inline std::string values(const std::string& column) { return "/values/" + column; }

}  // namespace hiple::format
