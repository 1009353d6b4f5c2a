#include "judgment/foreign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "h5/h5.hpp"

namespace hiple {

namespace {

constexpr double tolerance = 1e-4;  ///< of sums and of what stands in two places: float32 and its rounding
constexpr std::size_t most_problems = 10;

class ForeignReader {
 public:
  ForeignReader(const std::filesystem::path& path, const ForeignExpectation& expected)
      : file_(path, "hiple judgments", 1), expected_(expected), rows_(expected.case_ids.size()) {}

  Judgments read() {
    read_ids();
    read_classes();
    read_status();
    judgments_.typicality = floats("typicality", rows_);
    if (expected_.classes.empty()) {
      judgments_.value = floats("value", rows_);
      judgments_.label.assign(rows_, no_label);
      judgments_.confidence.assign(rows_, std::numeric_limits<float>::quiet_NaN());
    } else {
      read_answers();
    }
    for (std::size_t row = 0; row < rows_ && problems_.list().size() < most_problems; ++row) check(row);
    problems_.throw_if_any();
    return std::move(judgments_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why, const std::string& remedy = {}) const {
    throw InputError(Place{file_.path().string()}, what, why, remedy);
  }

  void problem(std::size_t row, const std::string& what, const std::string& why = {}, const std::string& remedy = {}) {
    problems_.add(Place{file_.path().string()}, fmt::format("row {} (case {}): {}", row, expected_.case_ids[row], what), why,
                  remedy);
  }

  /// Calls `use(values)` with the data set as it was stored.
  template <class Use>
  void with_integers(const std::string& name, Use use) const {
    const std::string type = file_.type_of(name);
    if (type == "u64") return use(file_.read<std::uint64_t>(name));
    if (type == "i64") return use(file_.read<std::int64_t>(name));
    if (type == "u32") return use(file_.read<std::uint32_t>(name));
    if (type == "i32") return use(file_.read<std::int32_t>(name));
    if (type == "u16") return use(file_.read<std::uint16_t>(name));
    if (type == "u8") return use(file_.read<std::uint8_t>(name));
    if (type == "i8") return use(file_.read<std::int8_t>(name));
    refuse(name + ": holds " + type, "whole numbers are expected", "write it as int64");
  }

  std::vector<float> floats(const std::string& name, std::size_t values) const {
    std::vector<float> result;
    const std::string type = file_.type_of(name);
    if (type == "f32") {
      result = file_.read<float>(name);
    } else if (type == "f64") {
      for (const double value : file_.read<double>(name)) result.push_back(static_cast<float>(value));
    } else {
      refuse(name + ": holds " + type, "real numbers are expected", "write it as float32 or float64");
    }
    check_size(name, result.size(), values);
    return result;
  }

  void check_size(const std::string& name, std::size_t found, std::size_t wanted) const {
    if (found != wanted)
      refuse(fmt::format("{}: {} values", name, found), fmt::format("{} are expected: the table has {} cases", wanted, rows_));
  }

  void read_ids() {
    with_integers("case_id", [&](const auto& ids) {
      for (std::size_t row = 0; row < std::min(ids.size(), rows_); ++row) {
        if (std::cmp_equal(ids[row], expected_.case_ids[row])) continue;
        problem(row, fmt::format("the case id is {}", ids[row]), "every case of the table has one row, in the table's order",
                "write the table's own case_id");
        problems_.throw_if_any();
      }
      check_size("case_id", ids.size(), rows_);
    });
    judgments_.case_id.assign(expected_.case_ids.begin(), expected_.case_ids.end());
  }

  void read_classes() {
    judgments_.classes = expected_.classes;
    if (expected_.classes.empty()) {
      if (file_.has("classes") && file_.shape("classes").at(0) > 0)
        refuse("classes: there are some", "the target is a number", "leave them out");
      return;
    }
    for (const std::string& name : file_.read_texts("classes")) {
      const auto found = std::find(expected_.classes.begin(), expected_.classes.end(), name);
      if (found == expected_.classes.end())
        refuse("classes: \"" + name + "\"", "the target has no such class", suggestion(name, expected_.classes));
      const auto place = static_cast<std::size_t>(found - expected_.classes.begin());
      if (std::find(place_of_.begin(), place_of_.end(), place) != place_of_.end())
        refuse("classes: \"" + name + "\" stands twice", "each class has one column");
      place_of_.push_back(place);
    }
    if (place_of_.empty()) refuse("classes: there is none", "one at least is expected", "write their names, one a column");
  }

  void read_status() {
    judgments_.status.assign(rows_, JudgmentStatus::judged);
    if (!file_.has("status")) return;
    with_integers("status", [&](const auto& codes) {
      check_size("status", codes.size(), rows_);
      for (std::size_t row = 0; row < rows_ && problems_.list().size() < most_problems; ++row) {
        if (std::cmp_less(codes[row], 0) || std::cmp_greater(codes[row], static_cast<int>(JudgmentStatus::invalid))) {
          problem(row, fmt::format("status {}", static_cast<std::int64_t>(codes[row])),
                  "it is 0 judged, 1 abstained or 2 invalid input");
        } else {
          judgments_.status[row] = static_cast<JudgmentStatus>(codes[row]);
        }
      }
    });
  }

  void read_answers() {
    if (file_.has("probability")) read_probabilities();
    read_labels();
    if (file_.has("confidence")) {
      judgments_.confidence = floats("confidence", rows_);
    } else if (judgments_.probability.empty()) {
      refuse("confidence: is missing, and so is probability", "one of them is needed", "write the probabilities of all classes");
    } else {
      judgments_.confidence.assign(rows_, std::numeric_limits<float>::quiet_NaN());
      for (std::size_t row = 0; row < rows_; ++row)
        if (judgments_.label[row] != no_label) judgments_.confidence[row] = probability(row, judgments_.label[row]);
    }
  }

  void read_probabilities() {
    const std::size_t columns = place_of_.size(), classes = expected_.classes.size();
    const auto shape = file_.shape("probability");
    if (shape.size() != 2 || shape[1] != columns)
      refuse("probability: its columns are not the classes", fmt::format("{} columns are expected", columns));
    const std::vector<float> written = floats("probability", rows_ * columns);
    // A class that the program does not know of has the probability 0.
    judgments_.probability.assign(rows_ * classes, 0.0F);
    for (std::size_t row = 0; row < rows_; ++row)
      for (std::size_t c = 0; c < columns; ++c) judgments_.probability[row * classes + place_of_[c]] = written[row * columns + c];
  }

  void read_labels() {
    judgments_.label.assign(rows_, no_label);
    const bool judged_by_probability = !file_.has("label");
    if (judged_by_probability && judgments_.probability.empty())
      refuse("label: is missing, and so is probability", "one of them is needed", "write the probabilities of all classes");
    for (std::size_t row = 0; judged_by_probability && row < rows_; ++row)
      if (judgments_.status[row] == JudgmentStatus::judged) judgments_.label[row] = likeliest(row);
    if (judged_by_probability) return;
    with_integers("label", [&](const auto& labels) {
      check_size("label", labels.size(), rows_);
      for (std::size_t row = 0; row < rows_ && problems_.list().size() < most_problems; ++row) {
        if (judgments_.status[row] != JudgmentStatus::judged) continue;
        if (std::cmp_less(labels[row], 0) || std::cmp_greater_equal(labels[row], place_of_.size())) {
          problem(row, fmt::format("label {}", static_cast<std::int64_t>(labels[row])), "it is no row of `classes`");
        } else {
          judgments_.label[row] = static_cast<std::uint16_t>(place_of_[static_cast<std::size_t>(labels[row])]);
        }
      }
    });
  }

  [[nodiscard]] float probability(std::size_t row, std::size_t label) const {
    return judgments_.probability[row * expected_.classes.size() + label];
  }

  [[nodiscard]] std::uint16_t likeliest(std::size_t row) const {
    const auto begin = judgments_.probability.begin() + static_cast<std::ptrdiff_t>(row * expected_.classes.size());
    return static_cast<std::uint16_t>(std::max_element(begin, begin + static_cast<std::ptrdiff_t>(expected_.classes.size())) -
                                      begin);
  }

  /// False for NaN too.
  static bool is_probability(float value) { return value >= 0.0F && value <= 1.0F; }

  void check(std::size_t row) {
    const JudgmentStatus status = judgments_.status[row];
    const bool judged = status == JudgmentStatus::judged;
    if ((judged || status == JudgmentStatus::abstained) && !is_probability(judgments_.typicality[row]))
      problem(row, "typicality " + format_real(judgments_.typicality[row]), "it is a p-value from 0 to 1",
              "write 1 where the program has no opinion on how usual a case is");
    if (!judged) return;
    if (expected_.classes.empty()) {
      if (!std::isfinite(judgments_.value[row]))
        problem(row, "value " + format_real(judgments_.value[row]), "a case that is judged has a finite one",
                "give it another status");
      return;
    }
    if (!judgments_.probability.empty()) check_probabilities(row);
    if (!is_probability(judgments_.confidence[row]))
      problem(row, "confidence " + format_real(judgments_.confidence[row]), "it is a probability from 0 to 1");
  }

  void check_probabilities(std::size_t row) {
    double sum = 0;
    for (std::size_t c = 0; c < expected_.classes.size(); ++c) {
      const float value = probability(row, c);
      if (!is_probability(value))
        return problem(row, "probability " + format_real(value) + " of " + expected_.classes[c], "it must be from 0 to 1");
      sum += static_cast<double>(value);
    }
    if (!(std::abs(sum - 1) <= tolerance))
      return problem(row, "the probabilities sum to " + format_real(sum), "they must sum to 1");
    const std::uint16_t label = judgments_.label[row];
    if (label == no_label) return;
    if (const std::uint16_t best = likeliest(row); probability(row, label) < probability(row, best))
      return problem(row, "the label is " + expected_.classes[label], "the likeliest class is " + expected_.classes[best]);
    if (!(std::abs(static_cast<double>(judgments_.confidence[row]) - static_cast<double>(probability(row, label))) <= tolerance))
      problem(row, "confidence " + format_real(judgments_.confidence[row]),
              "the label's probability is " + format_real(probability(row, label)));
  }

  h5::Reader file_;
  const ForeignExpectation& expected_;
  std::size_t rows_;
  std::vector<std::size_t> place_of_;  ///< of the program's classes among the target's
  Judgments judgments_;
  Problems problems_;
};

}  // namespace

Judgments read_foreign_judgments(const std::filesystem::path& path, const ForeignExpectation& expected) {
  return ForeignReader(path, expected).read();
}

}  // namespace hiple
