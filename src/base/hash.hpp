#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hiple {

/// SHA-256 (FIPS 180-4) of a stream of bytes, by libcrypto.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  Sha256& update(std::string_view bytes);
  Sha256& update(std::span<const std::byte> bytes);
  using Bytes = std::array<unsigned char, 32>;
  Sha256& update(const Bytes& digest);
  /// The length first, then the text: two texts in a row cannot be confused with another pair.
  Sha256& update_text(std::string_view text);
  /// Eight bytes, little endian.
  Sha256& update_number(std::uint64_t number);
  /// The digest. Ends the stream: nothing may follow.
  [[nodiscard]] Bytes bytes();
  /// The same as 64 hexadecimal digits.
  [[nodiscard]] std::string digest();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// 64 hexadecimal digits, lower case.
std::string hexadecimal(const Sha256::Bytes& digest);

/// SHA-256 of a text, as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// SHA-256 of a file's content. Throws Error with the path where it cannot be read.
std::string sha256_file(const std::filesystem::path& path);

}  // namespace hiple
