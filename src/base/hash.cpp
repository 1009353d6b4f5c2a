#include "base/hash.hpp"

#include <openssl/evp.h>

#include <fstream>
#include <vector>

#include "base/error.hpp"

namespace hiple {

namespace {

/// Looked up once: libcrypto takes longer to find an algorithm by its name than to hash a hundred bytes.
const EVP_MD* algorithm() {
  static EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return found;
}

}  // namespace

struct Sha256::Context {
  EVP_MD_CTX* handle = EVP_MD_CTX_new();
  Context() {
    if (handle == nullptr || EVP_DigestInit_ex(handle, algorithm(), nullptr) != 1) throw Error("SHA-256 cannot be started");
  }
  ~Context() { EVP_MD_CTX_free(handle); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

Sha256& Sha256::update(std::string_view bytes) {
  if (EVP_DigestUpdate(context_->handle, bytes.data(), bytes.size()) != 1) throw Error("SHA-256 failed");
  return *this;
}

Sha256& Sha256::update(std::span<const std::byte> bytes) {
  return update(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

Sha256& Sha256::update(const Bytes& digest) { return update(std::as_bytes(std::span(digest))); }

Sha256& Sha256::update_text(std::string_view text) { return update_number(text.size()).update(text); }

Sha256& Sha256::update_number(std::uint64_t number) {
  std::array<char, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>((number >> (8 * i)) & 0xff);
  return update(std::string_view(bytes.data(), bytes.size()));
}

Sha256::Bytes Sha256::bytes() {
  Bytes digest{};
  if (EVP_DigestFinal_ex(context_->handle, digest.data(), nullptr) != 1) throw Error("SHA-256 failed");
  return digest;
}

std::string Sha256::digest() { return hexadecimal(bytes()); }

std::string hexadecimal(const Sha256::Bytes& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string sha256(std::string_view bytes) { return Sha256().update(bytes).digest(); }

std::string sha256_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Error(path.string() + ": cannot be read");
  Sha256 hash;
  std::vector<char> block(std::size_t{1} << 20);
  while (stream) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    hash.update(std::string_view(block.data(), static_cast<std::size_t>(stream.gcount())));
  }
  if (stream.bad()) throw Error(path.string() + ": reading failed");
  return hash.digest();
}

}  // namespace hiple
