#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hiple {

/// One thing that a condition can say, and in which of some cases it is TRUE.
struct Literal {
  std::string text;                  ///< in the language of conditions
  std::string about;                 ///< what it reads: a conjunction says one thing of each, or a lower and an upper limit
  std::vector<std::uint64_t> holds;  ///< bit c % 64 of word c / 64 is case c

  void set(std::size_t of) { holds[of / 64] |= std::uint64_t{1} << of % 64; }
  [[nodiscard]] bool at(std::size_t of) const { return (holds[of / 64] >> of % 64 & 1) != 0; }
};

/// Of each case what a rule would come to there.
enum class Target : std::uint8_t {
  missed,  ///< right, and nobody says so yet: what rules are looked for
  held,    ///< right, and said already
  wrong,
};

struct CoveringSettings {
  double precision = 0.9;         ///< that the lower bound of a rule must reach in the cases that it is made from
  std::uint64_t least = 5;        ///< missed cases that a rule must cover
  std::size_t most_literals = 3;  ///< in a rule
  std::size_t most_rules = 5;
};

/// A conjunction of literals.
struct Covering {
  std::vector<std::size_t> literals;   ///< ascending
  std::uint64_t cases = 0, right = 0;  ///< that it covers, and those of them in which it is right
  std::uint64_t missed = 0;            ///< of these, those that no covering before it covers
};

/// Rules by sequential covering (Michalski 1969; Clark and Niblett, "The CN2 induction algorithm", Machine Learning 1989): one
/// conjunction after the other, each for missed cases that are left. The shortest ones first whose exact lower bound of precision
/// (Clopper and Pearson, 95 %) reaches what is required, of these the one with the most missed cases; a beam of 32 conjunctions
/// is followed, no gradient is taken. The bound is of the very cases that it was chosen by: what it is worth must be shown
/// elsewhere.
std::vector<Covering> cover(const std::vector<Literal>& literals, const std::vector<Target>& targets,
                            const CoveringSettings& settings);

}  // namespace hiple
