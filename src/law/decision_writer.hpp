#pragma once

#include <filesystem>
#include <memory>

#include "law/decision.hpp"

namespace hiple::law {

/// Writes decisions.h5 a portion of cases at a time, so that they need not fit in memory. The file appears with finish(), whole,
/// or not at all.
class DecisionWriter {
 public:
  /// Everything but cases, root and hash of the inputs is taken from `names`, which is not kept. Throws Error: no question, or
  /// one whose name cannot stand in a file.
  DecisionWriter(const std::filesystem::path& path, const Decisions& names);
  ~DecisionWriter();
  DecisionWriter(const DecisionWriter&) = delete;
  DecisionWriter& operator=(const DecisionWriter&) = delete;

  /// Cases with the same names, in ascending order of case id over all portions; else an Error.
  void append(const Decisions& portion);
  /// `root`: root_hash() of all cases; `inputs_sha256`: Decisions::inputs_sha256.
  void finish(const std::string& root, const std::string& inputs_sha256);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hiple::law
