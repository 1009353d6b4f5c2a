#pragma once

#include "law/evaluate.hpp"
#include "law/given_case.hpp"
#include "law/resolver.hpp"

namespace hiple::audit {

/// A case read with every engine consulted: what its rules, panels and laws say, whatever the route. Law and case must outlive
/// it.
class FullReading {
 public:
  FullReading(const law::Law::Model& law, const law::Scopes& scopes, const law::GivenCase& given);

  [[nodiscard]] const law::CaseResult& result() const { return result_; }
  /// What the root reads of a rule.
  [[nodiscard]] const law::RuleResult& rule(std::size_t index) const { return result_.panels[law_->root].rules[index]; }
  [[nodiscard]] law::CaseView view(bool careful = false) const { return {inputs_, 0, *law_, result_, careful}; }
  [[nodiscard]] condition::Truth truth(const condition::Node& node) const;
  /// The causes for which it is UNKNOWN, in words; empty where it is known.
  [[nodiscard]] std::vector<std::string> causes(const condition::Node& node) const;

 private:
  const law::Law::Model* law_;
  law::Inputs inputs_;
  law::CaseResult result_;
};

}  // namespace hiple::audit
