#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

/// YAML as plain data with positions. Only yaml.cpp knows the YAML library, which accepts duplicate keys and reads 010 as 8
/// and `no` as false: here a scalar stays a text until somebody asks for a type, and then it is read strictly.
namespace hiple::yaml {

struct Entry;
struct Wanted;

/// A node of a document: nothing, a scalar, a sequence or a map.
class Node {
 public:
  enum class Kind { null, scalar, sequence, map };

  Kind kind = Kind::null;
  Place place;
  std::string text;            ///< of a scalar
  Place text_place;            ///< of a scalar's first character: behind a quote, in the line after | or >
  bool quoted = false;         ///< a scalar in quotes is a text, whatever it looks like
  std::vector<Node> items;     ///< of a sequence
  std::vector<Entry> entries;  ///< of a map, in the order of the file; keys are unique

  [[nodiscard]] bool is_map() const { return kind == Kind::map; }
  [[nodiscard]] bool is_sequence() const { return kind == Kind::sequence; }
  [[nodiscard]] bool is_scalar() const { return kind == Kind::scalar; }
  /// "a map", "a sequence", "a text" ...: for messages.
  [[nodiscard]] std::string description() const;
  /// The place of the character at `offset` of a scalar's text (exact where the text stands in the file as it is: on one
  /// line or as a block with |, without escapes).
  [[nodiscard]] Place place_of(std::size_t offset) const;
};

struct Entry {
  std::string key;
  Place place;
  Node value;
};

/// Offset of the first byte that is not part of UTF-8 text (RFC 3629; a zero byte counts as none), or nothing.
std::optional<std::size_t> invalid_utf8(std::string_view text);

/// Reads one document. Throws InputError: syntax, duplicate keys, keys that are no scalars, anchors that expand to more than
/// a million nodes, several documents, an empty file.
Node load(const std::filesystem::path& path);
Node parse(std::string_view text, const std::string& file);

/// The scalar as a value, strictly; on anything else a problem at its place and nothing. `what` names it in the message.
/// Integers have no leading zeros, booleans are `true` and `false`, reals are finite decimals.
std::optional<std::string> as_text(const Node& node, std::string_view what, Problems& problems);
std::optional<bool> as_boolean(const Node& node, std::string_view what, Problems& problems);
std::optional<std::int64_t> as_integer(const Node& node, std::string_view what, Problems& problems);
std::optional<double> as_real(const Node& node, std::string_view what, Problems& problems);
std::optional<std::vector<std::string>> as_texts(const Node& node, std::string_view what, Problems& problems);

/// Reads a map key by key and remembers which keys were asked for; finish() reports every other one with the nearest right
/// name. Problems are gathered, not thrown: the caller ends with problems.throw_if_any().
class MapReader {
 public:
  /// Reports a problem, and behaves as an empty map, if `node` is no map. `what` names the map: "engine hypo".
  MapReader(const Node& node, std::string what, Problems& problems);

  /// The value of an optional key, or null.
  const Node* find(const std::string& key);
  /// The value of a required key; a problem, and null, where it is missing.
  const Node* require(const std::string& key);

  std::string text(const std::string& key, const std::optional<std::string>& fallback = std::nullopt);
  bool boolean(const std::string& key, std::optional<bool> fallback = std::nullopt);
  /// A number outside [low, high] is a problem at its place.
  std::int64_t integer(const std::string& key, std::int64_t low, std::int64_t high,
                       std::optional<std::int64_t> fallback = std::nullopt);
  double real(const std::string& key, double low, double high, std::optional<double> fallback = std::nullopt);
  std::vector<std::string> texts(const std::string& key, const std::optional<std::vector<std::string>>& fallback = std::nullopt);
  /// One of `allowed`; another value is a problem with the nearest right one.
  std::string choice(const std::string& key, const std::vector<std::string>& allowed,
                     const std::optional<std::string>& fallback = std::nullopt);
  /// A duration such as 90s, 15min, 2h, 1d, in seconds.
  double duration(const std::string& key, std::optional<double> fallback = std::nullopt);

  /// Reports keys that nobody asked for.
  void finish();
  [[nodiscard]] const Place& place() const { return node_->place; }
  [[nodiscard]] const std::string& what() const { return what_; }

 private:
  template <class Value, class Read>
  Value get(const std::string& key, Wanted wanted, const std::optional<Value>& fallback, Read read);
  void note(const std::string& key, const Wanted& wanted) const;
  [[nodiscard]] std::string name_of(const std::string& key) const;

  const Node* node_;
  std::string what_;
  Problems* problems_;
  std::set<std::string> asked_;
};

}  // namespace hiple::yaml
