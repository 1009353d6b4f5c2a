#include "audit/witness.hpp"

#include <algorithm>
#include <cmath>

#include "law/given_judgment.hpp"

namespace hiple::audit {

namespace {

bool is_free(const Domain& domain, const Domain& all) { return all.inside(domain) && domain.inside(all); }

std::size_t first_code(const Domain& domain) {
  std::size_t code = 0;
  while (code + 1 < Domain::most_codes && !domain.has_code(code)) ++code;
  return code;
}

/// A category's code, or a number; of a boolean that may be either: false.
double value_in(const Domain& domain, const Variables& variables, std::size_t variable, Values values) {
  if (domain.coded) return static_cast<double>(first_code(domain));
  const Domain& all = variables[variable].all;
  const bool moved_low = domain.low > all.low, moved_high = domain.high < all.high;
  if (values == Values::tight && (moved_low || moved_high)) return moved_low ? domain.low : domain.high;
  const double value = round_number(domain.low, domain.high);
  return variables[variable].single ? static_cast<double>(static_cast<float>(value)) : value;
}

std::unique_ptr<Judgments> judgment(const law::EngineDescription& engine, std::size_t number, const Variables& variables,
                                    const std::vector<Domain>& domains, Values values) {
  const auto of = [&](std::size_t variable) -> const Domain& { return domains[variable]; };
  const auto single = [&](std::size_t variable) {
    return static_cast<float>(value_in(of(variable), variables, variable, values));
  };
  const Domain& state = of(variables.state(number));
  const std::size_t last = variables.probability(number, engine.classes.size());
  bool free = is_free(state, variables[variables.state(number)].all);
  for (std::size_t i = variables.state(number); free && i < last; ++i) free = is_free(of(i), variables[i].all);
  if (free) return nullptr;
  const bool typical = is_free(of(variables.typicality(number)), variables[variables.typicality(number)].all);
  for (std::size_t code = 0; state.has_code(0) && code <= engine.classes.size(); ++code) {
    auto judged = law::make_judgment(engine, JudgmentStatus::judged);
    if (!typical) judged->typicality = {single(variables.typicality(number))};
    if (engine.classes.empty()) {
      judged->value = {single(variables.value(number))};
      return judged;
    }
    if (code == engine.classes.size()) break;
    if (!of(variables.label(number)).has_code(code)) continue;
    auto probabilities = settle_probabilities(domains, variables, number, code, engine.classes.size());
    if (!probabilities) continue;
    judged->label = {static_cast<std::uint16_t>(code)};
    judged->confidence = {(*probabilities)[code]};
    judged->probability = std::move(*probabilities);
    return judged;
  }
  if (state.has_code(3)) return nullptr;
  auto silent = law::make_judgment(engine, state.has_code(1) ? JudgmentStatus::abstained : JudgmentStatus::invalid);
  if (!typical) silent->typicality = {single(variables.typicality(number))};
  return silent;
}

}  // namespace

double round_number(double low, double high) {
  if (low <= 0 && high >= 0) return 0;
  if (low == high) return low;
  const double sign = low > 0 ? 1 : -1, near = low > 0 ? low : -high, far = low > 0 ? high : -low;
  for (double scale = 1; scale <= 1e15; scale *= 10) {
    const double candidate = std::ceil(near * scale) / scale;
    if (candidate >= near && candidate <= far) return sign * candidate;
  }
  return sign * near;
}

/// The label's probability is as large as the lower ends of the others leave room for; then the others fill up to 1.
std::optional<std::vector<float>> settle_probabilities(const std::vector<Domain>& domains, const Variables& variables,
                                                       std::size_t engine, std::size_t label, std::size_t classes) {
  const auto of = [&](std::size_t code) -> const Domain& { return domains[variables.probability(engine, code)]; };
  const Domain& confidence = domains[variables.confidence(engine)];
  double low = std::max(of(label).low, confidence.low), high = std::min(of(label).high, confidence.high), others = 0;
  for (std::size_t i = 0; i < classes; ++i) {
    if (i == label) continue;
    others += of(i).low;
    // The first of equals is the label: what stands before it must be smaller.
    low = std::max(low, i < label ? static_cast<double>(std::nextafter(static_cast<float>(of(i).low), 2.0F)) : of(i).low);
  }
  if (low > high) return std::nullopt;
  high = std::min(high, 1 - others);
  constexpr double tolerance = 1e-6;  // probabilities are floats, and their sum is read with a tolerance
  if (low > high + tolerance) return std::nullopt;
  const float own = static_cast<float>(std::max(low, high));
  std::vector<float> result(classes);
  result[label] = own;
  double rest = 1 - static_cast<double>(own) - others;
  for (std::size_t i = 0; i < classes; ++i) {
    if (i == label) continue;
    const float most = i < label ? std::nextafter(own, 0.0F) : own;
    const double room = std::min(of(i).high, static_cast<double>(most)) - of(i).low,
                 more = std::clamp(rest, 0.0, std::max(room, 0.0));
    result[i] =
        std::clamp(static_cast<float>(of(i).low + more), static_cast<float>(of(i).low),
                   std::max(static_cast<float>(of(i).low), static_cast<float>(std::min(of(i).high, static_cast<double>(most)))));
    rest -= more;
  }
  if (rest > tolerance) return std::nullopt;
  return result;
}

law::GivenCase make_witness(const law::Law::Model& law, const Variables& variables, const std::vector<Domain>& domains,
                            Values values) {
  law::GivenCase given = law::empty_case(law);
  for (std::size_t i = 0; i < law.columns.size(); ++i) {
    const std::size_t variable = variables.column(i);
    const Domain& domain = domains[variable];
    if (!domain.has_values() || is_free(domain, variables[variable].all)) continue;
    law::set_cell(given.table.columns[i], value_in(domain, variables, variable, values));
  }
  for (std::size_t i = 0; i < law.engines.size(); ++i)
    given.judgments[i] = judgment(law.engines[i], i, variables, domains, values);
  return given;
}

}  // namespace hiple::audit
