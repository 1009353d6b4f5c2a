#include "config/yaml_trace.hpp"

#include <stdexcept>

namespace hiple::yaml {

namespace {

thread_local Trace* living = nullptr;

std::tuple<std::string, std::size_t, std::size_t> key_of(const Place& place) { return {place.file, place.line, place.column}; }

}  // namespace

Trace::Trace() {
  if (living != nullptr) throw std::logic_error("a second trace on one thread");
  living = this;
}

Trace::~Trace() { living = nullptr; }

Trace* Trace::current() { return living; }

void Trace::note_map(const Place& place) { maps_.try_emplace(key_of(place)); }

void Trace::note_key(const Place& map, const std::string& key, const Wanted& wanted) {
  Wanted& known = maps_[key_of(map)][key];
  const bool required = known.required || wanted.required;
  if (wanted.type != Wanted::Type::any) known = wanted;
  known.required = required;
}

void Trace::note_scalar(const Place& place, Wanted::Type type) { scalars_[key_of(place)] = type; }

const Trace::Keys* Trace::keys_of(const Place& map) const {
  const auto found = maps_.find(key_of(map));
  return found == maps_.end() ? nullptr : &found->second;
}

Wanted::Type Trace::type_of(const Place& scalar) const {
  const auto found = scalars_.find(key_of(scalar));
  return found == scalars_.end() ? Wanted::Type::any : found->second;
}

}  // namespace hiple::yaml
