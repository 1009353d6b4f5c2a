#include "gate/drift.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gate/sequence.hpp"

namespace hiple::gate {

namespace {

double weight(std::size_t begin) { return 1 / (static_cast<double>(begin + 1) * static_cast<double>(begin + 2)); }

}  // namespace

Drift rise_above(std::span<const Watched> windows, double rate) {
  Drift drift;
  std::vector<Watched> from(windows.size());  // all that was seen since each window
  std::vector<double> terms;
  for (std::size_t now = 0; now < windows.size(); ++now) {
    // What has not begun yet is 1, with all the weight that is left: 1 / (now + 2).
    terms.assign(1, -std::log(static_cast<double>(now + 2)));
    std::size_t largest = 0;
    for (std::size_t begin = 0; begin <= now; ++begin) {
      from[begin].count += windows[now].count;
      from[begin].n += windows[now].n;
      terms.push_back(std::log(weight(begin)) + log_evidence_above(from[begin].count, from[begin].n, rate));
      if (terms.back() > terms[largest + 1]) largest = begin;
    }
    const double most = *std::max_element(terms.begin(), terms.end());
    double sum = 0;
    for (const double term : terms) sum += std::exp(term - most);
    const double evidence = most + std::log(sum);
    if (evidence > drift.log_evidence) drift = {evidence, now, largest};
  }
  return drift;
}

}  // namespace hiple::gate
