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

struct Content {
  std::uint64_t size = 0;
  std::string sha256;
  [[nodiscard]] std::string text() const { return std::to_string(size) + " " + sha256; }
};

/// What follows the first `skipped` bytes.
Content content(std::istream& stream, std::uint64_t skipped, const std::filesystem::path& path) {
  constexpr std::size_t portion = std::size_t{1} << 20;
  Sha256 hash;
  std::uint64_t size = 0;
  std::vector<char> buffer(portion);
  stream.clear();
  stream.seekg(static_cast<std::streamoff>(skipped));
  while (stream.read(buffer.data(), portion) || stream.gcount() > 0) {
    const auto count = static_cast<std::size_t>(stream.gcount());
    hash.update(std::string_view(buffer.data(), count));
    size += count;
  }
  if (stream.bad()) throw Error(path.string() + ": cannot be read");
  return {size, hash.digest()};
}

/// The first line of the user block, without the mark; empty where there is no seal.
std::string sealed_text(std::string_view block) {
  if (block.size() < seal_bytes || !block.starts_with(mark)) return {};
  return std::string(block.substr(mark.size(), block.substr(0, seal_bytes).find('\n') - mark.size()));
}

SealCheck compare(const std::string& sealed, const Content& found) {
  if (sealed.empty()) return {false, {}, found.sha256};
  if (found.text() == sealed) return {true, {}, found.sha256};
  const auto sealed_size = parse_unsigned(split(sealed, ' ').front());
  if (sealed_size && found.size < *sealed_size)
    return {
        true, "it is truncated: " + std::to_string(found.size) + " of " + std::to_string(*sealed_size) + " bytes are left", {}};
  return {true, "its content does not fit its checksum", {}};
}

}  // namespace

void write_seal(const std::filesystem::path& path) {
  std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
  std::string text = std::string(mark) + content(stream, seal_bytes, path).text() + "\n";
  text.resize(seal_bytes, '\0');
  stream.clear();
  stream.seekp(0);
  stream.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
  if (!stream) throw Error(path.string() + ": its checksum cannot be written");
}

SealCheck check_seal(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::array<char, seal_bytes> block{};
  stream.read(block.data(), block.size());
  const std::string sealed = sealed_text({block.data(), static_cast<std::size_t>(stream.gcount())});
  return compare(sealed, content(stream, sealed.empty() ? 0 : seal_bytes, path));
}

SealCheck check_seal(std::span<const char> file) {
  const std::string_view all(file.data(), file.size());
  const std::string sealed = sealed_text(all);
  const std::string_view rest = sealed.empty() ? all : all.substr(seal_bytes);
  return compare(sealed, {rest.size(), sha256(rest)});
}

}  // namespace hiple::h5
