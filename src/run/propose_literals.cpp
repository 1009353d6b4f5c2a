#include "run/propose_literals.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "condition/scope.hpp"
#include "table/select.hpp"

namespace hiple {

namespace {

using condition::Voice;

/// Limits that are tried of one number.
constexpr std::size_t most_limits = 24;

class Builder {
 public:
  explicit Builder(const DecidedCases& cases) : cases_(cases) {}

  std::vector<Literal> take() && { return std::move(literals_); }

  /// A literal that is TRUE where `holds` is.
  void add(const std::string& text, const std::string& about, const std::function<bool(std::size_t)>& holds) {
    Literal literal{text, about, std::vector<std::uint64_t>((cases_.size() + 63) / 64)};
    std::size_t count = 0;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (!holds(i)) continue;
      literal.set(i);
      ++count;
    }
    if (count > 0 && count < cases_.size()) literals_.push_back(std::move(literal));
  }

  /// "x > limit" and "x <= limit" for limits between the values that x has. `value` is NaN where x is not known.
  void add_limits(const std::string& name, const std::string& unit, bool whole, const std::function<double(std::size_t)>& value) {
    std::vector<double> values;
    for (std::size_t i = 0; i < cases_.size(); ++i)
      if (const double one = value(i); !std::isnan(one)) values.push_back(one);
    std::sort(values.begin(), values.end());
    std::vector<double> limits;
    for (std::size_t i = 1; i <= most_limits; ++i) {
      const std::size_t at = i * values.size() / (most_limits + 1);
      const auto next = std::upper_bound(values.begin(), values.end(), values.empty() ? 0 : values[at]);
      if (values.empty() || next == values.end()) break;
      const double limit = whole ? values[at] : short_between(values[at], *next);
      if (limits.empty() || limits.back() != limit) limits.push_back(limit);
    }
    const std::string suffix = unit.empty() ? "" : " [" + unit + "]";
    for (const double limit : limits) {
      add(name + " > " + format_real(limit) + suffix, name + " >", [&](std::size_t i) { return value(i) > limit; });
      add(name + " <= " + format_real(limit) + suffix, name + " <=", [&](std::size_t i) { return value(i) <= limit; });
    }
  }

 private:
  const DecidedCases& cases_;
  std::vector<Literal> literals_;
};

void add_column(const DecidedCases& cases, const ColumnSchema& schema, Builder& builder) {
  const Column& column = cases.table.column(schema.name);
  const auto known = [&](std::size_t i) { return column.cells[cases.rows[i]] == Cell::known; };
  const auto number = [&](std::size_t i) { return known(i) ? column.number(cases.rows[i]) : std::nan(""); };
  switch (schema.type) {
    case ColumnType::boolean:
      builder.add(schema.name, schema.name, [&](std::size_t i) { return number(i) == 1; });
      builder.add("not " + schema.name, schema.name, [&](std::size_t i) { return number(i) == 0; });
      break;
    case ColumnType::category:
      for (std::size_t v = 0; v < schema.values.size(); ++v)
        builder.add(schema.name + " == \"" + schema.values[v] + "\"", schema.name,
                    [&](std::size_t i) { return number(i) == static_cast<double>(v); });
      break;
    case ColumnType::real:
    case ColumnType::integer:
      builder.add_limits(schema.name, schema.unit, schema.type == ColumnType::integer, number);
      break;
    case ColumnType::date:
      break;
  }
}

void add_labels(const DecidedCases& cases, std::size_t engine, Builder& builder) {
  const law::EngineDescription& about = cases.law.engines[engine];
  for (std::size_t c = 0; c < about.classes.size(); ++c)
    builder.add(about.name + ".label == \"" + about.classes[c] + "\"", about.name + ".label", [&](std::size_t i) {
      const Voice voice = cases.view(i).engine(engine);
      return voice.state == Voice::State::judged && voice.label == c;
    });
}

void add_engine(const DecidedCases& cases, std::size_t engine, Builder& builder) {
  const law::EngineDescription& about = cases.law.engines[engine];
  const auto attribute = [&](const std::function<double(const Voice&)>& value) {
    return [&cases, engine, value](std::size_t i) {
      const Voice voice = cases.view(i).engine(engine);
      return voice.state == Voice::State::judged ? value(voice) : std::nan("");
    };
  };
  add_labels(cases, engine, builder);
  if (about.classes.empty()) {
    builder.add_limits(about.name + ".value", "", false, attribute([](const Voice& v) { return v.value; }));
    return;
  }
  for (std::size_t c = 0; c < about.classes.size(); ++c)
    builder.add_limits(about.name + ".probability[\"" + about.classes[c] + "\"]", "", false, attribute([c](const Voice& v) {
                         return v.probability.empty() ? std::nan("") : static_cast<double>(v.probability[c]);
                       }));
}

}  // namespace

double short_between(double low, double high) {
  const double middle = low + (high - low) / 2;
  double scale = std::pow(10, -std::floor(std::log10(std::max(std::fabs(high), std::fabs(low)))));
  for (int digits = 0; digits < 17; ++digits, scale *= 10) {
    const double one = std::round(middle * scale) / scale;
    if (one >= low && one < high) return one;
  }
  return low;
}

std::vector<Literal> literals_of(const DecidedCases& cases) {
  Builder builder(cases);
  for (std::size_t engine = 0; engine < cases.law.engines.size(); ++engine) add_engine(cases, engine, builder);
  for (const ColumnSchema& column : cases.table.schema.columns)
    if (column.role == ColumnRole::input && !condition::is_evidence_name(column.name)) add_column(cases, column, builder);
  return std::move(builder).take();
}

std::vector<Literal> labels_of(const DecidedCases& cases, std::vector<std::size_t>& of) {
  std::vector<Literal> literals;
  of.clear();
  for (std::size_t engine = 0; engine < cases.law.engines.size(); ++engine) {
    Builder one(cases);
    add_labels(cases, engine, one);
    for (Literal& literal : std::move(one).take()) {
      literals.push_back(std::move(literal));
      of.push_back(engine);
    }
  }
  return literals;
}

}  // namespace hiple
