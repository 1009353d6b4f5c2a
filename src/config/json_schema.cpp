#include "config/json_schema.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

namespace hiple::yaml {

namespace {

using nlohmann::json;
using Type = Wanted::Type;

/// A text may look like a number or a truth value: loaders take it as it stands.
json any_scalar() { return {{"type", {"string", "number", "boolean"}}}; }

json fallback_json(const Wanted& wanted) {
  return std::visit(
      [&](const auto& value) -> json {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::monostate>) {
          return nullptr;
        } else if constexpr (std::is_same_v<Value, std::string>) {
          return value.empty() ? json() : json(value);  // an empty text stands for a key that is not there
        } else if constexpr (std::is_same_v<Value, double>) {
          return wanted.type == Type::duration ? json() : json(value);  // written with a unit, which the loader does not know
        } else {
          return value;
        }
      },
      wanted.fallback);
}

json scalar_schema(const Wanted& wanted) {
  json schema;
  switch (wanted.type) {
    case Type::any:
    case Type::text:
      schema = any_scalar();
      break;
    case Type::boolean:
      schema["type"] = "boolean";
      break;
    case Type::integer:
      schema["type"] = "integer";
      break;
    case Type::real:
      schema["type"] = "number";
      break;
    case Type::texts:
      schema = {{"type", "array"}, {"items", any_scalar()}};
      break;
    case Type::choice:
      schema["enum"] = wanted.choices;
      break;
    case Type::duration:
      schema = {{"type", "string"}, {"pattern", "^[0-9][0-9.eE+-]*(ms|min|s|h|d)$"}};
      break;
  }
  const auto limit = [&](const char* key, double value) {
    schema[key] = wanted.type == Type::integer ? json(static_cast<std::int64_t>(value)) : json(value);
  };
  // A bound at the end of what 64 bits hold is none: not every reader of JSON has such numbers.
  constexpr double widest = 9007199254740992.0;
  if (wanted.low && *wanted.low > -widest) limit("minimum", *wanted.low);
  if (wanted.high && *wanted.high < widest) limit("maximum", *wanted.high);
  if (json fallback = fallback_json(wanted); !fallback.is_null()) schema["default"] = std::move(fallback);
  return schema;
}

/// What holds for both, which are of one type: limits, choices and a fallback that differ follow from other keys, which a schema
/// cannot say.
Wanted common(Wanted one, const Wanted& other) {
  if (one.choices != other.choices) return {.type = Type::text};
  if (one.low != other.low) one.low.reset();
  if (one.high != other.high) one.high.reset();
  if (one.fallback != other.fallback) one.fallback = {};
  return one;
}

/// The ways in which a key is read: one a type.
void add_way(std::vector<Wanted>& ways, const Wanted& wanted) {
  if (wanted.type == Type::any) return;
  const auto known = std::find_if(ways.begin(), ways.end(), [&](const Wanted& way) { return way.type == wanted.type; });
  if (known == ways.end())
    ways.push_back(wanted);
  else
    *known = common(*known, wanted);
}

/// What stands behind " # " at the end of a line.
std::string comment_of(const std::string& line) {
  const std::size_t at = line.rfind(" # ");
  return at == std::string::npos ? std::string() : line.substr(at + 3);
}

class Writer {
 public:
  Writer(const std::vector<Specimen>& specimens, const Trace& trace) : trace_(trace) {
    for (const Specimen& specimen : specimens) {
      std::istringstream text(specimen.text);
      std::vector<std::string>& lines = lines_[specimen.root.place.file];
      for (std::string line; std::getline(text, line);) lines.push_back(std::move(line));
    }
  }

  using Nodes = std::vector<const Node*>;

  /// What may stand where `nodes` stand. `known`: the scalar there is described already.
  json describe(const Nodes& nodes, bool known = false) const {
    Nodes maps, entries, items;
    bool is_sequence = false;
    std::vector<json> ways;
    for (const Node* node : nodes) {
      if (node->is_map()) {
        (trace_.keys_of(node->place) != nullptr ? maps : entries).push_back(node);
      } else if (node->is_sequence()) {
        is_sequence = true;
        for (const Node& item : node->items) items.push_back(&item);
      } else if (node->is_scalar() && !known) {
        add(ways, scalar_schema({.type = trace_.type_of(node->place)}));
      }
    }
    if (!maps.empty()) add(ways, describe_map(maps));
    if (!entries.empty()) add(ways, describe_entries(entries));
    if (is_sequence && !known) add(ways, {{"type", "array"}, {"items", describe(items)}});
    return any_of(std::move(ways));
  }

 private:
  static void add(std::vector<json>& ways, json way) {
    if (std::find(ways.begin(), ways.end(), way) == ways.end()) ways.push_back(std::move(way));
  }

  static json any_of(std::vector<json> ways) {
    if (ways.empty()) return json::object();
    return ways.size() == 1 ? ways[0] : json{{"anyOf", ways}};
  }

  /// A map that a reader takes apart key by key.
  json describe_map(const Nodes& maps) const {
    std::map<std::string, std::pair<std::vector<Wanted>, std::size_t>> keys;  // and in how many maps it is required
    for (const Node* map : maps)
      for (const auto& [key, wanted] : *trace_.keys_of(map->place)) {
        auto& [ways, required] = keys[key];
        add_way(ways, wanted);
        required += wanted.required ? 1 : 0;
      }
    json properties = json::object(), required = json::array();
    for (const auto& [key, found] : keys) {
      properties[key] = describe_key(maps, key, found.first);
      if (found.second == maps.size()) required.push_back(key);
    }
    json schema = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty()) schema["required"] = required;
    return schema;
  }

  json describe_key(const Nodes& maps, const std::string& key, const std::vector<Wanted>& read) const {
    Nodes values;
    std::string description;
    for (const Node* map : maps)
      for (const Entry& entry : map->entries) {
        if (entry.key != key) continue;
        values.push_back(&entry.value);
        if (description.empty()) description = comment_at(entry.place);
      }
    std::vector<json> ways;
    for (const Wanted& wanted : read) add(ways, scalar_schema(wanted));
    if (json others = describe(values, !read.empty()); !others.empty()) add(ways, std::move(others));
    json schema = any_of(std::move(ways));
    if (!description.empty()) schema["description"] = description;
    return schema;
  }

  /// A map whose keys are names that the user chooses: what they name, a column say, tells the type of a scalar.
  json describe_entries(const Nodes& maps) const {
    std::vector<json> ways;
    Nodes others;
    for (const Node* map : maps)
      for (const Entry& entry : map->entries) {
        if (entry.value.is_map() || entry.value.is_sequence())
          others.push_back(&entry.value);
        else
          add(ways, {{"type", {"string", "number", "boolean", "null"}}});
      }
    if (!others.empty()) add(ways, describe(others));
    return {{"type", "object"}, {"additionalProperties", any_of(std::move(ways))}};
  }

  std::string comment_at(const Place& place) const {
    const auto lines = lines_.find(place.file);
    if (lines == lines_.end() || place.line == 0 || place.line > lines->second.size()) return {};
    return comment_of(lines->second[place.line - 1]);
  }

  const Trace& trace_;
  std::map<std::string, std::vector<std::string>> lines_;
};

}  // namespace

json json_schema(const std::string& title, const std::vector<Specimen>& specimens, const Trace& trace) {
  Writer::Nodes roots;
  for (const Specimen& specimen : specimens) roots.push_back(&specimen.root);
  json schema = Writer(specimens, trace).describe(roots);
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = title;
  return schema;
}

}  // namespace hiple::yaml
