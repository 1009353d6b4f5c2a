#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "audit/law_diff.hpp"
#include "base/text.hpp"

namespace hiple::audit {

namespace {

std::string line(const char* name, const std::vector<std::string>& ids) {
  return ids.empty() ? "" : fmt::format("{:<10} {}\n", name, join(ids, ", "));
}

}  // namespace

std::string to_text(const LawDiff& diff, std::size_t most) {
  std::string text = line("added", diff.added) + line("removed", diff.removed) + line("changed", diff.changed) +
                     line("reworded", diff.reworded) + line("other", diff.elsewhere) + line("judgments", diff.judged_anew) +
                     line("questions", diff.new_questions);
  if (text.empty()) text = "the laws say the same\n";
  text += fmt::format("cases      {} of {} could change, and were decided under both laws\n", diff.evaluated, diff.cases);
  std::size_t critical = 0;
  for (const AnswerChange& change : diff.changes) critical += change.critical ? 1 : 0;
  text += fmt::format("answers    {} of {} change, {} of them critical\n", diff.different, diff.answers, critical);
  for (std::size_t i = 0; i < diff.changes.size() && i < most; ++i) {
    const AnswerChange& change = diff.changes[i];
    text += fmt::format("  {}case {}, {}: {} -> {}{}\n", change.critical ? "CRITICAL " : "", change.case_id, change.question,
                        change.before, change.after, change.by.empty() ? "" : ", by " + join(change.by, ", "));
  }
  if (diff.changes.size() > most) text += fmt::format("  and {} more\n", diff.changes.size() - most);
  return text;
}

std::string to_json(const LawDiff& diff) {
  nlohmann::ordered_json json = {{"added", diff.added},
                                 {"removed", diff.removed},
                                 {"changed", diff.changed},
                                 {"reworded", diff.reworded},
                                 {"other", diff.elsewhere},
                                 {"judged_anew", diff.judged_anew},
                                 {"new_questions", diff.new_questions},
                                 {"cases", diff.cases},
                                 {"evaluated", diff.evaluated},
                                 {"answers", diff.answers},
                                 {"different", diff.different},
                                 {"changes", nlohmann::ordered_json::array()}};
  for (const AnswerChange& change : diff.changes)
    json["changes"].push_back({{"case", change.case_id},
                               {"question", change.question},
                               {"before", change.before},
                               {"after", change.after},
                               {"critical", change.critical},
                               {"by", change.by}});
  return json.dump(1) + "\n";
}

}  // namespace hiple::audit
