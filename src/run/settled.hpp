#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "run/prepare.hpp"

namespace hiple {

/// What was settled when a run started, before anything of its outcome could be known: sha256 of the canonical texts.
struct Settled {
  std::string time;
  std::string law;          ///< with its critical findings and what covers them
  std::string gates;        ///< truth, needed engines and thresholds; empty where the run has none
  std::string report = {};  ///< the earlier report of gates by which the run is open or closed; empty where none is named

  [[nodiscard]] bool same_texts(const Settled& other) const {
    return law == other.law && gates == other.gates && report == other.report;
  }
};

/// As of now.
Settled settle(const PreparedRun& run);

/// All that build.json holds, oldest first; none where there is no such file. Throws InputError where it cannot be read.
std::vector<Settled> read_settled(const std::filesystem::path& build_record);

/// For people: "law" and "gates", each with its sha256 and whether it is what was settled when the run first started.
std::vector<std::pair<std::string, std::string>> settled_lines(const std::vector<Settled>& settled, const Settled& now);

}  // namespace hiple
