#include "config/yaml.hpp"

namespace hiple::yaml {

namespace {

/// What the first byte of a sequence says: how many bytes follow it, and the range of the first of them, which rules out
/// overlong forms, surrogates and numbers above U+10FFFF.
struct Lead {
  std::size_t following = 0;
  unsigned low = 0x80, high = 0xBF;
  bool valid = true;
};

Lead lead_of(unsigned byte) {
  if (byte > 0 && byte < 0x80) return {0};
  if (byte >= 0xC2 && byte <= 0xDF) return {1};
  if (byte == 0xE0) return {2, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {2};
  if (byte == 0xF0) return {3, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {3};
  if (byte == 0xF4) return {3, 0x80, 0x8F};
  return {0, 0, 0, false};
}

}  // namespace

std::optional<std::size_t> invalid_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  for (std::size_t i = 0; i < text.size();) {
    Lead lead = lead_of(byte(i));
    if (!lead.valid || lead.following >= text.size() - i) return i;
    for (std::size_t k = 1; k <= lead.following; ++k) {
      if (byte(i + k) < lead.low || byte(i + k) > lead.high) return i;
      lead.low = 0x80;
      lead.high = 0xBF;
    }
    i += lead.following + 1;
  }
  return std::nullopt;
}

}  // namespace hiple::yaml
