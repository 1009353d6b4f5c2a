#include "mpi/ledger/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "report/text_table.hpp"

namespace hiple::mpi {

namespace {

bool is_training(Phase phase) { return phase == Phase::train || phase == Phase::judge || phase == Phase::write; }

void add(Share& share, const PhaseSum& sum) {
  share.calls += sum.calls;
  share.bytes += sum.bytes;
  share.wait_seconds += sum.wait_seconds;
  share.seconds_in_mpi += sum.seconds_in_mpi;
  share.seconds += sum.seconds;
}

bool is_init(const LedgerRow& row) { return row.function == "MPI_Init" || row.function == "MPI_Init_thread"; }

bool is_nccl(const std::string& function) { return function.starts_with("nccl"); }

/// Who speaks by NCCL makes a communicator first.
bool makes_nccl_communicator(const LedgerRow& row) {
  return row.function.starts_with("ncclCommInit") || row.function == "ncclCommSplit";
}

/// "" where every call of the process is in its ledger.
std::string why_not_watched(const RankLedger& ledger) {
  const auto has = [&](std::string_view kind) {
    return std::any_of(ledger.libraries.begin(), ledger.libraries.end(), [&](const Library& l) { return l.kind == kind; });
  };
  const auto saw = [&](bool (*what)(const LedgerRow&)) { return std::any_of(ledger.rows.begin(), ledger.rows.end(), what); };
  for (const std::string_view kind : {"SHMEM", "MPI for Fortran"})
    if (has(kind)) return fmt::format("{} is mapped, and the ledger does not see its calls", kind);
  if (has("NCCL") && !saw(makes_nccl_communicator))
    return "NCCL is mapped, and the ledger saw no communicator of it made: it was not between NCCL and the program, or nobody "
           "spoke";
  if (has("MPI") && !saw(is_init))
    return "MPI is mapped, and the ledger did not see MPI_Init: it was not between MPI and the program";
  return {};
}

RankShare share_of(const RankLedger& ledger) {
  RankShare share{ledger.rank, ledger.host, ledger.mpi, ledger.steps, {}, {}, why_not_watched(ledger)};
  for (std::size_t i = 0; i < phase_names.size(); ++i) {
    const auto phase = static_cast<Phase>(i);
    add(is_training(phase) ? share.training : share.outside, sum(ledger, phase));
  }
  return share;
}

double init_seconds(const RankLedger& ledger) {
  double seconds = 0;
  for (const LedgerRow& row : ledger.rows)
    if (is_init(row)) seconds += row.seconds;
  return seconds;
}

void add_found(const RankLedger& ledger, std::vector<FoundCall>& found) {
  for (const LedgerRow& row : ledger.rows) {
    if (!is_training(row.phase)) continue;
    found.push_back({ledger.rank, row.phase, row.function, row.communicator, row.calls, row.bytes_sent + row.bytes_received,
                     row.wait_seconds});
  }
}

std::vector<int> missing_ranks(const std::vector<RankLedger>& ledgers, int ranks) {
  std::vector<int> missing;
  for (int rank = 0; rank < ranks; ++rank) {
    if (std::none_of(ledgers.begin(), ledgers.end(), [rank](const RankLedger& l) { return l.rank == rank; }))
      missing.push_back(rank);
  }
  return missing;
}

std::string ranks_text(const std::vector<int>& ranks) {
  constexpr std::size_t shown = 8;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < std::min(shown, ranks.size()); ++i) text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
  return text + (ranks.size() > shown ? fmt::format(" and {} more", ranks.size() - shown) : "");
}

/// What keeps an engine's own record from showing that nothing could be exchanged, or "".
std::string why_not_walled_in(const EngineShare& share) {
  if (!share.mapped.empty())
    return fmt::format("the process that trained engine {} had {} mapped, and no ledger saw into it", share.engine,
                       share.mapped.front());
  if (!share.is_walled_in())
    return fmt::format("the process that trained engine {} could open a socket to the network (isolation: {})", share.engine,
                       share.isolation);
  return {};
}

bool is_of_its_own(const EngineShare& share) { return share.isolation == "process"; }

/// What is not known, or "".
std::string what_is_missing(const Certificate& certificate) {
  if (!certificate.missing.empty()) return "no ledger of " + ranks_text(certificate.missing);
  for (const RankShare& share : certificate.shares)
    if (!share.not_watched.empty()) return fmt::format("rank {}: {}", share.rank, share.not_watched);
  for (const EngineShare& share : certificate.engines.shares)
    if (is_of_its_own(share) && !share.is_walled_in()) return why_not_walled_in(share);
  if (certificate.steps == 0) return "no training step was taken";
  return {};
}

/// Whose calls were found.
std::string_view spoken(const std::vector<FoundCall>& found) {
  const auto nccl = std::count_if(found.begin(), found.end(), [](const FoundCall& call) { return is_nccl(call.function); });
  if (nccl == 0) return "MPI";
  return nccl == static_cast<std::ptrdiff_t>(found.size()) ? "NCCL" : "MPI and NCCL";
}

std::string sentence(const Certificate& certificate) {
  std::string missing = what_is_missing(certificate);
  if (certificate.verdict == Verdict::synchronised) {
    const FoundCall& first = certificate.found.front();
    return fmt::format("{} {} calls and {} bytes while training; most often {} on \"{}\" by rank {}: {} calls{}",
                       report::count_text(certificate.training.calls), spoken(certificate.found),
                       report::count_text(certificate.training.bytes), first.function, first.communicator, first.rank,
                       report::count_text(first.calls), missing.empty() ? "" : "; and " + missing);
  }
  if (certificate.verdict == Verdict::incomplete) return missing;
  const int ranks = certificate.ranks;
  const auto apart = std::count_if(certificate.engines.shares.begin(), certificate.engines.shares.end(), is_of_its_own);
  return fmt::format("{} training steps on {} rank{}; no MPI call, no byte and no wait from the first to the last of each{}",
                     report::count_text(certificate.steps), ranks, ranks == 1 ? "" : "s",
                     apart == 0 ? ""
                                : fmt::format("; {} engine{} in {} own, without MPI and without a socket to the network", apart,
                                              apart == 1 ? "" : "s", apart == 1 ? "a process of its" : "processes of their"));
}

}  // namespace

std::string name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 3> names = {"synchronisation-free", "synchronised", "incomplete"};
  return std::string(names.at(static_cast<std::size_t>(verdict)));
}

Certificate certify(const std::vector<RankLedger>& ledgers, int ranks, EngineShares engines) {
  Certificate certificate;
  certificate.engines = std::move(engines);
  certificate.ranks = ranks;
  certificate.missing = missing_ranks(ledgers, ranks);
  std::set<std::pair<std::string, std::string>> libraries;
  for (const RankLedger& ledger : ledgers) {
    const RankShare& share = certificate.shares.emplace_back(share_of(ledger));
    certificate.steps += share.steps;
    certificate.training.calls += share.training.calls;
    certificate.training.bytes += share.training.bytes;
    certificate.training.wait_seconds += share.training.wait_seconds;
    certificate.training.seconds_in_mpi += share.training.seconds_in_mpi;
    certificate.training.seconds += share.training.seconds;
    certificate.init_seconds = std::max(certificate.init_seconds, init_seconds(ledger));
    add_found(ledger, certificate.found);
    for (const Library& library : ledger.libraries) libraries.emplace(library.path, library.kind);
  }
  for (const auto& [path, kind] : libraries) certificate.libraries.push_back({kind, path});
  std::sort(certificate.shares.begin(), certificate.shares.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
  std::stable_sort(certificate.found.begin(), certificate.found.end(),
                   [](const FoundCall& a, const FoundCall& b) { return a.calls > b.calls; });
  if (!certificate.found.empty()) {
    certificate.verdict = Verdict::synchronised;
  } else {
    certificate.verdict = what_is_missing(certificate).empty() ? Verdict::synchronisation_free : Verdict::incomplete;
  }
  certificate.reason = sentence(certificate);
  return certificate;
}

Certificate certify(EngineShares engines) {
  Certificate certificate;
  certificate.engines = std::move(engines);
  const auto& [shares, missing] = certificate.engines;
  for (const EngineShare& share : shares) certificate.steps += share.steps;
  if (!missing.empty()) {
    certificate.reason = fmt::format("no record of the process that trained {}", join(missing, ", "));
    return certificate;
  }
  for (const EngineShare& share : shares) {
    certificate.reason = why_not_walled_in(share);
    if (!certificate.reason.empty()) return certificate;
  }
  if (certificate.steps == 0) {
    certificate.reason = "no training step was taken";
    return certificate;
  }
  certificate.verdict = Verdict::synchronisation_free;
  certificate.reason = fmt::format(
      "{} training steps of {} engine{}, each in a process that had no MPI and could open no socket to the network: nothing "
      "could be "
      "exchanged",
      report::count_text(certificate.steps), shares.size(), shares.size() == 1 ? "" : "s");
  return certificate;
}

report::CertificateLine certificate_line(const Certificate& certificate) {
  report::CertificateLine line{name_of(certificate.verdict), {certificate.reason}};
  if (certificate.init_seconds > 0)
    line.reasons.push_back("MPI_Init and MPI_Finalize do synchronise all ranks, outside of training; MPI_Init took " +
                           report::seconds_text(certificate.init_seconds));
  return line;
}

}  // namespace hiple::mpi
