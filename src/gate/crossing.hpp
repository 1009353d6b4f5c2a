#pragma once

#include <map>
#include <string>
#include <vector>

#include "gate/figures.hpp"

namespace hiple::gate {

/// What one case needs beyond its home, and what of it was had.
struct Crossed {
  struct Step {
    std::size_t from = 0, to = 0;  ///< numbers of the ends, see Crossing::name_of_from() and name_of_to()
    bool recalled = false;
  };
  bool crosses = false;
  bool recalled = false;        ///< all of it
  bool recalled_links = false;  ///< without broadening
  std::uint64_t pairs = 0, pairs_recalled = 0;
  std::vector<Step> steps;  ///< each boundary that it crosses, once
};

/// Finds for each case whether it crosses a boundary, by the best basis that there is: annotated, stated, counterfactual.
class Crossing {
 public:
  /// Keeps a reference.
  explicit Crossing(const Measured& measured);

  [[nodiscard]] Basis basis() const { return basis_; }
  /// Whether the basis needs the true findings of the case.
  [[nodiscard]] bool needs_truth() const { return basis_ == Basis::stated; }
  /// Whether what the basis or the home needs was annotated for this row.
  [[nodiscard]] bool knows(std::size_t row) const { return measured_.truth.annotated.empty() || measured_.truth.annotated[row]; }
  [[nodiscard]] Crossed of(std::size_t row);

  [[nodiscard]] std::string name_of_from(std::size_t from) const;
  [[nodiscard]] std::string name_of_to(std::size_t to) const;
  /// The lowest panel that holds both ends: index into LawFacts::panels; the root where a boundary begins at no engine. Not by
  /// counterfactual, nor without panels: then no_panel.
  [[nodiscard]] std::size_t panel_of(std::size_t from, std::size_t to) const;
  static constexpr std::size_t no_panel = static_cast<std::size_t>(-1);

 private:
  [[nodiscard]] std::vector<std::uint64_t> needed(std::size_t row) const;
  [[nodiscard]] Crossed by_engines(std::size_t row) const;
  [[nodiscard]] Crossed by_decisions(std::size_t row);
  void read_stated();

  const Measured& measured_;
  const law::Decisions& decisions_;
  Basis basis_ = Basis::none;
  bool has_home_ = false;
  EngineSets judged_;
  std::vector<std::vector<std::vector<std::size_t>>> stated_;  ///< [question][finding]: engines
  std::map<std::vector<std::size_t>, std::size_t> homes_;      ///< by counterfactual: the sets of home engines that came up
  std::vector<std::string> home_names_;                        ///< of each
  std::vector<std::vector<bool>> panels_;                      ///< of each panel: which engines it holds
};

}  // namespace hiple::gate
