#include "gate/share.hpp"

#include <algorithm>

#include "gate/bounds.hpp"

namespace hiple::gate {

double Share::ratio() const {
  return n == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(count) / static_cast<double>(n);
}
double Share::lower() const { return lower_bound(bound_count(), bound_n()); }
double Share::upper() const { return upper_bound(bound_count(), bound_n()); }

namespace {

constexpr double each = 0.975;
double low(const Share& share) { return lower_bound(share.bound_count(), share.bound_n(), each); }
double high(const Share& share) { return upper_bound(share.bound_count(), share.bound_n(), each); }

}  // namespace

double Paired::value() const { return worse.ratio() - better.ratio(); }
double Paired::lower() const { return low(worse) - high(better); }
double Paired::upper() const { return high(worse) - low(better); }

double Mean::value() const { return n == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(n); }
// std::max and std::min would turn NaN into a bound, so nothing to measure is told apart first.
double Mean::lower() const { return n == 0 ? value() : std::max(0.0, value() - mean_margin(n)); }
double Mean::upper() const { return n == 0 ? value() : std::min(1.0, value() + mean_margin(n)); }

void Outcomes::add(const law::Decision& decision) {
  const auto reason = static_cast<std::size_t>(decision.reason);
  switch (decision.status) {
    case law::Status::decide:
      ++decided;
      break;
    case law::Status::abstain:
      ++abstained;
      ++abstained_for.at(reason);
      break;
    case law::Status::escalate:
      ++escalated;
      ++escalated_for.at(reason);
      break;
  }
}

void Outcomes::add(const Outcomes& other) {
  decided += other.decided;
  abstained += other.abstained;
  escalated += other.escalated;
  for (std::size_t i = 0; i < reason_count; ++i) {
    abstained_for[i] += other.abstained_for[i];
    escalated_for[i] += other.escalated_for[i];
  }
}

}  // namespace hiple::gate
