#pragma once

#include <vector>

#include "law/columnar_circuit.hpp"
#include "law/columnar_kernels.hpp"
#include "law/inputs.hpp"

namespace hiple::law::columnar {

/// How the values of a vector are stored.
enum class Storage : std::uint8_t { f64, f32, i64, i32, u16, u8 };

/// Throws Error: a column that the law does not read.
Storage storage_of(const Vector& vector, const Inputs& inputs);
/// Whether the values stand in the table or in judgments; else they are computed.
bool is_stored(const Vector& vector);

/// The values of a circuit's vectors, a tile of cases at a time: a whole tile always, zero or arbitrary beyond the cases. One for
/// each thread.
class TileValues {
 public:
  TileValues(const Circuit& circuit, const Inputs& inputs);

  /// From now on numbers() of the vector are asked for.
  void need(std::uint32_t vector);
  /// Cases [begin, begin + count).
  void go_to(std::size_t begin, std::size_t count);

  /// As they are stored, or as doubles what is computed. Valid until the next call.
  template <class T>
  const T* values(std::uint32_t vector);
  /// Any vector that is needed, as doubles.
  [[nodiscard]] const double* numbers(std::uint32_t vector) const { return numbers_[vector].data(); }
  /// A whole tile's values from those of its cases: where the table ends earlier, a copy. Valid until the next call.
  template <class T>
  const T* padded(const T* values);
  /// JudgmentStatus of an engine that is available. Valid until the next call.
  const std::uint8_t* statuses(std::size_t engine);

  [[nodiscard]] std::size_t begin() const { return begin_; }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  void align_engine(std::size_t engine);
  template <class T>
  const T* engine_values(std::size_t engine, const std::vector<T>& array);
  const float* probability_values(std::size_t engine, std::size_t which);
  void compute(const Vector& vector, double* out);

  const Circuit& circuit_;
  const Inputs& inputs_;
  std::size_t begin_ = 0, count_ = 0;
  std::vector<std::uint32_t> needed_;         // what they are made from first
  std::vector<std::vector<double>> numbers_;  // of those
  std::vector<std::uint64_t> scratch_;        // one padded or gathered column
  struct Alignment {
    bool direct = false;  // entries follow the rows one by one, from `first` on
    std::size_t first = 0;
  };
  std::vector<Alignment> alignment_;  // of each engine, in this tile
};

}  // namespace hiple::law::columnar
