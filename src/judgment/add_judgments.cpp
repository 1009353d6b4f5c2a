#include "judgment/add_judgments.hpp"

#include "base/error.hpp"

namespace hiple {

void add_judgments(Judgments& held, const Judgments& more) {
  if (held.case_id != more.case_id || held.classes != more.classes || held.probability.size() != more.probability.size())
    throw Error("judgments of engine " + held.engine + " are of other cases or classes than those that are added");
  const std::size_t classes = held.probability.empty() ? 0 : held.classes.size();
  for (std::size_t row = 0; row < held.size(); ++row) {
    if (held.status[row] != JudgmentStatus::not_asked || more.status[row] == JudgmentStatus::not_asked) continue;
    held.status[row] = more.status[row];
    held.label[row] = more.label[row];
    held.confidence[row] = more.confidence[row];
    held.typicality[row] = more.typicality[row];
    if (!held.value.empty()) held.value[row] = more.value[row];
    for (std::size_t c = row * classes; c < (row + 1) * classes; ++c) held.probability[c] = more.probability[c];
  }
}

}  // namespace hiple
