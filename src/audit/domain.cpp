#include "audit/domain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hiple::audit {

namespace {

constexpr double largest_whole = 9007199254740992.0;  // 2^53: what the law compares exactly
constexpr double last_day = 2932896;                  // 9999-12-31
constexpr double first_day = -719162;                 // 0001-01-01

Variable variable(Variable::What what, std::size_t index, const Domain& all) {
  Variable made;
  made.what = what;
  made.index = index;
  made.all = all;
  return made;
}

}  // namespace

Domain Domain::code(std::size_t code) {
  Domain domain;
  domain.coded = true;
  domain.codes[code / 64] = std::uint64_t{1} << (code % 64);
  return domain;
}

Domain Domain::first_codes(std::size_t count) {
  Domain domain;
  domain.coded = true;
  for (std::size_t i = 0; i < std::min(count, most_codes); ++i) domain.codes[i / 64] |= std::uint64_t{1} << (i % 64);
  return domain;
}

bool Domain::has_values() const {
  if (!coded) return low <= high;
  return std::any_of(codes.begin(), codes.end(), [](std::uint64_t word) { return word != 0; });
}

bool Domain::intersect(const Domain& other) {
  bool changed = missing && !other.missing;
  missing = missing && other.missing;
  if (coded) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::uint64_t both = codes[i] & other.codes[i];
      changed = changed || both != codes[i];
      codes[i] = both;
    }
    return changed;
  }
  changed = changed || other.low > low || other.high < high;
  low = std::max(low, other.low);
  high = std::min(high, other.high);
  return changed;
}

bool Domain::meets(const Domain& other) const {
  if (missing && other.missing) return true;
  if (!coded) return std::max(low, other.low) <= std::min(high, other.high);
  for (std::size_t i = 0; i < codes.size(); ++i)
    if ((codes[i] & other.codes[i]) != 0) return true;
  return false;
}

bool Domain::inside(const Domain& other) const {
  if (missing && !other.missing) return false;
  if (!coded) return low > high || (other.low <= low && high <= other.high);
  for (std::size_t i = 0; i < codes.size(); ++i)
    if ((codes[i] & ~other.codes[i]) != 0) return false;
  return true;
}

void Domain::join(const Domain& other) {
  missing = missing || other.missing;
  if (coded) {
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] |= other.codes[i];
  } else if (!has_values()) {
    low = other.low;
    high = other.high;
  } else if (other.has_values()) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
}

Variables::Variables(const law::Law::Model& law) {
  for (std::size_t i = 0; i < law.columns.size(); ++i) {
    const ColumnSchema& schema = law.column_schemas[i];
    Variable made = variable(Variable::What::column, i, {});
    made.whole = schema.type == ColumnType::integer || schema.type == ColumnType::date;
    if (schema.type == ColumnType::category) {
      made.analysed = schema.values.size() <= Domain::most_codes;
      made.all = Domain::first_codes(schema.values.size());
    } else if (schema.type == ColumnType::boolean) {
      made.all = Domain::first_codes(2);
    } else {
      const bool date = schema.type == ColumnType::date, real = schema.type == ColumnType::real;
      const double most = real ? std::numeric_limits<double>::max() : date ? last_day : largest_whole;
      const double low = schema.low.value_or(date ? first_day : -most), high = schema.high.value_or(most);
      made.all = made.whole ? Domain::numbers(std::ceil(low), std::floor(high)) : Domain::numbers(low, high);
    }
    made.all.missing = true;
    list_.push_back(made);
  }
  for (std::size_t i = 0; i < law.engines.size(); ++i) {
    const std::size_t classes = law.engines[i].classes.size();
    first_of_engine_.push_back(list_.size());
    list_.push_back(variable(Variable::What::state, i, Domain::first_codes(4)));
    list_.push_back(variable(Variable::What::label, i, Domain::first_codes(classes)));
    list_.back().analysed = classes <= Domain::most_codes;
    const auto add = [&](Variable::What what, double low, double high, std::size_t code) {
      list_.push_back(variable(what, i, Domain::numbers(low, high)));
      list_.back().single = true;
      list_.back().code = code;
    };
    constexpr double far = static_cast<double>(std::numeric_limits<float>::max());
    add(Variable::What::confidence, 0, 1, 0);
    add(Variable::What::typicality, 0, 1, 0);
    add(Variable::What::value, -far, far, 0);
    for (std::size_t code = 0; code < classes; ++code) add(Variable::What::probability, 0, 1, code);
  }
  first_finding_ = list_.size();
  for (std::size_t i = 0; i < law.slots.size(); ++i) {
    list_.push_back(
        variable(Variable::What::finding, i, Domain::first_codes(law.questions[law.slots[i].second].findings.size())));
    list_.back().all.missing = true;
    list_.back().analysed = law.questions[law.slots[i].second].findings.size() <= Domain::most_codes;
  }
}

std::size_t Variables::attribute(const condition::Node& node) const {
  switch (node.attribute) {
    case condition::Attribute::label:
      return label(node.index);
    case condition::Attribute::confidence:
      return confidence(node.index);
    case condition::Attribute::probability:
      return probability(node.index, static_cast<std::size_t>(node.value));
    case condition::Attribute::typicality:
      return typicality(node.index);
    case condition::Attribute::value:
      return value(node.index);
    case condition::Attribute::judged:
      break;
  }
  return state(node.index);
}

double Variables::at_least(std::size_t number, double value) const {
  if (list_[number].whole) return std::ceil(value);
  if (!list_[number].single) return value;
  const float near = static_cast<float>(value);
  return static_cast<double>(static_cast<double>(near) < value ? std::nextafter(near, std::numeric_limits<float>::infinity())
                                                               : near);
}

double Variables::at_most(std::size_t number, double value) const {
  if (list_[number].whole) return std::floor(value);
  if (!list_[number].single) return value;
  const float near = static_cast<float>(value);
  return static_cast<double>(static_cast<double>(near) > value ? std::nextafter(near, -std::numeric_limits<float>::infinity())
                                                               : near);
}

double Variables::next(std::size_t number, double value, bool up) const {
  constexpr double far = std::numeric_limits<double>::infinity();
  constexpr float far_single = std::numeric_limits<float>::infinity();
  if (list_[number].whole) return up ? std::floor(value) + 1 : std::ceil(value) - 1;
  if (list_[number].single) {
    const double inside = up ? at_most(number, value) : at_least(number, value);
    return static_cast<double>(std::nextafter(static_cast<float>(inside), up ? far_single : -far_single));
  }
  return std::nextafter(value, up ? far : -far);
}

}  // namespace hiple::audit
