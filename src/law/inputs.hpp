#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "condition/view.hpp"
#include "law/model.hpp"

namespace hiple::law {

/// What a law can see of every case of a table: its columns, and the judgments of its engines, aligned by case id.
class Inputs {
 public:
  /// Keeps references: law, table and judgments must outlive it. Throws InputError: judgments of an engine that the law does
  /// not know or twice of one, classes that differ from the engine's description, probabilities that are left out while a
  /// condition reads them, no such column, an integer beyond 2^53 in a column that is read.
  Inputs(const Law::Model& law, const Table& table, const std::vector<EngineJudgments>& engines);

  [[nodiscard]] std::size_t cases() const { return table_->rows(); }
  [[nodiscard]] std::size_t engines() const { return judgments_.size(); }  ///< of the law, given or not
  [[nodiscard]] std::uint64_t case_id(std::size_t row) const { return table_->case_id[row]; }
  [[nodiscard]] condition::Field field(std::size_t row, std::size_t column) const;
  /// As if it were consulted.
  [[nodiscard]] condition::Voice voice(std::size_t row, std::size_t engine) const;

  /// A column as it is stored; null if no condition reads it.
  [[nodiscard]] const Column* column(std::size_t column) const { return columns_[column]; }
  /// An engine's judgments as they are stored; null if it is not available.
  [[nodiscard]] const Judgments* judgments(std::size_t engine) const { return judgments_[engine]; }
  /// The entry of each row in them, `no_entry` where it has none.
  [[nodiscard]] std::span<const std::uint32_t> entries(std::size_t engine) const { return entry_[engine]; }
  static constexpr std::uint32_t no_entry = 0xFFFFFFFF;
  /// Of each of the file's classes its number in the law; empty where they are the same.
  [[nodiscard]] std::span<const std::uint16_t> class_numbers(std::size_t engine) const { return label_[engine]; }
  /// [entries, classes], in the law's order of classes; empty if left out.
  [[nodiscard]] std::span<const float> probabilities(std::size_t engine) const;

 private:
  void add_columns();
  void check_whole(const Column& column, const std::string& name, Problems& problems) const;
  void add_engine(const EngineJudgments& engine);
  void check_entries(const EngineJudgments& engine) const;
  void match_classes(std::size_t number, const EngineJudgments& engine);
  void align(std::size_t number, const Judgments& judgments);

  const Law::Model* law_;
  const Table* table_;
  std::vector<const Column*> columns_;             ///< of each of the law's columns; null if no condition reads it
  std::vector<const Judgments*> judgments_;        ///< of each engine, or null
  std::vector<std::vector<std::uint32_t>> entry_;  ///< of each engine: its entry for each row
  std::vector<std::vector<std::uint16_t>> label_;  ///< of each engine whose file lists its classes in another order: the law's
  std::vector<std::vector<float>> probability_;    ///< of such an engine: in the law's order
};

}  // namespace hiple::law
