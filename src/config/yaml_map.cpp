#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "config/yaml.hpp"
#include "config/yaml_trace.hpp"

namespace hiple::yaml {

namespace {

std::string range_text(const std::string& low, const std::string& high) {
  return low == high ? "must be " + low : "must be from " + low + " to " + high;
}

/// Seconds in a text such as "90s" or "1.5h".
std::optional<double> parse_duration(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 5> units = {
      {{"ms", 1e-3}, {"min", 60}, {"s", 1}, {"h", 3600}, {"d", 86400}}};
  for (const auto& [unit, seconds] : units) {
    if (!text.ends_with(unit)) continue;
    constexpr double longest = 1e9;  // 32 years: clocks count further, but not by far
    const auto number = parse_real(text.substr(0, text.size() - unit.size()));
    if (number && *number >= 0 && *number * seconds <= longest) return *number * seconds;
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

MapReader::MapReader(const Node& node, std::string what, Problems& problems)
    : node_(&node), what_(std::move(what)), problems_(&problems) {
  if (Trace* trace = Trace::current(); trace != nullptr && node.is_map()) trace->note_map(node.place);
  if (!node.is_map()) problems.add(node.place, what_ + " must be a map", "found " + node.description(), "write key: value");
}

const Node* MapReader::find(const std::string& key) {
  asked_.insert(key);
  note(key, {});
  const auto found = std::find_if(node_->entries.begin(), node_->entries.end(), [&](const Entry& e) { return e.key == key; });
  return found == node_->entries.end() ? nullptr : &found->value;
}

const Node* MapReader::require(const std::string& key) {
  const Node* value = find(key);
  note(key, {.required = true});
  // Where there is no map at all, that is the problem, not each of its keys.
  if (value == nullptr && node_->is_map()) problems_->add(node_->place, what_ + " lacks the key \"" + key + "\"", {}, "add it");
  return value;
}

void MapReader::note(const std::string& key, const Wanted& wanted) const {
  if (Trace* trace = Trace::current(); trace != nullptr && node_->is_map()) trace->note_key(node_->place, key, wanted);
}

std::string MapReader::name_of(const std::string& key) const { return "\"" + key + "\" of " + what_; }

/// The value read by `read`, or the fallback; without a fallback the key is required.
template <class Value, class Read>
Value MapReader::get(const std::string& key, Wanted wanted, const std::optional<Value>& fallback, Read read) {
  if (fallback) wanted.fallback = *fallback;
  const Node* node = fallback ? find(key) : require(key);
  note(key, wanted);
  if (node != nullptr) {
    if (const std::optional<Value> value = read(*node, name_of(key), *problems_)) return *value;
  }
  return fallback.value_or(Value{});
}

std::string MapReader::text(const std::string& key, const std::optional<std::string>& fallback) {
  return get<std::string>(key, {.type = Wanted::Type::text}, fallback, as_text);
}

bool MapReader::boolean(const std::string& key, std::optional<bool> fallback) {
  return get<bool>(key, {.type = Wanted::Type::boolean}, fallback, as_boolean);
}

std::int64_t MapReader::integer(const std::string& key, std::int64_t low, std::int64_t high,
                                std::optional<std::int64_t> fallback) {
  const Wanted wanted = {.type = Wanted::Type::integer, .low = static_cast<double>(low), .high = static_cast<double>(high)};
  return get<std::int64_t>(key, wanted, fallback, [&](const Node& node, const std::string& what, Problems& problems) {
    const auto value = as_integer(node, what, problems);
    if (!value || (*value >= low && *value <= high)) return value;
    problems.add(node.place, what + " is " + std::to_string(*value),
                 "it " + range_text(std::to_string(low), std::to_string(high)));
    return std::optional<std::int64_t>{};
  });
}

double MapReader::real(const std::string& key, double low, double high, std::optional<double> fallback) {
  const Wanted wanted = {.type = Wanted::Type::real, .low = low, .high = high};
  return get<double>(key, wanted, fallback, [&](const Node& node, const std::string& what, Problems& problems) {
    const auto value = as_real(node, what, problems);
    if (!value || (*value >= low && *value <= high)) return value;
    problems.add(node.place, what + " is " + format_real(*value), "it " + range_text(format_real(low), format_real(high)));
    return std::optional<double>{};
  });
}

std::vector<std::string> MapReader::texts(const std::string& key, const std::optional<std::vector<std::string>>& fallback) {
  return get<std::vector<std::string>>(key, {.type = Wanted::Type::texts}, fallback, as_texts);
}

std::string MapReader::choice(const std::string& key, const std::vector<std::string>& allowed,
                              const std::optional<std::string>& fallback) {
  return get<std::string>(key, {.type = Wanted::Type::choice, .choices = allowed}, fallback,
                          [&](const Node& node, const std::string& what, Problems& problems) {
                            auto value = as_text(node, what, problems);
                            if (!value || std::find(allowed.begin(), allowed.end(), *value) != allowed.end()) return value;
                            const auto near = nearest_name(*value, allowed);
                            problems.add(node.place, what + " is " + node.description(), "accepted: " + join(allowed, ", "),
                                         near ? "did you mean \"" + *near + "\"?" : std::string());
                            return std::optional<std::string>{};
                          });
}

double MapReader::duration(const std::string& key, std::optional<double> fallback) {
  return get<double>(key, {.type = Wanted::Type::duration}, fallback,
                     [](const Node& node, const std::string& what, Problems& problems) {
                       const auto value = node.is_scalar() ? parse_duration(node.text) : std::nullopt;
                       if (!value) {
                         problems.add(node.place, what + " must be a duration", "found " + node.description(),
                                      "write a number with its unit: 90s, 15min, 2h, 1d, and at most 10000d");
                       }
                       return value;
                     });
}

void MapReader::finish() {
  const std::vector<std::string> known(asked_.begin(), asked_.end());
  for (const Entry& entry : node_->entries) {
    if (asked_.contains(entry.key)) continue;
    problems_->add(entry.place, "unknown key \"" + entry.key + "\" in " + what_, {}, suggestion(entry.key, known));
  }
}

}  // namespace hiple::yaml
