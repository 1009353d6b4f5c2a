#pragma once

#include <vector>

#include "law/law.hpp"
#include "table/split.hpp"

namespace hiple {

/// The test part of a run, gathered from portions: its cases, what was decided of them and what engines said of them.
class TestPart {
 public:
  void add(const Table& table, const std::vector<Part>& parts, const law::Decisions& decisions,
           const std::vector<law::EngineJudgments>& engines);

  [[nodiscard]] std::size_t cases() const { return table_.rows(); }
  [[nodiscard]] const Table& table() const { return table_; }
  [[nodiscard]] const law::Decisions& decisions() const { return decisions_; }
  [[nodiscard]] std::vector<law::EngineJudgments> engines() const;

 private:
  Table table_;
  law::Decisions decisions_;
  std::vector<law::EngineJudgments> engines_;  ///< without judgments
  std::vector<Judgments> judgments_;           ///< of each
};

}  // namespace hiple
