#pragma once

#include <string>
#include <vector>

#include "condition/syntax.hpp"

namespace hiple::condition {

/// Resolves the names of one tree (binder_names.cpp) and checks the types of its operators (binder.cpp), their
/// literals (binder_literals.cpp) and their units (binder_units.cpp). A node of
/// kind `wrong` has been reported; whatever holds it says nothing more.
class Binder {
 public:
  Binder(const Scope& scope, const PlaceOf& place_of, Problems& problems)
      : scope_(scope), place_of_(place_of), problems_(problems) {}

  void bind(Node& node);

 private:
  // Operators.
  void bind_logic(Node& node);
  void bind_minus(Node& node);
  void bind_age(Node& node);
  void bind_arithmetic(Node& node);
  void bind_comparison(Node& node);
  void bind_aggregate_comparison(Node& node);
  void bind_within(Node& node);
  void bind_set(Node& node);
  void bind_interval(Node& node);
  bool compare_texts(Node& left, Node& right);
  bool compare_dates(Node& left, Node& right);
  bool read_date(Node& literal);
  bool same_unit(Node& left, Node& right);
  bool give_unit(Node& node, const std::optional<Unit>& unit, const Node& other);
  bool need(const Node& node, std::initializer_list<Kind> kinds, const std::string& where);

  // Names.
  void bind_column(Node& node);
  void bind_known(Node& node);
  void bind_attribute(Node& node);
  void bind_engine(Node& node, const std::string& name, const EngineInfo& engine);
  void bind_finding(Node& node);
  void bind_evidence(Node& node);
  void take_column(Node& node, const ColumnInfo& column, std::uint32_t cause);
  void bind_aggregate(Node& node);
  void group_members(Node& node, const std::vector<std::string>& members);
  void bind_member(Node& member, const Node& aggregate);
  void report_reserved(const Node& node);
  std::vector<std::uint32_t> numbers_of(const std::vector<std::string>& texts);

  void wrong(Node& node, const std::string& what, const std::string& why = {}, const std::string& remedy = {});
  /// As wrong(), at another node's place.
  void wrong_at(Node& node, const Node& at, const std::string& what, const std::string& why = {}, const std::string& remedy = {});

  const Scope& scope_;
  const PlaceOf& place_of_;
  Problems& problems_;
  bool in_count_ = false;
};

bool is_number(const Node& node);
/// The unit of a difference: that of a temperature in degC is a kelvin.
std::optional<Unit> unit_of_difference(std::optional<Unit> unit);
/// A number without a column or an engine in it, and without a unit: it adopts the unit of what it meets.
bool is_bare(const Node& node);
/// Whether the value was stored as float32: literals that it is compared with are rounded alike.
bool is_single_precision(const Node& node);

template <class Value>
std::vector<std::string> names_of(const std::map<std::string, Value>& map) {
  std::vector<std::string> names;
  names.reserve(map.size());
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

}  // namespace hiple::condition
