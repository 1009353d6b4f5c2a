#include "report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/text.hpp"
#include "report/text_table.hpp"

namespace hiple::report {

namespace {

using Rows = std::vector<std::vector<std::string>>;

bool any(const std::vector<EngineLine>& engines, bool (*is)(const EngineLine&)) {
  return std::any_of(engines.begin(), engines.end(), is);
}

/// One row of figures. An engine that was trained elsewhere left none here.
std::vector<std::string> engine_row(const EngineLine& engine) {
  if (!engine.available) return {engine.name, "FAILED"};
  if (engine.parameters == 0) return {engine.name, "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a"};
  return {engine.name,
          count_text(engine.parameters),
          count_text(engine.test_rows),
          count_text(engine.abstained),
          number_text(engine.accuracy),
          number_text(engine.balanced_accuracy),
          std::to_string(engine.epochs),
          seconds_text(engine.seconds)};
}

std::string engines_text(const std::vector<EngineLine>& engines) {
  Rows rows = {{"engine", "parameters", "held-out rows", "abstained", "accuracy", "balanced", "epochs", "training"}};
  for (const EngineLine& engine : engines) rows.push_back(engine_row(engine));
  const auto add_column = [&](const std::string& title, const std::function<std::string(const EngineLine&)>& cell) {
    rows[0].push_back(title);
    for (std::size_t i = 0; i < engines.size(); ++i) {
      if (engines[i].available) rows[i + 1].push_back(cell(engines[i]));
    }
  };
  if (any(engines, [](const EngineLine& e) { return std::isfinite(e.rmse); }))
    add_column("rmse", [](const EngineLine& e) { return number_text(e.rmse); });
  if (any(engines, [](const EngineLine& e) { return e.rank >= 0; }))
    add_column("rank", [](const EngineLine& e) { return e.rank < 0 ? "n/a" : std::to_string(e.rank); });
  std::string text = text_table(rows);
  for (const EngineLine& engine : engines) {
    if (!engine.available)
      text += fmt::format("FAILED {}: {}\n", engine.name, engine.reason.empty() ? "no reason given" : engine.reason);
  }
  return text;
}

/// A count and its share: "12 345", "61.70 %".
std::vector<std::string> part(std::uint64_t count, std::uint64_t whole) {
  const double share = gate::Share{count, whole}.ratio();
  return {count_text(count), whole == 0 ? "n/a" : fmt::format("{:.2f} %", 100 * share)};
}

void add_row(Rows& rows, const std::string& name, const Summary& summary, std::uint64_t test, std::uint64_t all) {
  std::vector<std::string> row = {name};
  for (const auto& cell : part(test, summary.test.total())) row.push_back(cell);
  for (const auto& cell : part(all, summary.all.total())) row.push_back(cell);
  rows.push_back(std::move(row));
}

std::string outcomes_text(const Summary& summary) {
  const gate::Outcomes &test = summary.test, &all = summary.all;
  Rows rows = {{"answers", "test", "", "all cases", ""}};
  const auto reasons = [&](const auto& of_test, const auto& of_all) {
    for (std::size_t i = 0; i < gate::reason_count; ++i) {
      if (of_all[i] > 0) add_row(rows, "  " + law::name_of(static_cast<law::Reason>(i)), summary, of_test[i], of_all[i]);
    }
  };
  add_row(rows, "decided", summary, test.decided, all.decided);
  add_row(rows, "abstained", summary, test.abstained, all.abstained);
  reasons(test.abstained_for, all.abstained_for);
  add_row(rows, "escalated", summary, test.escalated, all.escalated);
  reasons(test.escalated_for, all.escalated_for);
  return text_table(rows);
}

/// What judging has cost: cases times engines where it is dense.
std::string judged_text(const Summary& summary) {
  const auto cells = part(summary.judged, summary.cases * summary.engines.size());
  std::string text = fmt::format("judgments made{}: {} of {} ({})\n", summary.on_demand ? " on demand" : "", cells[0],
                                 count_text(summary.cases * summary.engines.size()), cells[1]);
  if (summary.broadened > 0)
    text += fmt::format("the search for engines was broadened beyond links in {} cases\n", count_text(summary.broadened));
  if (summary.capped > 0)
    text += fmt::format("max_rounds cut the search for engines short in {} cases: nothing is firm there\n",
                        count_text(summary.capped));
  return text;
}

std::string ranks_text(const Summary& summary) {
  if (summary.ranks.empty()) return "MPI was not in use\n";
  Rows rows = {{"rank", "role", "engines", "MPI calls while training", "bytes", "training"}};
  std::uint64_t calls = 0;
  for (const RankLine& rank : summary.ranks) {
    rows.push_back({std::to_string(rank.rank), rank.role, count_text(rank.engines), count_text(rank.calls),
                    count_text(rank.bytes), seconds_text(rank.seconds)});
    calls += rank.calls;
  }
  // A thousand equal lines tell nobody anything; the ledger holds them all.
  constexpr std::size_t shown = 16;
  const std::size_t ranks = summary.ranks.size();
  if (ranks > shown) rows.resize(shown + 1);
  std::string text = text_table(rows, {1});
  if (ranks > shown) text += fmt::format("... and {} more ranks\n", ranks - shown);
  return text + fmt::format("MPI calls while training, all {} ranks: {}\n", ranks, count_text(calls));
}

}  // namespace

std::string summary_text(const Summary& summary) {
  const auto available =
      std::count_if(summary.engines.begin(), summary.engines.end(), [](const EngineLine& e) { return e.available; });
  std::string text = fmt::format("Run {}: {}, {} of {} engines", summary.name, summary.state, available, summary.engines.size());
  text += (std::isfinite(summary.seconds) ? ", " + seconds_text(summary.seconds) : "") + "\n\n";
  text += engines_text(summary.engines);
  text += fmt::format("\n{} cases, {} of them test, {} questions each; the law took {}\n", count_text(summary.cases),
                      count_text(summary.test_cases), summary.questions, seconds_text(summary.law_seconds));
  text += judged_text(summary);
  text += outcomes_text(summary);
  if (!summary.closed.empty())
    text +=
        "\nNOT TRUSTED: every engine was asked, and what the law abstained from goes to a person. Gates closed by the\n"
        "earlier report: " +
        join(summary.closed, "; ") + "\n";
  if (summary.figures) text += "\nOn the test cases\n" + figures_text(*summary.figures, summary.gates);
  text += "\n" + ranks_text(summary);
  if (summary.certificate) {
    text += "certificate: " + summary.certificate->verdict + "\n";
    for (const std::string& reason : summary.certificate->reasons) text += "  " + reason + "\n";
  }
  if (summary.rank_seconds) text += rank_seconds_text(*summary.rank_seconds);
  Rows rows = {{"root", summary.root}};
  for (const auto& [what, text_of_it] : summary.settled) rows.push_back({what, text_of_it});
  for (const auto& [what, where] : summary.files) rows.push_back({what, where});
  return text + "\n" + text_table(rows, {1});
}

}  // namespace hiple::report
