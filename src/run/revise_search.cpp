#include "run/revise_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "audit/mutants.hpp"
#include "base/text.hpp"
#include "condition/condition.hpp"
#include "law/model.hpp"

namespace hiple {

using condition::Node;
using condition::Op;

namespace {

constexpr std::size_t most_atoms = 3;

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

bool is_comparison(Op op) { return op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal; }

bool is_number(const Node& node) { return node.op == Op::number || (node.op == Op::minus && node.operands[0].op == Op::number); }

double value_of_literal(const Node& node) { return node.op == Op::minus ? -node.operands[0].value : node.value; }
const Node& literal(const Node& node) { return node.op == Op::minus ? node.operands[0] : node; }

void visit(const Node& node, std::vector<std::size_t>& path, std::vector<Limit>& found) {
  const auto add = [&](const Node& left, const Node& number, std::size_t end, bool upper, bool closed) {
    if (!is_number(number) || left.kind == condition::Kind::aggregate) return;
    const auto& unit = literal(number).unit;
    found.push_back({path, end, upper, closed, condition::print(left), value_of_literal(number), unit ? unit->text : "",
                     condition::print(number)});
  };
  if (is_comparison(node.op)) {
    const bool less = node.op == Op::less || node.op == Op::less_equal;
    add(node.operands[0], node.operands[1], 0, less, node.op == Op::less_equal || node.op == Op::greater_equal);
    return;
  }
  if (node.op == Op::in_interval) {
    add(node.operands[0], node.operands[1], 1, false, node.closed_low);
    add(node.operands[0], node.operands[2], 2, true, node.closed_high);
    return;
  }
  if (node.op != Op::conjunction && node.op != Op::disjunction && node.op != Op::negation) return;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    path.push_back(i);
    visit(node.operands[i], path, found);
    path.pop_back();
  }
}

/// A literal in the unit of what is compared.
Node number_node(double value, const Node& old, const std::optional<condition::Unit>& unit) {
  Node node = literal(old);
  node.op = Op::number;
  node.number = std::abs(value);
  node.whole = node.whole && node.number == std::floor(node.number) && node.number < 1e15;
  if (node.unit && unit) node.unit = unit;
  if (value >= 0) return node;
  Node minus;
  minus.op = Op::minus;
  minus.operands.push_back(std::move(node));
  return minus;
}

void add_columns(const law::Law::Model& law, const law::Inputs& inputs, const std::vector<std::uint32_t>& rows,
                 std::vector<Feature>& features) {
  for (std::size_t i = 0; i < law.first_evidence; ++i) {
    if (!law.column_is_read[i]) continue;
    const ColumnSchema& schema = law.column_schemas[i];
    if (schema.type == ColumnType::date) continue;
    Node node;
    node.op = Op::column;
    node.name = schema.name;
    Feature feature{condition::print(node), schema.unit, true, {}, false, {}};
    feature.is_boolean = schema.type == ColumnType::boolean;
    feature.is_number = schema.type == ColumnType::real || schema.type == ColumnType::integer;
    if (schema.type == ColumnType::category) feature.words = schema.values;
    for (const std::uint32_t row : rows) {
      const condition::Field field = inputs.field(row, i);
      feature.values.push_back(field.state == condition::Field::State::known ? std::optional(field.number) : std::nullopt);
    }
    features.push_back(std::move(feature));
  }
}

void add_engines(const law::Law::Model& law, const law::Inputs& inputs, const std::vector<std::uint32_t>& rows,
                 std::vector<Feature>& features) {
  for (std::size_t e = 0; e < law.engines.size(); ++e) {
    if (inputs.judgments(e) == nullptr) continue;
    const law::EngineDescription& engine = law.engines[e];
    const auto add = [&](const std::string& what, const std::vector<std::string>& words, auto value) {
      Feature feature{engine.name + "." + what, {}, words.empty(), words, false, {}};
      for (const std::uint32_t row : rows) {
        const condition::Voice voice = inputs.voice(row, e);
        feature.values.push_back(voice.state == condition::Voice::State::judged ? std::optional<double>(value(voice))
                                                                                : std::nullopt);
      }
      features.push_back(std::move(feature));
    };
    if (engine.classes.empty()) {
      add("value", {}, [](const condition::Voice& voice) { return static_cast<double>(voice.value); });
      continue;
    }
    add("label", engine.classes, [](const condition::Voice& voice) { return static_cast<double>(voice.label); });
    add("confidence", {}, [](const condition::Voice& voice) { return static_cast<double>(voice.confidence); });
    if (inputs.probabilities(e).empty()) continue;
    for (std::size_t k = 0; k < engine.classes.size(); ++k)
      add("probability[" + quoted(engine.classes[k]) + "]", {},
          [k](const condition::Voice& voice) { return static_cast<double>(voice.probability[k]); });
  }
}

/// Sums and products that a rule or law compares with a number: what its author took for what matters.
void add_expressions(const law::Law::Model& law, const law::Inputs& inputs, const std::vector<std::uint32_t>& rows,
                     std::vector<Feature>& features) {
  const law::CaseResult everybody = [&] {
    law::CaseResult result;
    result.active.assign(law.engines.size(), true);
    return result;
  }();
  const auto add = [&](const condition::Condition& when) {
    for (const Limit& limit : limits_of(when.root())) {
      const bool known = std::any_of(features.begin(), features.end(), [&](const Feature& f) { return f.text == limit.left; });
      if (known) continue;
      const Node& node = audit::at(when.root(), limit.path);
      const Node& left = node.operands[0];
      if (left.op == Op::column || left.op == Op::attribute || left.op == Op::age) continue;
      Feature feature{limit.left, left.value_unit && !limit.unit.empty() ? left.value_unit->text : "", true, {}, false, {}};
      for (const std::uint32_t row : rows)
        feature.values.push_back(value_at(when.root(), limit, law::CaseView(inputs, row, law, everybody, false)));
      features.push_back(std::move(feature));
    }
  };
  for (const law::Rule& rule : law.rules)
    if (!rule.fallback) add(rule.when);
  for (const law::LawEntry& entry : law.laws) add(entry.when);
}

struct Atom {
  std::string text;
  std::vector<bool> holds;
  double gain = 0;
};

/// Weighted relative accuracy (Lavrac, Flach and Zupan, "Rule evaluation measures: a unifying view", ILP 1999): how many more of
/// the wanted cases lie inside than a region of that size would hold by chance.
double gain_of(double inside, double outside, double wanted, double all) { return inside - (inside + outside) * wanted / all; }

std::string number_text(const Feature& feature, double value) {
  return format_real(value) + (feature.unit.empty() ? "" : " [" + feature.unit + "]");
}

class Search {
 public:
  Search(const std::vector<Feature>& features, const std::vector<bool>& wanted, std::vector<bool> among)
      : features_(features), wanted_(wanted), among_(std::move(among)) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!among_[i]) continue;
      ++all_;
      total_ += wanted[i] ? 1 : 0;
    }
  }

  std::optional<Atom> best() {
    for (const Feature& feature : features_) {
      if (feature.is_number)
        try_thresholds(feature);
      else if (feature.is_boolean)
        try_words(feature, {"false", "true"});
      else
        try_words(feature, feature.words);
    }
    return std::move(best_);
  }

 private:
  void offer(double inside, double outside, const std::function<Atom()>& make) {
    const double gain = gain_of(inside, outside, total_, all_);
    if (gain <= 1e-9 || (best_ && gain <= best_->gain + 1e-9)) return;
    best_ = make();
    best_->gain = gain;
  }

  void try_words(const Feature& feature, const std::vector<std::string>& words) {
    for (std::size_t word = 0; word < words.size(); ++word) {
      double inside = 0, outside = 0;
      for (std::size_t i = 0; i < wanted_.size(); ++i)
        if (among_[i] && feature.values[i] == static_cast<double>(word)) (wanted_[i] ? inside : outside) += 1;
      offer(inside, outside, [&] {
        Atom atom{
            feature.is_boolean ? (word == 0 ? "not " : "") + feature.text : feature.text + " == " + quoted(words[word]), {}, 0};
        for (const auto& value : feature.values) atom.holds.push_back(value == static_cast<double>(word));
        return atom;
      });
    }
  }

  void try_thresholds(const Feature& feature) {
    std::map<double, std::pair<double, double>> counts;  // of each value: wanted, others
    double known_inside = 0, known_outside = 0;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (!among_[i] || !feature.values[i]) continue;
      auto& count = counts[*feature.values[i]];
      (wanted_[i] ? count.first : count.second) += 1;
      (wanted_[i] ? known_inside : known_outside) += 1;
    }
    double inside = 0, outside = 0;
    for (auto at = counts.begin(); at != counts.end() && std::next(at) != counts.end(); ++at) {
      inside += at->second.first;
      outside += at->second.second;
      const double low = at->first, high = std::next(at)->first;
      const auto make = [&](bool below) {
        const double threshold = roundest(low, high);
        Atom atom{feature.text + (below ? " <= " : " > ") + number_text(feature, threshold), {}, 0};
        for (const auto& value : feature.values)
          atom.holds.push_back(value && (below ? *value <= threshold : *value > threshold));
        return atom;
      };
      offer(inside, outside, [&] { return make(true); });
      offer(known_inside - inside, known_outside - outside, [&] { return make(false); });
    }
  }

  const std::vector<Feature>& features_;
  const std::vector<bool>& wanted_;
  const std::vector<bool> among_;
  double all_ = 0, total_ = 0;
  std::optional<Atom> best_;
};

}  // namespace

std::vector<Feature> features_of(const law::Law::Model& law, const law::Inputs& inputs, const std::vector<std::uint32_t>& rows) {
  std::vector<Feature> features;
  add_columns(law, inputs, rows, features);
  add_engines(law, inputs, rows, features);
  add_expressions(law, inputs, rows, features);
  return features;
}

std::optional<Region> find_region(const std::vector<Feature>& features, const std::vector<bool>& wanted) {
  Region region;
  region.holds.assign(wanted.size(), true);
  const auto count = [&] {
    region.inside = region.outside = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (region.holds[i]) ++(wanted[i] ? region.inside : region.outside);
  };
  count();
  while (region.atoms < most_atoms && region.outside > 0) {
    auto atom = Search(features, wanted, region.holds).best();
    if (!atom) break;
    for (std::size_t i = 0; i < wanted.size(); ++i) region.holds[i] = region.holds[i] && atom->holds[i];
    region.condition += (region.condition.empty() ? "" : " and ") + atom->text;
    ++region.atoms;
    count();
  }
  if (region.atoms == 0 || region.inside == 0) return std::nullopt;
  return region;
}

double roundest(double low, double high) {
  if (low < 0 && high > 0) return 0;
  if (low == 0) return 0;
  const double largest = std::max(std::abs(low), std::abs(high));
  const int top = static_cast<int>(std::ceil(std::log10(largest)));
  for (int power = top; power >= top - 18; --power) {
    // Scaled so that the decimal is exact: 12500 is 125 * 10^2, and 0.3 is 3 / 10.
    const double scale = std::pow(10.0, std::abs(power));
    const auto scaled = [&](double value) { return power >= 0 ? value / scale : value * scale; };
    const auto back = [&](double whole) { return power >= 0 ? whole * scale : whole / scale; };
    const double candidate = back(std::ceil(scaled(low)));
    if (candidate >= low && candidate < high) return candidate;
  }
  return low;
}

std::vector<Limit> limits_of(const Node& root) {
  std::vector<Limit> found;
  std::vector<std::size_t> path;
  visit(root, path, found);
  return found;
}

bool leaves_room(const Node& root, const Limit& limit, double value) {
  if (limit.end == 0) return true;
  for (const Limit& other : limits_of(root))
    if (other.path == limit.path && other.end != limit.end) return limit.is_upper ? other.value < value : value < other.value;
  return true;
}

std::string with_limit(const Node& root, const Limit& limit, double value) {
  Node copy = root;
  Node* node = &copy;
  for (const std::size_t step : limit.path) node = &node->operands[step];
  const std::size_t place = limit.end == 0 ? 1 : limit.end;
  node->operands[place] = number_node(value, node->operands[place], node->operands[0].value_unit);
  return condition::print(copy);
}

std::optional<double> value_at(const Node& root, const Limit& limit, const condition::View& view) {
  condition::CauseSet ignored;
  return condition::value_of(audit::at(root, limit.path).operands[0], view, ignored);
}

}  // namespace hiple
