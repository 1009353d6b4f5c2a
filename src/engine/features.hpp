#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "table/table.hpp"

namespace hiple::engine {

/// How one column of a table becomes input of a network. Fitted on training rows; part of the checkpoint.
/// A real, an integer and a date (in days) give two numbers: (value - mean) / scale, and 1 where it is missing. A boolean gives
/// its 0 or 1, and 1 where it is missing. A missing value is 0, the mean, and always marked, even where training missed none.
/// A category gives a code: its place in the vocabulary, or -1 where it is missing.
struct Feature {
  std::string name;
  ColumnType type = ColumnType::real;
  std::string unit;
  double mean = 0;
  double scale = 1;                     ///< standard deviation over known training values; 1 where they are all equal
  std::vector<std::string> vocabulary;  ///< of a category: the texts that training rows hold, in the schema's order
  std::string series = {};              ///< where it is read as a point of a series: the series' name

  [[nodiscard]] bool is_category() const { return type == ColumnType::category; }
};

/// A standardised value is held to this many standard deviations, so that no finite cell overflows a float on its way through
/// a network; typicality is what tells that such a case is a strange one.
inline constexpr double largest_deviation = 1000;

/// Network input of some rows.
struct Inputs {
  std::size_t rows = 0;
  std::vector<float>
      dense;  ///< [rows, dense width]: two numbers a feature, then the series [points, 2 * series], point after point
  std::vector<std::int32_t> codes;  ///< [rows, categories]
};

/// Turns rows of any table that has the features into network input.
class Features {
 public:
  Features() = default;
  explicit Features(std::vector<Feature> features) : features_(std::move(features)) {}

  /// Fits scaler and vocabulary to known cells of `rows`. A name may be that of a series: `as_series` says whether its points are
  /// read as such, or each for itself. Each point has a scaler of its own: what is told is how a case differs from others at the
  /// same point. Throws Error where a feature is not among the table's columns, or two series read as such have different
  /// lengths.
  static Features fit(const Table& table, std::span<const std::string> names, std::span<const std::uint32_t> rows,
                      bool as_series = false);

  [[nodiscard]] const std::vector<Feature>& list() const { return features_; }
  /// Numbers of features that are neither categories nor points of a series.
  [[nodiscard]] std::size_t scalar_width() const;
  /// Series that are read as such, and the points of each.
  [[nodiscard]] std::size_t series_count() const;
  [[nodiscard]] std::size_t series_length() const;
  /// All dense numbers.
  [[nodiscard]] std::size_t dense_width() const { return scalar_width() + 2 * series_count() * series_length(); }
  /// Size of each category's vocabulary, 1 at least.
  [[nodiscard]] std::vector<std::int64_t> vocabulary_sizes() const;

 private:
  [[nodiscard]] std::size_t series_points() const;

  std::vector<Feature> features_;
};

/// Features bound to one table: columns by name, categories by text.
class FeatureReader {
 public:
  /// Throws InputError with every problem: a column is missing, or has another type or unit than in training.
  FeatureReader(const Features& features, const Table& table);

  /// Whether no feature of the row is invalid; a category's text outside the vocabulary is.
  [[nodiscard]] bool valid(std::uint32_t row) const;
  /// The input of the rows. A row that is not valid reads as zeros and missing categories.
  void read(std::span<const std::uint32_t> rows, Inputs& inputs) const;

 private:
  struct Source {
    const Feature* feature;
    const Column* column;
    std::vector<std::int32_t> codes;  ///< of a category: from the table's code to ours
    std::size_t place = 0;            ///< of a number: where its two stand in a dense row
  };
  void place_numbers(const Features& features);
  [[nodiscard]] static std::int32_t code(const Source& source, std::uint32_t row);
  void read_row(std::uint32_t row, float* dense, std::int32_t* codes) const;

  std::vector<Source> sources_;
  std::size_t dense_width_ = 0, categories_ = 0;
};

/// Those of the rows in which no cell of the named columns and series is invalid.
std::vector<std::uint32_t> rows_without_invalid(const Table& table, std::span<const std::string> names,
                                                std::span<const std::uint32_t> rows);

}  // namespace hiple::engine
