#include "run/replay.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace hiple {

namespace {

std::string shown(const law::Decisions& decisions, std::size_t row, std::size_t question) {
  const law::Decision& decision = decisions.at(row, question);
  std::string text = law::name_of(decision.status);
  if (decision.finding != law::no_index)
    text += " " + decisions.findings[question][decision.finding];
  else
    text += " (" + law::name_of(decision.reason) + ")";
  if (decision.rule != law::no_rule_index) text += " by " + decisions.rules[decision.rule].id;
  return text + fmt::format(", flags {}, {} rounds", decision.flags, decisions.rounds[row]);
}

/// Engines consulted, by bit.
bool same_engines(const law::Decisions& a, const law::Decisions& b, std::size_t row) {
  for (std::size_t i = 0; i < a.words(); ++i)
    if (a.consulted[row * a.words() + i] != b.consulted[row * b.words() + i]) return false;
  return true;
}

void compare(const law::Decisions& stored, const law::Decisions& now, std::size_t most, Replay& replay) {
  const auto differs = [&](const std::string& text) {
    if (++replay.different <= most) replay.differences.push_back(text);
  };
  if (stored.case_id != now.case_id || stored.questions != now.questions || stored.engines.size() != now.engines.size())
    return differs(fmt::format("stored are {} cases and {} questions, now there are {} and {}", stored.cases(),
                               stored.questions.size(), now.cases(), now.questions.size()));
  for (std::size_t row = 0; row < stored.cases(); ++row) {
    for (std::size_t question = 0; question < stored.questions.size(); ++question) {
      const auto& a = stored.at(row, question);
      const auto& b = now.at(row, question);
      if (a != b || stored.rounds[row] != now.rounds[row])
        differs(fmt::format("case {}, {}: stored {}; decided again {}", stored.case_id[row], stored.questions[question],
                            shown(stored, row, question), shown(now, row, question)));
    }
    if (!same_engines(stored, now, row)) differs(fmt::format("case {}: other engines were consulted", stored.case_id[row]));
  }
}

}  // namespace

Replay replay(const PreparedRun& run, const RunDirectory& directory, std::size_t most_differences) {
  const StoredRun stored = read_stored_run(run, directory);
  const law::Law law = stored_law(run, directory, stored.decisions);
  const law::Decisions now = law::decide(law, stored.table, stored.engines());
  Replay result;
  result.cases = now.cases();
  result.questions = now.questions.size();
  result.stored_root = stored.decisions.root;
  result.root = now.root;
  result.law_has_changed = run.law.canonical() != stored.decisions.law_text;
  compare(stored.decisions, now, most_differences, result);
  return result;
}

std::string to_text(const Replay& replay) {
  std::string text =
      fmt::format("replay     {} cases, {} questions, decided again from the files\n", replay.cases, replay.questions);
  if (replay.law_has_changed) text += "law        the one that the decisions were made with; the law file is another by now\n";
  text += fmt::format("root       {}\n", replay.root);
  if (replay.same()) return text + "identical\n";
  text += fmt::format("stored     {}\nDIFFERENT  {} answers\n", replay.stored_root, replay.different);
  for (const std::string& difference : replay.differences) text += "  " + difference + "\n";
  return text;
}

std::string to_json(const Replay& replay) {
  const nlohmann::ordered_json json = {{"same", replay.same()},
                                       {"cases", replay.cases},
                                       {"questions", replay.questions},
                                       {"root", replay.root},
                                       {"stored_root", replay.stored_root},
                                       {"law_has_changed", replay.law_has_changed},
                                       {"different", replay.different},
                                       {"differences", replay.differences}};
  return json.dump(2) + "\n";
}

}  // namespace hiple
