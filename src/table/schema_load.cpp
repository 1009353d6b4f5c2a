#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/date.hpp"
#include "base/text.hpp"
#include "condition/unit.hpp"
#include "condition/unit_remedy.hpp"
#include "config/yaml.hpp"
#include "table/schema.hpp"
#include "table/schema_checks.hpp"
#include "table/series.hpp"

namespace hiple {

namespace {

/// Reads one entry of `columns`.
class ColumnLoader {
 public:
  ColumnLoader(const yaml::Node& node, Problems& problems) : map_(node, "column", problems), problems_(&problems) {}

  struct Loaded {
    ColumnSchema column;
    std::optional<std::int64_t> length;  ///< of a series
  };
  Loaded load() {
    const yaml::Node* name = map_.require("name");
    column_.place = map_.place();
    if (name != nullptr) read_name(*name);
    column_.role = read_role();
    column_.type = read_type();
    if (const auto* unit = only_for("unit", {ColumnType::real, ColumnType::integer})) {
      column_.unit = yaml::as_text(*unit, what("unit"), *problems_).value_or("");
      if (!column_.unit.empty() && !condition::parse_unit(column_.unit))
        problems_->add(unit->place, what("unit") + " is \"" + column_.unit + "\", which is no unit that is known here",
                       "a law could not convert it", condition::unit_remedy(column_.unit));
    }
    if (const auto* range = only_for("range", {ColumnType::real, ColumnType::integer, ColumnType::date})) read_range(*range);
    read_values();
    read_boolean_texts();
    read_missing();
    const std::optional<std::int64_t> length = read_length();
    map_.finish();
    return {std::move(column_), length};
  }

 private:
  [[nodiscard]] std::string what(const std::string& key) const { return "\"" + key + "\" of column \"" + column_.name + "\""; }

  void read_name(const yaml::Node& node) {
    column_.place = node.place;
    column_.name = yaml::as_text(node, "a column's name", *problems_).value_or("");
    if (!node.is_scalar()) return;
    const bool control =
        std::any_of(column_.name.begin(), column_.name.end(), [](unsigned char c) { return c < ' ' || c == 127; });
    if (column_.name.empty() || column_.name == "." || column_.name.find('/') != std::string::npos || control) {
      problems_->add(node.place, "\"" + column_.name + "\" cannot be a column's name",
                     "it is empty, a point alone, or holds a slash or a control character, which HDF5 names cannot",
                     "choose another name");
    }
  }

  ColumnRole read_role() {
    static const std::map<std::string, ColumnRole> roles = {
        {"input", ColumnRole::input}, {"label", ColumnRole::label}, {"id", ColumnRole::id}, {"ignore", ColumnRole::ignore}};
    const auto role = roles.find(map_.choice("role", {"input", "label", "id", "ignore"}, "input"));
    return role == roles.end() ? ColumnRole::input : role->second;
  }

  ColumnType read_type() {
    static const std::map<std::string, ColumnType> types = {{"real", ColumnType::real},
                                                            {"integer", ColumnType::integer},
                                                            {"category", ColumnType::category},
                                                            {"boolean", ColumnType::boolean},
                                                            {"date", ColumnType::date}};
    const bool needed = column_.role != ColumnRole::ignore;
    const auto type = types.find(map_.choice("type", {"real", "integer", "category", "boolean", "date"},
                                             needed ? std::nullopt : std::optional<std::string>("real")));
    type_known_ = type != types.end();
    return type_known_ ? type->second : ColumnType::real;
  }

  /// The value of a key that only some types have; on another type a problem, and null.
  const yaml::Node* only_for(const std::string& key, std::initializer_list<ColumnType> allowed) {
    const yaml::Node* node = map_.find(key);
    if (node == nullptr || !type_known_) return nullptr;
    if (std::find(allowed.begin(), allowed.end(), column_.type) != allowed.end()) return node;
    std::vector<std::string> names;
    for (const ColumnType type : allowed) names.emplace_back(name_of(type));
    problems_->add(node->place, what(key) + " has no meaning", "the type is " + std::string(name_of(column_.type)),
                   "remove it, or choose the type " + join(names, " or "));
    return nullptr;
  }

  /// Points of a series; nothing for a single column.
  std::optional<std::int64_t> read_length() {
    constexpr std::int64_t longest = 65536;
    const auto* node = only_for("length", {ColumnType::real, ColumnType::integer});
    if (node == nullptr) return std::nullopt;
    const auto length = yaml::as_integer(*node, what("length"), *problems_);
    if (!length) return std::nullopt;
    if (*length < 2 || *length > longest) {
      problems_->add(node->place, what("length") + " is " + node->text, "a series has from 2 to 65536 points",
                     "write how many columns it has, or leave it out for a single one");
      return std::nullopt;
    }
    if (column_.role != ColumnRole::input && column_.role != ColumnRole::ignore) {
      problems_->add(node->place, what("length") + " has no meaning", "the role is " + std::string(name_of(column_.role)),
                     "remove it, or give the series the role input");
      return std::nullopt;
    }
    return length;
  }

  void read_range(const yaml::Node& node) {
    if (!node.is_sequence() || node.items.size() != 2) {
      problems_->add(node.place, what("range") + " must be two values", "found " + node.description(), "write [lowest, highest]");
      return;
    }
    column_.low = read_bound(node.items[0]);
    column_.high = read_bound(node.items[1]);
    if (column_.low && column_.high && *column_.low > *column_.high) {
      problems_->add(node.place, what("range") + " is upside down", "its lowest value is above its highest", "swap them");
    }
  }

  std::optional<double> read_bound(const yaml::Node& node) {
    if (column_.type != ColumnType::date) return yaml::as_real(node, "a bound of " + what("range"), *problems_);
    const auto days = node.is_scalar() ? parse_date(node.text) : std::nullopt;
    if (days) return *days;
    problems_->add(node.place, "a bound of " + what("range") + " must be a date", "found " + node.description(),
                   "write YYYY-MM-DD");
    return std::nullopt;
  }

  void read_values() {
    const yaml::Node* node = only_for("values", {ColumnType::category});
    if (node == nullptr) {
      if (type_known_ && column_.type == ColumnType::category && map_.find("values") == nullptr) {
        problems_->add(column_.place, "category \"" + column_.name + "\" has no values", "a value that is not listed is invalid",
                       "add values: [..], every text that may occur");
      }
      return;
    }
    column_.values = read_texts(*node, "values");
    refuse_empty(*node, "values");
  }

  void read_boolean_texts() {
    if (const auto* node = only_for("true", {ColumnType::boolean})) {
      column_.true_texts = read_texts(*node, "true");
      refuse_empty(*node, "true");
    }
    if (const auto* node = only_for("false", {ColumnType::boolean})) {
      column_.false_texts = read_texts(*node, "false");
      refuse_empty(*node, "false");
    }
    for (const std::string& text : column_.true_texts) {
      if (std::find(column_.false_texts.begin(), column_.false_texts.end(), text) == column_.false_texts.end()) continue;
      problems_->add(column_.place, "\"" + text + "\" is both true and false in column \"" + column_.name + "\"", {},
                     "choose one");
    }
  }

  void read_missing() {
    const yaml::Node* node = map_.find("missing");
    if (node == nullptr) return;
    column_.missing = read_texts(*node, "missing");
    const auto refuse = [&](const std::vector<std::string>& values) {
      for (const std::string& code : column_.missing) {
        if (std::find(values.begin(), values.end(), code) == values.end()) continue;
        problems_->add(node->place, "\"" + code + "\" of column \"" + column_.name + "\" is a value and a missing code",
                       "it cannot mean both", "remove it from one of the two");
      }
    };
    if (column_.type == ColumnType::category) refuse(column_.values);
    if (column_.type != ColumnType::boolean) return;
    refuse(column_.true_texts);
    refuse(column_.false_texts);
  }

  void refuse_empty(const yaml::Node& node, const std::string& key) {
    if (node.is_sequence() && node.items.empty())
      problems_->add(node.place, what(key) + " is empty", "no cell could be read", "list the texts");
  }

  /// Texts, each once and none empty: an empty field always means missing.
  std::vector<std::string> read_texts(const yaml::Node& node, const std::string& key) {
    std::vector<std::string> texts = yaml::as_texts(node, what(key), *problems_).value_or(std::vector<std::string>{});
    std::set<std::string> seen;
    for (const std::string& text : texts) {
      if (!seen.insert(text).second)
        problems_->add(node.place, "\"" + text + "\" stands twice in " + what(key), {}, "remove one");
      if (text.empty())
        problems_->add(node.place, "an empty text in " + what(key), "an empty field always means missing", "remove it");
    }
    return texts;
  }

  yaml::MapReader map_;
  Problems* problems_;
  ColumnSchema column_;
  bool type_known_ = false;
};

}  // namespace

Schema load_schema(const std::filesystem::path& path) {
  const yaml::Node document = yaml::load(path);
  Problems problems;
  yaml::MapReader map(document, "schema", problems);
  Schema schema;
  std::vector<ColumnSchema> series;
  schema.file = path;
  map.integer("schema", 1, 1);
  schema.header = map.boolean("header", true);
  const yaml::Node* columns = map.require("columns");
  if (columns != nullptr && (!columns->is_sequence() || columns->items.empty())) {
    problems.add(columns->place, "\"columns\" must be a list of columns", "found " + columns->description(),
                 "- {name: .., type: ..}");
  } else if (columns != nullptr) {
    for (const yaml::Node& node : columns->items) {
      if (node.is_map()) {
        ColumnLoader::Loaded loaded = ColumnLoader(node, problems).load();
        if (loaded.length) {
          series.push_back(loaded.column);
          std::ranges::move(points_of_series(loaded.column, *loaded.length), std::back_inserter(schema.columns));
        } else {
          schema.columns.push_back(std::move(loaded.column));
        }
      } else {
        problems.add(node.place, "a column must be a map", "found " + node.description(), "- {name: .., type: ..}");
      }
    }
  }
  check_names(schema.columns, series, problems);
  check_id(schema.columns, problems);
  map.finish();
  problems.throw_if_any();
  return schema;
}

}  // namespace hiple
