#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hiple::engine {

/// Activations of some rows with their classes; one class for all in a regression.
struct Activations {
  std::span<const float> values;          ///< [rows, width]
  std::span<const std::int32_t> classes;  ///< [rows]
};

/// How usual a case is for an engine: a conformal p-value against held-out rows of its own domain.
///
/// The score of a case for a class is the squared Mahalanobis distance of its activations in the penultimate layer from the
/// class's mean, under one covariance for all classes (Lee et al., NeurIPS 2018), shrunk as Ledoit and Wolf (2004) propose; both
/// are fitted to training rows. The p-value for a class is (1 + number of calibration rows of the class with at least this
/// score) / (1 + calibration rows of the class) (Vovk, "Conditional validity of inductive conformal predictors", 2012). A
/// class with fewer than `few_rows` calibration rows is compared with those of all classes, each scored for its own:
/// its own could not give a small p-value at all. The typicality of a case is the largest p-value over the classes: it is
/// small only where the case is like no class. For rows that are exchangeable with the calibration rows it is below a with
/// a probability of a at most, whatever the engine makes of them (exactly so where no class is short of rows).
class Typicality {
 public:
  static constexpr std::size_t few_rows = 100;

  /// What there is to store.
  struct Parameters {
    std::size_t width = 0;
    std::vector<double> factor;               ///< [width, width], row by row: lower Cholesky factor of the covariance
    std::vector<double> means;                ///< [classes, width]: class means, divided by the factor
    std::vector<std::uint8_t> present;        ///< [classes]: whether training has rows of the class
    std::vector<std::vector<double>> scores;  ///< [classes]: those of the calibration rows, ascending
  };

  Typicality() = default;
  /// Throws Error where the sizes do not fit together.
  explicit Typicality(Parameters parameters);

  static Typicality fit(std::size_t width, std::size_t classes, const Activations& training, const Activations& calibration);

  /// The typicality of each row of `values` [rows, width].
  void p_values(std::span<const float> values, std::span<float> result) const;

  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  /// The smallest p-value that it can give.
  [[nodiscard]] double resolution() const;

 private:
  [[nodiscard]] const std::vector<double>& compared_with(std::size_t class_index) const;

  Parameters parameters_;
  std::vector<double> all_scores_;
};

}  // namespace hiple::engine
