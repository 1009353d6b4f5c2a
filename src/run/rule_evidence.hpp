#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "evidence/standing.hpp"
#include "law/evaluate.hpp"
#include "law/model.hpp"

/// Rules beside what evidence says of the cases in which they speak.
namespace hiple {

/// What evidence says of the findings of one case, one a question: index into Model::findings, or no_number where it says
/// nothing.
using Said = std::vector<std::size_t>;

/// Of each case that has evidence about a finding, in the order of cases. `contradictory`: answers on which sources differ.
std::vector<std::pair<std::uint64_t, Said>> said_of_cases(const law::Law::Model& law, const evidence::Standings& standings,
                                                          std::uint64_t& contradictory);

/// Where rules speak.
class RuleWatch {
 public:
  /// Must outlive it.
  explicit RuleWatch(const law::Law::Model& law);

  /// It, or one that overrides it, reads evidence about its own question: it would be held against itself.
  [[nodiscard]] bool is_circular(std::size_t rule) const { return circular_[rule]; }
  /// Whether it stands: its condition is TRUE and nothing overrides it. Of one that is not in force or is suspended: its
  /// condition is TRUE, and nothing overrides it.
  [[nodiscard]] bool speaks(std::size_t rule, const law::CaseResult& result, const law::CaseView& view) const;

 private:
  [[nodiscard]] bool find_circle(std::size_t rule) const;

  const law::Law::Model& law_;
  std::vector<bool> circular_;
};

/// A default claims nothing, and a retired rule nothing any more.
inline bool is_claim(const law::Rule& rule) { return !rule.fallback && rule.status != law::RuleStatus::retired; }

}  // namespace hiple
