#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "base/error.hpp"

/// What loaders ask of a document, noted while they read it: the source of the JSON Schemas that editors use (json_schema.hpp).
namespace hiple::yaml {

/// What a loader wants at one place: the type, its limits, and what it takes where there is nothing.
struct Wanted {
  enum class Type { any, text, boolean, integer, real, texts, choice, duration };
  using Fallback = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::string>>;

  Type type = Type::any;
  std::optional<double> low = {}, high = {};  ///< of an integer and of a real
  std::vector<std::string> choices = {};      ///< of a choice
  Fallback fallback = {};                     ///< of an optional key; a duration's is in seconds
  bool required = false;                      ///< of a key: the loader cannot do without it
};

/// Notes, while it lives, what is asked of documents on its thread. One at a time on a thread.
class Trace {
 public:
  Trace();
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// The trace that lives on this thread, or null.
  static Trace* current();

  /// A map was opened by a reader: keys that it does not ask for are refused.
  void note_map(const Place& place);
  /// A key of a map was asked for. What was said before is kept where `wanted` says nothing new.
  void note_key(const Place& map, const std::string& key, const Wanted& wanted);
  /// A scalar was read as a type.
  void note_scalar(const Place& place, Wanted::Type type);

  using Keys = std::map<std::string, Wanted>;
  /// The keys that were asked for, or null where no reader opened a map.
  [[nodiscard]] const Keys* keys_of(const Place& map) const;
  /// How a scalar was read, or `any`.
  [[nodiscard]] Wanted::Type type_of(const Place& scalar) const;

 private:
  using Key = std::tuple<std::string, std::size_t, std::size_t>;
  std::map<Key, Keys> maps_;
  std::map<Key, Wanted::Type> scalars_;
};

}  // namespace hiple::yaml
