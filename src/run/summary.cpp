#include "run/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run/engine_record.hpp"

namespace hiple {

namespace {

std::string figure(double value) { return std::isfinite(value) ? fmt::format("{:.4f}", value) : "-"; }

std::vector<std::string> engine_row(const RunDirectory& directory, const EngineState& engine) {
  if (!engine.available) return {engine.name, "-", "-", "-", "-", "-", "-"};
  try {
    const EngineResult result = read_result(directory.result(engine.name));
    return {engine.name,
            std::to_string(result.parameters),
            std::to_string(result.test_rows),
            std::to_string(result.abstained),
            figure(result.accuracy),
            std::isfinite(result.rmse) ? figure(result.rmse) : figure(result.balanced_accuracy),
            fmt::format("{:.1f}", result.seconds)};
  } catch (const Error&) {
    return {engine.name, "?", "?", "?", "?", "?", "?"};  // judged elsewhere: its figures are not here
  }
}

std::string engines_text(const RunDirectory& directory, const RunSummary& summary) {
  std::vector<std::vector<std::string>> rows = {
      {"engine", "parameters", "test rows", "abstained", "accuracy", "balanced (or rmse)", "seconds"}};
  for (const EngineState& engine : summary.engines) rows.push_back(engine_row(directory, engine));
  std::string text = text_table(rows);
  for (const EngineState& engine : summary.engines)
    if (!engine.available) text += fmt::format("MISSING {}: {}\n", engine.name, engine.reason);
  return text;
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-" : fmt::format("{:.2f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += i == 0 ? fmt::format("{:<{}}", row[i], widths[i]) : fmt::format("  {:>{}}", row[i], widths[i]);
    text += line + "\n";
  }
  return text;
}

std::string summary_text(const RunDirectory& directory, const RunSummary& summary) {
  std::string text = fmt::format("\nRun {}: {} of {} engines\n\n", summary.name, summary.available(), summary.engines.size());
  text += engines_text(directory, summary);
  const std::uint64_t answers = summary.decided + summary.abstained + summary.escalated;
  text += fmt::format("\n{} cases, {} questions, {} answers in {:.2f} s\n", summary.cases, summary.questions.size(), answers,
                      summary.seconds);
  std::vector<std::vector<std::string>> rows = {
      {"decided", std::to_string(summary.decided), share(summary.decided, answers)},
      {"abstained", std::to_string(summary.abstained), share(summary.abstained, answers)},
      {"escalated", std::to_string(summary.escalated), share(summary.escalated, answers)}};
  for (const auto& [reason, count] : summary.reasons)
    rows.push_back({"  " + reason, std::to_string(count), share(count, answers)});
  text += text_table(rows);
  text += fmt::format("root {}\nfiles in {}\n", summary.root, directory.root().string());
  return text;
}

}  // namespace hiple
