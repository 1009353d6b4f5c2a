#include "run/propose_covering.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "gate/bounds.hpp"

namespace hiple {

namespace {

using Bits = std::vector<std::uint64_t>;

constexpr std::size_t beam = 32;

/// A conjunction that is looked at. Of most of them there is no more than counts: cases may be many.
struct Candidate {
  Covering covering;
  double lower = 0;  ///< of its precision
};

class Search {
 public:
  Search(const std::vector<Literal>& literals, const std::vector<Target>& targets, const CoveringSettings& settings)
      : literals_(literals), settings_(settings), all_count_(targets.size()) {
    const std::size_t words = (targets.size() + 63) / 64;
    all_.resize(words);
    right_.resize(words);
    missed_.resize(words);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const std::uint64_t bit = std::uint64_t{1} << i % 64;
      all_[i / 64] |= bit;
      if (targets[i] != Target::wrong) right_[i / 64] |= bit;
      if (targets[i] == Target::missed) missed_[i / 64] |= bit;
    }
  }

  std::vector<Covering> run() {
    std::vector<Covering> found;
    while (found.size() < settings_.most_rules) {
      const Covering best = next();
      if (best.literals.empty()) break;
      const Bits covered = holds(best.literals);
      for (std::size_t i = 0; i < missed_.size(); ++i) missed_[i] &= ~covered[i];
      found.push_back(best);
    }
    return found;
  }

 private:
  /// Where all of these literals are TRUE.
  [[nodiscard]] Bits holds(const std::vector<std::size_t>& literals) const {
    Bits bits = all_;
    for (const std::size_t literal : literals)
      for (std::size_t i = 0; i < bits.size(); ++i) bits[i] &= literals_[literal].holds[i];
    return bits;
  }

  /// `from`, which is TRUE where `bits` are, and one more literal.
  [[nodiscard]] Candidate extended(const Covering& from, const Bits& bits, std::size_t literal) const {
    Candidate to{from, 0};
    Covering& covering = to.covering;
    covering.literals.insert(std::upper_bound(covering.literals.begin(), covering.literals.end(), literal), literal);
    covering.cases = covering.right = covering.missed = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const std::uint64_t both = bits[i] & literals_[literal].holds[i];
      covering.cases += static_cast<std::uint64_t>(std::popcount(both));
      covering.right += static_cast<std::uint64_t>(std::popcount(both & right_[i]));
      covering.missed += static_cast<std::uint64_t>(std::popcount(both & missed_[i]));
    }
    to.lower = covering.cases == 0 ? 0 : gate::lower_bound(covering.right, covering.cases);
    return to;
  }

  [[nodiscard]] bool may_join(const Covering& covering, std::size_t literal) const {
    return std::none_of(covering.literals.begin(), covering.literals.end(), [&](std::size_t other) {
      return other == literal || literals_[other].about == literals_[literal].about;
    });
  }

  /// The shortest conjunction that is precise enough; none where there is none.
  [[nodiscard]] Covering next() const {
    std::vector<Candidate> open(1);
    open.front().covering.cases = all_count_;
    for (std::size_t length = 1; length <= settings_.most_literals; ++length) {
      std::vector<Candidate> longer;
      std::set<std::vector<std::size_t>> seen;
      for (const Candidate& candidate : open) {
        const Bits bits = holds(candidate.covering.literals);
        for (std::size_t literal = 0; literal < literals_.size(); ++literal) {
          if (!may_join(candidate.covering, literal)) continue;
          Candidate one = extended(candidate.covering, bits, literal);
          const bool says_more = one.covering.cases < candidate.covering.cases;
          if (says_more && one.covering.missed >= settings_.least && seen.insert(one.covering.literals).second)
            longer.push_back(std::move(one));
        }
      }
      const Candidate* best = nullptr;
      for (const Candidate& candidate : longer)
        if (candidate.lower >= settings_.precision && (best == nullptr || better(candidate, *best))) best = &candidate;
      if (best != nullptr) return best->covering;
      std::stable_sort(longer.begin(), longer.end(), [](const Candidate& a, const Candidate& b) { return a.lower > b.lower; });
      if (longer.size() > beam) longer.resize(beam);
      open = std::move(longer);
    }
    return {};
  }

  static bool better(const Candidate& a, const Candidate& b) {
    if (a.covering.missed != b.covering.missed) return a.covering.missed > b.covering.missed;
    return a.lower > b.lower;
  }

  const std::vector<Literal>& literals_;
  const CoveringSettings& settings_;
  std::uint64_t all_count_;
  Bits all_, right_, missed_;
};

}  // namespace

std::vector<Covering> cover(const std::vector<Literal>& literals, const std::vector<Target>& targets,
                            const CoveringSettings& settings) {
  return Search(literals, targets, settings).run();
}

}  // namespace hiple
