#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gate/figures.hpp"
#include "gate/verdict.hpp"
#include "report/rank_seconds.hpp"

namespace hiple::report {

inline constexpr double not_available = std::numeric_limits<double>::quiet_NaN();

/// One engine, as a summary shows it. A figure that does not exist is NaN and printed as "n/a".
struct EngineLine {
  std::string name;
  bool available = false;
  std::string reason;  ///< why it is not available
  std::uint64_t parameters = 0;
  std::uint64_t test_rows = 0, abstained = 0;  ///< of its own held-out rows
  double accuracy = not_available, balanced_accuracy = not_available, rmse = not_available;
  std::int64_t epochs = 0;
  double seconds = not_available;  ///< in the training loop
  int rank = -1;                   ///< where it was trained; under 0: not known
};

/// One rank's ledger, for the time in which it trained.
struct RankLine {
  int rank = 0;
  std::string role;  ///< "trainer", "integrator"
  std::uint64_t engines = 0;
  std::uint64_t calls = 0, bytes = 0;  ///< of MPI while training
  double seconds = not_available;      ///< of training
};

/// Whether the ranks synchronised while they trained: the verdict of the certificate, and what it rests on.
struct CertificateLine {
  std::string verdict;               ///< "synchronisation-free", "synchronised", "incomplete"
  std::vector<std::string> reasons;  ///< a line each
};

/// A run as its end shows it to people.
struct Summary {
  std::string name;
  std::string state;  ///< complete, partial, failed
  std::vector<EngineLine> engines;
  std::vector<RankLine> ranks;                 ///< empty where no MPI was in use
  std::optional<CertificateLine> certificate;  ///< nothing where the training was not watched from here
  std::optional<RankSeconds> rank_seconds;
  std::uint64_t cases = 0, test_cases = 0, questions = 0;
  std::uint64_t judged = 0;  ///< judgments that engines made: where judging is on demand, not of every case
  bool on_demand = false;
  std::uint64_t broadened = 0, capped = 0;  ///< cases whose search for engines went beyond links, or was cut by max_rounds
  gate::Outcomes all, test;                 ///< of answers: cases x questions
  std::optional<gate::Figures> figures;
  gate::Judged gates;
  std::vector<std::string> closed;  ///< why the run went with every engine and no abstention; empty where it was open
  std::string root;
  double seconds = not_available, law_seconds = not_available;
  std::vector<std::pair<std::string, std::string>> settled;  ///< law, gates and evidence, and whether they were so before the run
  std::vector<std::pair<std::string, std::string>> files;    ///< what, where
};

/// The summary as aligned text of at most 100 columns (long names, reasons and paths excepted).
std::string summary_text(const Summary& summary);

/// Its part about trust: figures with counts and bounds, and gates with their verdicts.
std::string figures_text(const gate::Figures& figures, const gate::Judged& gates, bool has_home = false);

}  // namespace hiple::report
