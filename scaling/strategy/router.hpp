#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scaling/strategy/chain.hpp"

namespace hiple::scaling {

/// Sizes of a router, the same on all ranks but for `rows`.
struct RouterShape {
  std::int64_t rows = 0;        ///< of this rank: whole groups
  std::int64_t group_rows = 0;  ///< rows that share the experts' room
  std::int64_t groups = 0;      ///< of all ranks
  std::int64_t experts = 0;
  std::int64_t chosen = 0;  ///< experts of a row
  std::int64_t slots = 0;   ///< of an expert for a group
};

/// A learned router (Lepikhin et al., "GShard", ICLR 2021; for one expert a row Fedus et al., "Switch Transformers", JMLR 2022):
/// a row's experts are those of largest probability. In a group the first choices of all rows come before the second ones, each
/// in the order of the rows; who finds an expert's slots full is not judged by it. A choice weighs its probability, by those of
/// all of the row's choices where they are several.
class Router {
 public:
  explicit Router(const RouterShape& shape);

  /// Where a row's choice went.
  struct Choice {
    std::int64_t expert = 0;
    std::int64_t slot = -1;  ///< -1: there was no room
    float weight = 0;
  };

  /// Chooses by these logits [rows, experts].
  void route(Rows logits);
  [[nodiscard]] const Choice& choice(std::int64_t row, std::int64_t index) const {
    return choices_[static_cast<std::size_t>(row * shape_.chosen + index)];
  }
  /// This rank's part of the balance loss, the mean over all groups of 0.01 E sum_e f_e P_e: f_e the share of the group's rows
  /// with first choice e, P_e the mean of its probabilities.
  [[nodiscard]] double balance_loss() const { return balance_; }
  /// The gradient by the logits, from that by the choices' weights [rows, chosen] and of the balance loss.
  void gradient(const float* by_weight, Rows by_logits) const;

 private:
  void choose(std::int64_t row);
  void find_slots(std::int64_t first_row);
  void weigh_balance(std::int64_t first_row);

  RouterShape shape_;
  std::vector<float> probabilities_;  // [rows, experts]
  std::vector<Choice> choices_;       // [rows, chosen]
  std::vector<float> first_shares_;   // [groups of this rank, experts]
  std::vector<std::int64_t> taken_;   // slots of each expert, of one group
  double balance_ = 0;
};

}  // namespace hiple::scaling
