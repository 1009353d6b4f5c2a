#include <algorithm>

#include "report/chart.hpp"
#include "report/page_sections.hpp"
#include "report/text_table.hpp"

namespace hiple::report {

namespace {

using Kind = Column::Kind;

Cell with_share(std::uint64_t count, std::uint64_t whole) {
  return {html("{} <small>{}</small>", count_text(count), share_text(count, whole)), std::to_string(count)};
}

Html legend() {
  const auto sample = [](const char* kind, const char* word) {
    return html(
        "<span class=\"key\"><svg class=\"sample\" viewBox=\"0 0 24 8\" aria-hidden=\"true\"><rect class=\"{}\" "
        "width=\"24\" height=\"8\"/></svg>{}</span> ",
        kind, word);
  };
  return html("<p class=\"legend\">{}{}{}</p>\n", sample("decided", "decided"), sample("abstained", "abstained"),
              sample("escalated", "handed to a person"));
}

Html questions_table(Ids& ids, const Answers& answers) {
  std::vector<std::vector<Cell>> rows;
  for (const QuestionAnswers& question : answers.questions) {
    const gate::Outcomes& outcomes = question.outcomes;
    const std::uint64_t total = outcomes.total();
    rows.push_back({{name_html(question.question)},
                    {share_bar({{"decided", static_cast<double>(outcomes.decided)},
                                {"abstained", static_cast<double>(outcomes.abstained)},
                                {"escalated", static_cast<double>(outcomes.escalated)}})},
                    with_share(outcomes.decided, total),
                    with_share(outcomes.abstained, total),
                    with_share(outcomes.escalated, total),
                    with_share(question.firm, outcomes.decided)});
  }
  return table_html(ids,
                    html("Answers to each question. Firm is what no missing value and no further engine could change: "
                         "a share of the decided ones"),
                    {{"question"},
                     {"answers", Kind::picture},
                     {"decided", Kind::number},
                     {"abstained", Kind::number},
                     {"handed to a person", Kind::number},
                     {"firm", Kind::number}},
                    rows);
}

Html findings_table(Ids& ids, const Answers& answers) {
  std::vector<std::vector<Cell>> rows;
  for (const QuestionAnswers& question : answers.questions)
    for (const QuestionAnswers::Decided& decided : question.decided)
      rows.push_back({{name_html(decided.finding)},
                      {name_html(question.question)},
                      {Html::text(decided.critical ? "critical" : "")},
                      with_share(decided.count, question.outcomes.total())});
  return table_html(ids, html("What was decided, by finding"), {{"finding"}, {"question"}, {"critical"}, {"cases", Kind::number}},
                    rows);
}

Html reasons_table(Ids& ids, const Answers& answers) {
  gate::Outcomes all;
  for (const QuestionAnswers& question : answers.questions) all.add(question.outcomes);
  std::vector<std::vector<Cell>> rows;
  for (std::size_t i = 0; i < gate::reason_count; ++i) {
    if (all.abstained_for[i] + all.escalated_for[i] == 0) continue;
    const auto reason = static_cast<law::Reason>(i);
    rows.push_back({{html("<code>{}</code>", law::name_of(reason))},
                    {Html::text(meaning_of(reason))},
                    count_cell(all.abstained_for[i]),
                    count_cell(all.escalated_for[i])});
  }
  if (rows.empty()) return html("<p>Every answer was decided: there is no reason to give.</p>\n");
  return table_html(ids, html("Why answers were not decided"),
                    {{"reason"}, {"that is", Kind::prose}, {"abstained", Kind::number}, {"handed to a person", Kind::number}},
                    rows);
}

Html targets_table(Ids& ids, const Picture& picture) {
  if (!picture.law.content) return missing_html("to whom answers went", picture.law.missing);
  const LawUse& use = *picture.law.content;
  if (use.targets.empty()) return html("<p>Nobody was called for.</p>\n");
  std::vector<std::vector<Cell>> rows;
  std::uint64_t most = 0;
  for (const auto& [name, count] : use.targets) most = std::max(most, count);
  for (const auto& [name, count] : use.targets)
    rows.push_back({{name_html(name)},
                    {share_bar({{"escalated", static_cast<double>(count)}, {"nothing", static_cast<double>(most - count)}})},
                    count_cell(count)});
  const Html looked = use.cases == use.of
                          ? Html()
                          : html(", in {} of {} cases, drawn by the run's seed", count_text(use.cases), count_text(use.of));
  return table_html(ids, html("To whom answers went{}", looked),
                    {{"person or place"}, {"beside the most", Kind::picture}, {"answers", Kind::number}}, rows);
}

}  // namespace

std::string meaning_of(law::Reason reason) {
  switch (reason) {
    case law::Reason::none:
      return "decided";
    case law::Reason::law:
      return "a law calls for a person, or forbids the answer";
    case law::Reason::critical_not_excluded:
      return "a critical finding cannot be excluded";
    case law::Reason::conflict:
      return "findings that exclude one another hold at once";
    case law::Reason::possible_defeater:
      return "an exception may apply, and it is not known whether it does";
    case law::Reason::blocked:
      return "what a rule needs is not known";
    case law::Reason::no_rule:
      return "no rule speaks about the case";
    case law::Reason::contradicted_by_evidence:
      return "evidence says otherwise";
  }
  return {};
}

Html answers_html(Ids& ids, const Picture& picture) {
  if (!picture.answers.content) return missing_html("decisions", picture.answers.missing);
  const Answers& answers = *picture.answers.content;
  Html text = legend() + questions_table(ids, answers) + reasons_table(ids, answers) + targets_table(ids, picture) +
              findings_table(ids, answers);
  if (answers.broadened > 0)
    text += html("<p>In {} cases no link reached what was needed, and the law asked further engines.</p>\n",
                 count_text(answers.broadened));
  if (answers.capped > 0)
    text += html("<p>In {} cases max_rounds cut the search for engines short: nothing is firm there.</p>\n",
                 count_text(answers.capped));
  return text;
}

}  // namespace hiple::report
