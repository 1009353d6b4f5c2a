#include "judgment/judgment_check.hpp"

#include <cmath>
#include <set>

namespace hiple {

namespace {

bool is_status(JudgmentStatus status) { return status <= JudgmentStatus::not_asked || status == JudgmentStatus::absent; }

class Check {
 public:
  explicit Check(const Judgments& judgments) : judgments_(judgments) {}

  std::string fault() const {
    for (const auto part : {&Check::of_classes, &Check::of_sizes}) {
      if (std::string fault = (this->*part)(); !fault.empty()) return fault;
    }
    if (!any_row_is_wrong()) return {};
    for (std::size_t row = 0; row < judgments_.size(); ++row) {
      if (const std::string fault = of_row(row); !fault.empty())
        return "case " + std::to_string(judgments_.case_id[row]) + ": " + fault;
    }
    return {};
  }

 private:
  std::string of_classes() const {
    if (judgments_.classes.size() >= no_label) return "more than 65534 classes";
    const std::set<std::string> unique(judgments_.classes.begin(), judgments_.classes.end());
    if (unique.size() != judgments_.classes.size()) return "a class stands twice";
    return unique.contains("") ? "a class without a name" : "";
  }

  std::string of_sizes() const {
    const std::size_t rows = judgments_.size();
    const auto differs = [&](const std::string& name, std::size_t found, std::size_t wanted) {
      return found == wanted ? ""
                             : name + " has " + std::to_string(found) + " values, but " + std::to_string(wanted) + " are needed";
    };
    const bool regression = judgments_.classes.empty();
    const std::size_t probabilities = judgments_.probability.empty() ? 0 : rows * judgments_.classes.size();
    for (const std::string& fault :
         {differs("label", judgments_.label.size(), rows), differs("confidence", judgments_.confidence.size(), rows),
          differs("typicality", judgments_.typicality.size(), rows), differs("status", judgments_.status.size(), rows),
          differs("probability", judgments_.probability.size(), probabilities),
          differs("value", judgments_.value.size(), regression ? rows : 0)}) {
      if (!fault.empty()) return fault;
    }
    return {};
  }

  /// What of_row() looks for, without a branch a row: most files have nothing wrong.
  bool any_row_is_wrong() const {
    const Judgments& j = judgments_;
    const std::size_t rows = j.size(), classes = j.classes.size();
    const auto any = [](std::size_t count, auto wrong) {
      bool found = false;
      for (std::size_t i = 0; i < count; ++i) found |= wrong(i);
      return found;
    };
    const auto judged = [&](std::size_t i) { return j.status[i] == JudgmentStatus::judged; };
    const auto spoke = [&](std::size_t i) { return j.status[i] <= JudgmentStatus::abstained; };
    bool wrong = any(rows == 0 ? 0 : rows - 1, [&](std::size_t i) { return j.case_id[i + 1] <= j.case_id[i]; });
    wrong |= any(rows, [&](std::size_t i) { return (!is_status(j.status[i])) | (spoke(i) & !is_probability(j.typicality[i])); });
    if (classes == 0) {
      wrong |= any(rows, [&](std::size_t i) { return j.label[i] != no_label; });
      return wrong | any(rows, [&](std::size_t i) { return judged(i) & !std::isfinite(j.value[i]); });
    }
    wrong |= any(rows, [&](std::size_t i) {
      const bool wrong_label = judged(i) ? j.label[i] >= classes : j.label[i] != no_label;
      return wrong_label | (judged(i) & !is_probability(j.confidence[i]));
    });
    // Of what was not judged they are NaN.
    if (any(j.probability.size(), [&](std::size_t i) { return !is_probability(j.probability[i]); }))
      wrong |= any(j.probability.size(), [&](std::size_t i) { return judged(i / classes) & !is_probability(j.probability[i]); });
    return wrong;
  }

  std::string of_row(std::size_t row) const {
    if (row > 0 && judgments_.case_id[row] <= judgments_.case_id[row - 1]) return "the ids are not ascending";
    const JudgmentStatus status = judgments_.status[row];
    if (!is_status(status)) return "status " + std::to_string(static_cast<unsigned>(status)) + " is none";
    const bool judged = status == JudgmentStatus::judged, regression = judgments_.classes.empty();
    if (judged && !regression && judgments_.label[row] >= judgments_.classes.size())
      return "label " + std::to_string(judgments_.label[row]) + " is no class";
    if ((!judged || regression) && judgments_.label[row] != no_label) return "a label although there is none";
    if (judged && !regression && !is_probability(judgments_.confidence[row])) return "a confidence outside 0 to 1";
    if (judged && regression && !std::isfinite(judgments_.value[row])) return "a value that is not finite";
    if ((judged || status == JudgmentStatus::abstained) && !is_probability(judgments_.typicality[row]))
      return "a typicality outside 0 to 1";
    const std::size_t classes = judgments_.probability.empty() ? 0 : judgments_.classes.size();
    for (std::size_t c = 0; judged && c < classes; ++c) {
      if (!is_probability(judgments_.probability[row * classes + c])) return "a probability outside 0 to 1";
    }
    return {};
  }

  /// False for NaN too.
  static bool is_probability(float value) { return (value >= 0.0F) & (value <= 1.0F); }

  const Judgments& judgments_;
};

}  // namespace

std::string fault_of(const Judgments& judgments) { return Check(judgments).fault(); }

}  // namespace hiple
