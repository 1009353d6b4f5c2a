#include "h5/seal.hpp"

#include <array>
#include <fstream>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"

namespace hiple::h5 {

namespace {

constexpr std::string_view mark = "hiple sha256 ";

/// Size and SHA-256 of what follows the user block.
std::string content(std::istream& stream, const std::filesystem::path& path) {
  constexpr std::size_t portion = std::size_t{1} << 20;
  Sha256 hash;
  std::uint64_t size = 0;
  std::vector<char> buffer(portion);
  stream.seekg(static_cast<std::streamoff>(seal_bytes));
  while (stream.read(buffer.data(), portion) || stream.gcount() > 0) {
    const auto count = static_cast<std::size_t>(stream.gcount());
    hash.update(std::string_view(buffer.data(), count));
    size += count;
  }
  if (stream.bad()) throw Error(path.string() + ": cannot be read");
  return std::to_string(size) + " " + hash.digest();
}

/// The first line of the user block, without the mark; empty where there is no seal.
std::string sealed_text(std::istream& stream) {
  std::array<char, seal_bytes> block{};
  if (!stream.read(block.data(), block.size())) return {};
  const std::string_view text(block.data(), block.size());
  if (!text.starts_with(mark)) return {};
  return std::string(text.substr(mark.size(), text.find('\n') - mark.size()));
}

}  // namespace

void write_seal(const std::filesystem::path& path) {
  std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
  std::string text = std::string(mark) + content(stream, path) + "\n";
  text.resize(seal_bytes, '\0');
  stream.clear();
  stream.seekp(0);
  stream.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
  if (!stream) throw Error(path.string() + ": its checksum cannot be written");
}

SealCheck check_seal(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string sealed = sealed_text(stream);
  if (sealed.empty()) return {};
  stream.clear();
  const std::string found = content(stream, path);
  if (found == sealed) return {true, {}};
  const auto sealed_size = parse_unsigned(split(sealed, ' ').front()), size = parse_unsigned(split(found, ' ').front());
  if (sealed_size && size && *size < *sealed_size)
    return {true, "it is truncated: " + std::to_string(*size) + " of " + std::to_string(*sealed_size) + " bytes are left"};
  return {true, "its content does not fit its checksum"};
}

}  // namespace hiple::h5
