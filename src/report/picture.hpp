#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gate/gate_report.hpp"
#include "report/rank_seconds.hpp"
#include "report/summary.hpp"

/// What a page shows of a run.
namespace hiple::report {

/// A part that a run may not have, and one sentence that says why it has none.
template <class Content>
struct Part {
  std::optional<Content> content;
  std::string missing;
};

/// The answers to one question over all cases.
struct QuestionAnswers {
  struct Decided {
    std::string finding;
    std::uint64_t count = 0;
    bool critical = false;
  };
  std::string question;
  gate::Outcomes outcomes;
  std::uint64_t firm = 0;        ///< of the decided ones: no missing value and no other engine could change them
  std::vector<Decided> decided;  ///< one a finding, also those that no case has
};

struct Answers {
  std::uint64_t cases = 0, broadened = 0, capped = 0;
  std::vector<QuestionAnswers> questions;
};

/// A rule or a law, and in how many of the cases that were looked at it did what.
struct RuleUse {
  std::string id, title, kind, concerns, status;
  std::int64_t version = 1;
  std::uint64_t fired = 0;    ///< its condition is TRUE
  std::uint64_t stood = 0;    ///< of these: no rule that overrides it stands
  std::uint64_t unknown = 0;  ///< its condition is UNKNOWN
};

/// What the law did case by case.
struct LawUse {
  std::uint64_t cases = 0;  ///< looked at
  std::uint64_t of = 0;     ///< cases
  std::vector<RuleUse> rules;
  std::vector<std::pair<std::string, std::uint64_t>> targets;  ///< to whom answers went, most first
};

/// A revision of the law that is in force, or led to the one that is.
struct RevisionPicture {
  std::uint64_t number = 0, parent = 0;
  std::string time, kind, summary;
  std::vector<std::string> changed;  ///< rules
  std::uint64_t cases = 0, derived_again = 0, answers_changed = 0;
};

/// What evidence says of one rule or law; a line for each body of evidence.
struct RuleVerdict {
  std::string id, finding, source, verdict, why;  ///< `source`: empty for evidence about cases
  std::int64_t version = 1;
  double required = 0;
  std::uint64_t cases = 0, held = 0;
  double lower = 0, upper = 1;
};

/// An answer that is not what it was before the first revision.
struct RevisedAnswer {
  std::uint64_t case_id = 0;
  std::string change, question, before, after;
  bool critical = false;
};

/// What evidence led to.
struct RevisionsPicture {
  std::vector<RevisionPicture> steps;
  std::uint64_t kept = 0;           ///< decided before the first of them and now, on the same grounds
  std::uint64_t derived_again = 0;  ///< the same answer, by rules that changed
  std::uint64_t differ = 0;
  std::vector<RevisedAnswer> answers;  ///< critical ones first, at most some of those that differ
  std::uint64_t cases = 0;             ///< with evidence about a finding
  std::vector<RuleVerdict> verdicts;
};

/// One case to look at.
struct ShownCase {
  std::uint64_t case_id = 0;
  std::string kind;   ///< critical, abstained, escalated, decided
  std::string json;   ///< law::Derivation::json()
  std::string graph;  ///< SVG as `dot` writes it; or empty
};

struct ShownCases {
  struct Kind {
    std::string kind;
    std::uint64_t shown = 0, of = 0;
  };
  std::vector<Kind> kinds;
  std::vector<ShownCase> cases;
  std::string no_graphs;  ///< why none is drawn; or empty
};

/// Where training stood at some time.
struct CurvePoint {
  std::int64_t epoch = 0;
  double training_loss = not_available, early_stop_loss = not_available;
};

struct EnginePicture {
  EngineLine line;
  std::string state;  ///< "done", "failed", "interrupted, epoch 3 of 80 ..."
  std::string domain, target;
  double calibration_error = not_available;
  std::uint64_t consulted = 0;  ///< in how many cases
  std::vector<CurvePoint> curve;
  std::vector<std::string> last_lines;  ///< of one that failed: what its process said last
};

/// What a rank was doing.
enum class Doing : std::uint8_t { training, judging, writing, waiting, deciding, other };

struct Span {
  double start = 0, end = 0;  ///< seconds since the first rank began
  Doing doing = Doing::other;
  std::string engine;
};

struct RankPicture {
  int rank = 0;
  std::string host;
  std::vector<Span> spans;
};

struct TimeLine {
  std::vector<RankPicture> ranks;
  std::string note;  ///< how far the clocks of the hosts can be trusted
};

/// What MPI did in one phase of all ranks.
struct PhaseLine {
  std::string phase;
  std::uint64_t ranks = 0, calls = 0, bytes = 0;
  double seconds = 0, wait_seconds = 0;
};

struct FunctionLine {
  std::string function, phase, communicator;
  std::uint64_t calls = 0, bytes = 0, ranks = 0;
  double wait_seconds = 0;
};

struct MpiLedger {
  std::vector<PhaseLine> phases;
  std::vector<FunctionLine> functions;
  std::vector<RankLine> ranks;
};

/// Everything. What a run lacks is empty, and its Part says why.
struct Picture {
  std::string name, state, reason, directory;
  std::vector<EnginePicture> engines;
  Part<Answers> answers;
  Part<LawUse> law;
  Part<RevisionsPicture> revisions;
  Part<ShownCases> cases;
  Part<gate::GateReport> gates;
  Part<TimeLine> time;
  Part<MpiLedger> mpi;
  Part<CertificateLine> certificate;
  std::optional<RankSeconds> rank_seconds;
  std::vector<std::string> closed;  ///< why the run was not trusted from the start
  std::vector<std::pair<std::string, std::string>> provenance;
  std::string summary;  ///< summary.txt
};

}  // namespace hiple::report
