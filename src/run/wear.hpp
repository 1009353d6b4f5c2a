#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/drift.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

namespace hiple {

struct WearSettings {
  std::string by;            ///< a column by whose values cases are ordered: a date, a number; empty: their ids
  std::size_t window = 100;  ///< cases between two looks
};

/// One thing that is watched of an engine: in how many cases something spoke against it, window after window.
struct WearSignal {
  std::string name;  ///< "typicality", "evidence"
  std::uint64_t cases = 0, against = 0;
  double allowed = 0;                  ///< the share that wear is measured above
  std::vector<gate::Watched> windows;  ///< `WearSettings::window` cases each, the last one as many as there are
  std::vector<std::string> begins;     ///< of each window: the value of `by`, or the id of its first case
  gate::Drift drift;
  bool shown = false;  ///< that the share came to be above what is allowed
  std::string why;     ///< where nothing could be measured
};

struct EngineWear {
  std::string engine;
  std::vector<WearSignal> signals;
  [[nodiscard]] bool worn() const;
};

/// How an engine's domain moved away from it.
struct Wear {
  std::string by;
  std::size_t window = 0;
  std::uint64_t unordered = 0;  ///< cases without a value of `by`: not looked at
  std::vector<EngineWear> engines;

  [[nodiscard]] std::size_t worn() const;
};

/// Share of unusual cases: those whose typicality is at most this.
inline constexpr double unusual = 0.05;

/// Looks for wear in every engine of a run that has decided, by two signals over the order of cases.
///
/// Typicality, in cases that the engine has not learned from (the test part) and that its condition `cases` calls its own: below
/// `unusual` lie as many of them as of the calibration rows, whatever the engine learned, while they come from the same domain.
/// What is allowed is the upper 97.5 % bound of that share, since the calibration rows are a sample too: of k - 1 of m rows,
/// where a p-value of at most `unusual` takes k of m + 1 (Vovk 2012).
///
/// Evidence, in cases in which a rule in force stands that reads the engine: how often it says another finding than the rule.
/// What is allowed is what the least precise of these rules is allowed. A rule that reads evidence is left out.
///
/// Worn is an engine of which either share is shown to have come to be above what is allowed, at every look and with 95 % for all
/// engines and signals together (Ville, Holm). Throws InputError: no decisions, a column that is not there or has no order.
Wear measure_wear(const PreparedRun& run, const RunDirectory& directory, const WearSettings& settings);

std::string to_text(const Wear& wear);
std::string to_json(const Wear& wear);

}  // namespace hiple
