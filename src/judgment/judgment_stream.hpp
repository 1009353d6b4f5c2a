#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "judgment/judgment.hpp"

namespace hiple {

/// Reads judgments/E.h5 a portion after the other, so that it need not fit in memory.
class JudgmentStream {
 public:
  /// Throws InputError as read_judgments() does, but for what is wrong with rows.
  explicit JudgmentStream(const std::filesystem::path& path);
  ~JudgmentStream();
  JudgmentStream(JudgmentStream&&) noexcept;

  /// Everything but the rows.
  [[nodiscard]] const Judgments& head() const;
  [[nodiscard]] std::uint64_t rows() const;
  /// Throws InputError where any row is not sound. Of a file that our writer sealed nothing is read: it wrote no such row.
  void check_rows();
  /// Whether the engine was not asked about some case.
  [[nodiscard]] bool leaves_cases_out() const;
  /// The next rows, up to the one with case id `last`. `expected`: how many that will be, about. Throws InputError: rows that are
  /// not sound.
  Judgments up_to(std::uint64_t last, std::size_t expected);
  /// Back to the first row.
  void restart();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hiple
