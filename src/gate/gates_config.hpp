#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "table/schema.hpp"

namespace hiple::gate {

/// Where the right answers to a question stand.
struct TruthConfig {
  std::string question;
  std::string column;  ///< role `label`, a category or a boolean; a missing cell means that the answer is not known
  std::string also;    ///< a column like it with a second finding that is right as well, where not missing; or empty
  std::map<std::string, std::string> findings;  ///< from a value of the column to a finding; without an entry they are the same
  Place place, column_place, also_place;
};

/// What is registered before the test part is looked at. A figure without a threshold is reported, not gated.
struct Thresholds {
  double cbr = 0.95;          ///< cross-boundary recall, lower bound at least
  double cmr_silent = 0.01;   ///< silent critical misses, upper bound at most
  double cmr_strict = 0.05;   ///< silent and dropped critical misses, upper bound at most
  double over_triage = 0.35;  ///< cases without a critical finding that are escalated, upper bound at most, the worst question
  std::optional<double> coverage = std::nullopt;  ///< answers that are decided, lower bound at least, the worst question
  std::optional<double> cost = std::nullopt;      ///< mean share of the engines consulted, upper bound at most
  std::optional<double> found =
      std::nullopt;  ///< cross-boundary cases with every finding decided or escalated, lower bound at least
  std::optional<double> not_worse =
      std::nullopt;  ///< cases lost against all engines under the same law, less those won: upper bound at most
};

/// The home engines of a case, as somebody annotated them.
struct HomeConfig {
  std::string column;                                       ///< role `label`, a category; or empty: nobody did
  std::map<std::string, std::vector<std::string>> engines;  ///< from a value to engines; without an entry the value is an engine
  Place place, column_place;
};

/// Where a boundary begins that leads from no home engine.
inline constexpr const char* no_home = "nowhere";

/// A boundary that need not pass, on somebody's word.
struct Waiver {
  std::string boundary;  ///< "from -> to", or "pooled"
  std::string by, date, because;
  Place place;
};

/// gates.yaml:
///   gates: 1
///   truth:
///     state: {column: state_truth, also: state_truth_2}
///     heat_failure: {column: HDF, findings: {"true": failure, "false": none}}
///   needed:                                # the engines at home in a question or a finding; the finding's own entry wins
///     state: hypo
///     state.overt_hyper: [hyper]
///   needed_columns: {hypo: needs_hypo}     # in place of `needed`: for each engine a boolean column that says so of each case
///   home: {column: home, engines: {A: hypo, B: [hypo, nti], C: []}}   # the annotated home engines; may be left out
///   cluster: patient                       # a column: cases with the same value are one cluster, of which bounds are taken
///   thresholds: {cbr: 0.95, cmr_silent: 0.01, cmr_strict: 0.05, over_triage: 0.35, coverage: 0.8, cost: 0.7, found: 0.9,
///                not_worse: 0.02}
///   waivers:
///     - {boundary: hypo -> nti, by: J. Doe, date: 2026-11-30, because: "too few to say"}
/// Values of a boolean column are written "true" and "false".
struct GatesConfig {
  std::filesystem::path file;
  std::vector<TruthConfig> truth;                          ///< ascending by question
  std::map<std::string, std::vector<std::string>> needed;  ///< of "question" or "question.finding"; engines ascending
  std::map<std::string, Place> needed_places;
  std::map<std::string, std::string> needed_columns;  ///< of each engine; empty where nobody annotated cases
  std::map<std::string, Place> needed_column_places;
  HomeConfig home;
  std::string cluster;  ///< or empty: each case is one of its own
  Place cluster_place;
  Thresholds thresholds;
  std::vector<Waiver> waivers;  ///< ascending by boundary

  /// The same text for every layout of the file; its sha256 stands in the run.
  [[nodiscard]] std::string canonical() const;
  /// Every column that is read for the truth, ascending.
  [[nodiscard]] std::vector<std::string> columns() const;
};

/// Throws InputError with every problem of the file itself.
GatesConfig load_gates(const std::filesystem::path& path);

/// What gates.yaml must fit: questions and their findings in the law's order, engines of the run.
struct GatesContext {
  std::vector<std::string> questions;
  std::vector<std::vector<std::string>> findings;
  std::vector<std::string> engines;
};

/// Throws InputError with every name that schema, law or run lack, at its place.
void check_gates(const GatesConfig& config, const Schema& schema, const GatesContext& context);

}  // namespace hiple::gate
