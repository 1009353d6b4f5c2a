#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

/// A file's checksum in the user block in front of its HDF5 content. The HDF5 library trusts what it reads: with one byte of its
/// structures changed it may crash, or hand out other values, and its own checksums cover the values of data sets alone. So our
/// files are checked whole before it sees them. (An attacker can seal a file anew: the seal is against damage.)
namespace hiple::h5 {

/// Bytes that HDF5 leaves to us at the beginning: the smallest user block there is.
inline constexpr std::uint64_t seal_bytes = 512;

/// Writes size and SHA-256 of all that follows the user block into it. Throws Error.
void write_seal(const std::filesystem::path& path);

struct SealCheck {
  bool sealed = false;
  std::string fault;   ///< why the content is not what was sealed; empty where it is
  std::string sha256;  ///< of the content; of all of it where there is no seal
};
/// Throws Error where the file cannot be read.
SealCheck check_seal(const std::filesystem::path& path);
/// Of a file that was read into memory.
SealCheck check_seal(std::span<const char> file);

}  // namespace hiple::h5
