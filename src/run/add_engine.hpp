#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "audit/law_diff.hpp"
#include "run/add_engine_input.hpp"
#include "run/add_engine_table.hpp"
#include "run/revise_history.hpp"
#include "run/run_alone.hpp"

namespace hiple {

struct AddEngineSettings {
  RunConfig held;          ///< the configuration of a finished run; its output is the run's directory
  RunConfig wanted;        ///< that of the run with what joins
  std::string retrain;     ///< an engine to be trained again in place of others that join; or empty
  bool fresh = false;      ///< forget what an interrupted attempt left
  AloneSettings run = {};  ///< how engines are trained and cases decided
  /// Called when the cases are decided: to add to the summary what was watched. May be empty.
  std::function<void(report::Summary&, const PreparedRun&, const RunDirectory&)> watched = {};
};

/// What came of it.
struct EngineAdded {
  std::filesystem::path directory, kept;  ///< the run, and the version of it that was
  std::uint64_t version = 0, parent = 0;
  Joining joining;
  NewerTable newer;
  std::string root_before, root, law_before, law;            ///< law: SHA-256 of the canonical text
  std::vector<EngineFiles> shared;                           ///< of every other engine, before and after
  std::vector<std::pair<std::string, std::uint64_t>> asked;  ///< of these, those that judged more cases than before, and how many
  audit::LawDiff diff;
};

/// Lets engines, with their rules and links, join a finished run, or trains one of its engines anew. Only these are trained; the
/// checkpoint and the judgments of every other engine stay as they are, byte for byte, which is checked; where judging is on
/// demand, one that is asked about more cases keeps every word that it has said. Every case is decided anew, and what changes is
/// what what joined accounts for, which is checked too: by decisions.h5 of both versions against the difference of the laws. The
/// run as it was stays beside it as a version (Versions), with its record growth.json; until the new one is complete the
/// directory shows the old one. Interrupted, it goes on where it was when it is called again with the same.
///
/// Throws InputError: the directory holds no run, or one that is not finished; what check_joining() refuses; another process
/// works in it; what check_newer_table() refuses; the table, the evidence or the gates' report are not those of its decisions.
/// Throws Error where an engine fails: the run stays as it was.
EngineAdded add_engine(const AddEngineSettings& settings);

/// `most`: how many changes are listed.
std::string to_text(const EngineAdded& added, std::size_t most);
std::string to_json(const EngineAdded& added);

}  // namespace hiple
