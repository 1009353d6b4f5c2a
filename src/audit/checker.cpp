#include "audit/checker.hpp"

#include <algorithm>

namespace hiple::audit {

const char* name_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

std::size_t LawCheck::count(Severity severity) const {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(), [&](const Finding& finding) { return finding.severity == severity; }));
}

Checker::Checker(const law::Law::Model& law, const CheckOptions& options)
    : law_(law), options_(options), scopes_(law), variables_(law), translator_(law, variables_) {
  for (std::size_t i = 0; i < law.rules.size(); ++i) {
    const law::Rule& rule = law.rules[i];
    yes_.push_back(translator_.translate(rule.when.root(), Want::yes));
    no_.push_back(translator_.translate(rule.when.root(), Want::no));
    not_yes_.push_back(translator_.translate(rule.when.root(), Want::not_yes));
    if (rule.in_force && !rule.fallback) rules_.push_back(i);
  }
  solver_ = std::make_unique<Solver>(law_, variables_, translator_);
}

LawCheck Checker::run() {
  find_parts();
  for (const Part& part : parts_) check_part(part);
  for (const std::size_t rule : rules_) check_own_head(law_.rules[rule]);
  find_samples();
  for (const std::size_t a : rules_)
    for (const std::size_t b : rules_) {
      if (law_.rules[a].finding == law_.rules[b].finding && a != b)
        check_same_finding(a, b);
      else if (a < b)
        check_overlap(a, b);
    }
  for (const std::size_t rule : rules_) check_reachable(rule);
  check_gaps();
  check_critical();
  check_links();
  check_tests();
  std::stable_sort(result_.findings.begin(), result_.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  return std::move(result_);
}

void Checker::report(Severity severity, const std::string& check, std::vector<std::string> ids, const Place& place,
                     std::string text, std::string witness) {
  if (++result_.found[check] > options_.most_listed) return;
  result_.findings.push_back({severity, check, std::move(ids), place, std::move(text), std::move(witness)});
}

void Checker::give_up(const std::string& check, std::vector<std::string> ids, std::string why) {
  if (++result_.given_up[check] > options_.most_listed) return;
  result_.not_analysed.push_back({check, std::move(ids), std::move(why)});
}

LawCheck check_law(const law::Law& law, const CheckOptions& options) { return Checker(law.model(), options).run(); }

}  // namespace hiple::audit
