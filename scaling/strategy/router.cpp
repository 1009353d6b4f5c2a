#include "scaling/strategy/router.hpp"

#include <algorithm>
#include <cmath>

namespace hiple::scaling {

namespace {

constexpr double balance_weight = 0.01;  // of the authors of Switch Transformers

}  // namespace

Router::Router(const RouterShape& shape)
    : shape_(shape),
      probabilities_(static_cast<std::size_t>(shape.rows * shape.experts)),
      choices_(static_cast<std::size_t>(shape.rows * shape.chosen)),
      first_shares_(static_cast<std::size_t>(shape.rows / shape.group_rows * shape.experts)),
      taken_(static_cast<std::size_t>(shape.experts)) {}

void Router::route(Rows logits) {
  const std::int64_t experts = shape_.experts;
  for (std::int64_t row = 0; row < shape_.rows; ++row) {
    const float* values = logits.values + row * logits.stride;
    float* probabilities = probabilities_.data() + row * experts;
    const float largest = *std::max_element(values, values + experts);
    float sum = 0;
    for (std::int64_t e = 0; e < experts; ++e) sum += probabilities[e] = std::exp(values[e] - largest);
    for (std::int64_t e = 0; e < experts; ++e) probabilities[e] /= sum;
    choose(row);
  }
  balance_ = 0;
  for (std::int64_t first = 0; first < shape_.rows; first += shape_.group_rows) {
    find_slots(first);
    weigh_balance(first);
  }
}

void Router::choose(std::int64_t row) {
  const float* probabilities = probabilities_.data() + row * shape_.experts;
  Choice* choices = choices_.data() + row * shape_.chosen;
  float sum = 0;
  for (std::int64_t i = 0; i < shape_.chosen; ++i) {
    const auto is_taken = [&](std::int64_t expert) {
      return std::any_of(choices, choices + i, [&](const Choice& choice) { return choice.expert == expert; });
    };
    std::int64_t best = -1;
    for (std::int64_t e = 0; e < shape_.experts; ++e)
      if (!is_taken(e) && (best < 0 || probabilities[e] > probabilities[best])) best = e;
    choices[i] = {.expert = best, .slot = -1, .weight = probabilities[best]};
    sum += probabilities[best];
  }
  if (shape_.chosen == 1) return;
  for (std::int64_t i = 0; i < shape_.chosen; ++i) choices[i].weight /= sum;
}

void Router::find_slots(std::int64_t first_row) {
  std::ranges::fill(taken_, 0);
  for (std::int64_t i = 0; i < shape_.chosen; ++i) {
    for (std::int64_t row = first_row; row < first_row + shape_.group_rows; ++row) {
      Choice& choice = choices_[static_cast<std::size_t>(row * shape_.chosen + i)];
      std::int64_t& taken = taken_[static_cast<std::size_t>(choice.expert)];
      choice.slot = taken < shape_.slots ? taken++ : -1;
    }
  }
}

void Router::weigh_balance(std::int64_t first_row) {
  float* shares = first_shares_.data() + first_row / shape_.group_rows * shape_.experts;
  const float one = 1.0F / static_cast<float>(shape_.group_rows);
  std::fill_n(shares, shape_.experts, 0.0F);
  for (std::int64_t row = first_row; row < first_row + shape_.group_rows; ++row) shares[choice(row, 0).expert] += one;
  double sum = 0;
  for (std::int64_t row = first_row; row < first_row + shape_.group_rows; ++row)
    for (std::int64_t e = 0; e < shape_.experts; ++e)
      sum += static_cast<double>(shares[e]) *
             static_cast<double>(probabilities_[static_cast<std::size_t>(row * shape_.experts + e)]);
  balance_ += balance_weight * static_cast<double>(shape_.experts) * sum / static_cast<double>(shape_.group_rows * shape_.groups);
}

void Router::gradient(const float* by_weight, Rows by_logits) const {
  const std::int64_t experts = shape_.experts, chosen = shape_.chosen;
  const auto balance =
      static_cast<float>(balance_weight * static_cast<double>(experts) / static_cast<double>(shape_.group_rows * shape_.groups));
  for (std::int64_t row = 0; row < shape_.rows; ++row) {
    const float* probabilities = probabilities_.data() + row * experts;
    const float* shares = first_shares_.data() + row / shape_.group_rows * experts;
    float* target = by_logits.values + row * by_logits.stride;
    for (std::int64_t e = 0; e < experts; ++e) target[e] = balance * shares[e];
    // By the probabilities: a weight of several is p_i / S, S the sum of the choices' own.
    float sum = 0, mean = 0;
    for (std::int64_t i = 0; i < chosen; ++i) {
      sum += probabilities[choice(row, i).expert];
      mean += by_weight[row * chosen + i] * choice(row, i).weight;
    }
    for (std::int64_t i = 0; i < chosen; ++i) {
      const float by = by_weight[row * chosen + i];
      target[choice(row, i).expert] += chosen == 1 ? by : (by - mean) / sum;
    }
    // Through the softmax.
    float inner = 0;
    for (std::int64_t e = 0; e < experts; ++e) inner += probabilities[e] * target[e];
    for (std::int64_t e = 0; e < experts; ++e) target[e] = probabilities[e] * (target[e] - inner);
  }
}

}  // namespace hiple::scaling
