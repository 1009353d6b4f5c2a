#pragma once

#include "law/decision_writer.hpp"
#include "law/law.hpp"

namespace hiple::law {

/// Decides a table that does not fit in memory, a portion of cases at a time, into decisions.h5. What it needs is bounded by the
/// largest portion, besides 32 bytes for each 4096 cases; the file is the one that decide() and write_decisions() would give.
class DecisionStream {
 public:
  /// Keeps a reference to the law. `engines`: names, whether available, and hashes of their files; of `judgments` no more is used
  /// than whether it is null. Where `options.inputs_sha256` is not given, the inputs are hashed on the way.
  DecisionStream(const Law& law, const std::filesystem::path& path, const std::vector<EngineJudgments>& engines,
                 const DecideOptions& options);
  ~DecisionStream();
  DecisionStream(const DecisionStream&) = delete;
  DecisionStream& operator=(const DecisionStream&) = delete;

  /// The next cases, in ascending order over all portions, with the judgments of them. Every portion but the last holds a
  /// multiple of 4096 cases, so that leaves of the root lie within portions; else an Error. Throws InputError as decide() does.
  /// The decisions of these cases; valid until the next call.
  const Decisions& append(const Table& portion, const std::vector<EngineJudgments>& engines);
  /// Of all portions so far, which must be the last.
  [[nodiscard]] std::string inputs_sha256();
  /// Writes the file. The root.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hiple::law
