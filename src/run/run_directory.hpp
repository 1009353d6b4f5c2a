#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "config/run_config.hpp"

namespace hiple {

/// The names inside a run's directory; nothing else in the program builds such a path.
class RunDirectory {
 public:
  explicit RunDirectory(std::filesystem::path root) : root_(std::move(root)) {}

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::filesystem::path config() const { return root_ / "run.yaml"; }
  [[nodiscard]] std::filesystem::path build() const { return root_ / "build.json"; }
  [[nodiscard]] std::filesystem::path engine(const std::string& name) const { return root_ / "engines" / name; }
  [[nodiscard]] std::filesystem::path checkpoint(const std::string& name) const { return engine(name) / "checkpoint.h5"; }
  [[nodiscard]] std::filesystem::path progress(const std::string& name) const { return engine(name) / "progress.jsonl"; }
  [[nodiscard]] std::filesystem::path failure(const std::string& name) const { return engine(name) / "FAILED"; }
  [[nodiscard]] std::filesystem::path judgments(const std::string& name) const { return root_ / "judgments" / (name + ".h5"); }
  [[nodiscard]] std::filesystem::path judgment_index() const { return root_ / "judgments.h5"; }
  [[nodiscard]] std::filesystem::path decisions() const { return root_ / "decisions.h5"; }
  [[nodiscard]] std::filesystem::path ledger() const { return root_ / "ledger.h5"; }
  [[nodiscard]] std::filesystem::path status() const { return root_ / "STATUS"; }

 private:
  std::filesystem::path root_;
};

}  // namespace hiple
