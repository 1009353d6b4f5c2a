#include <fmt/format.h>

#include "base/text.hpp"
#include "report/page_sections.hpp"
#include "report/text_table.hpp"

namespace hiple::report {

namespace {

using Kind = Column::Kind;

Html steps_html(Ids& ids, const RevisionsPicture& revisions) {
  if (revisions.steps.empty()) return html("<p>No revision is in force: the law is that of run.yaml.</p>\n");
  std::vector<std::vector<Cell>> rows;
  for (const RevisionPicture& step : revisions.steps)
    rows.push_back(
        {{html("{} <small>of {}</small>", step.number, step.parent), std::to_string(step.number)},
         {Html::text(step.time)},
         {Html::text(step.kind)},
         {Html::text(step.summary)},
         {name_html(join(step.changed, ", "))},
         {html("{} of {}", count_text(step.derived_again), count_text(step.cases)), std::to_string(step.derived_again)},
         count_cell(step.answers_changed)});
  return table_html(ids, html("Revisions that were accepted, the first one first; the last one is in force"),
                    {{"revision"},
                     {"accepted"},
                     {"kind"},
                     {"what", Kind::prose},
                     {"rules that changed"},
                     {"cases derived again", Kind::number},
                     {"answers changed", Kind::number}},
                    rows);
}

Html answers_changed_html(Ids& ids, const RevisionsPicture& revisions) {
  if (revisions.steps.empty()) return {};
  Html text = html(
      "<p>Of what was decided before the first of them, {} answers are held on the same grounds and {} by rules that changed; "
      "{} answers differ.</p>\n",
      count_text(revisions.kept), count_text(revisions.derived_again), count_text(revisions.differ));
  if (revisions.answers.empty()) return text;
  std::vector<std::vector<Cell>> rows;
  for (const RevisedAnswer& answer : revisions.answers)
    rows.push_back({{Html::text(std::to_string(answer.case_id)), std::to_string(answer.case_id)},
                    {Html::text(answer.critical ? "yes" : "no")},
                    {Html::text(answer.change)},
                    {name_html(answer.question)},
                    {Html::text(answer.before)},
                    {Html::text(answer.after)}});
  const Html caption =
      revisions.answers.size() == revisions.differ
          ? html("Answers that differ, critical ones first")
          : html("{} of {} answers that differ, critical ones first; <code>hiple knowledge since</code> lists all",
                 revisions.answers.size(), count_text(revisions.differ));
  return text + table_html(ids, caption,
                           {{"case", Kind::number},
                            {"critical"},
                            {"what became of it"},
                            {"question"},
                            {"before", Kind::prose},
                            {"now", Kind::prose}},
                           rows);
}

Html verdicts_html(Ids& ids, const RevisionsPicture& revisions) {
  if (revisions.verdicts.empty()) return html("<p>Evidence speaks of no rule and of no law.</p>\n");
  std::vector<std::vector<Cell>> rows;
  for (const RuleVerdict& verdict : revisions.verdicts)
    rows.push_back({{html("{}<small>@{}</small>", name_html(verdict.id), verdict.version)},
                    {name_html(verdict.finding)},
                    {verdict.source.empty() ? html("cases") : name_html(verdict.source)},
                    {badge_html(verdict.verdict)},
                    {html("{} of {}", count_text(verdict.held), count_text(verdict.cases)), std::to_string(verdict.cases)},
                    number_cell(verdict.lower),
                    number_cell(verdict.upper),
                    number_cell(verdict.required),
                    {Html::text(verdict.why)}});
  return table_html(
      ids,
      html("Rules and laws of which evidence speaks ({} cases with evidence about a finding): in how many cases they "
           "are right, with bounds that hold at every look",
           count_text(revisions.cases)),
      {{"rule"},
       {"says"},
       {"evidence"},
       {"verdict"},
       {"right", Kind::number},
       {"at least", Kind::number},
       {"at most", Kind::number},
       {"required", Kind::number},
       {"why", Kind::prose}},
      rows);
}

}  // namespace

Html revisions_html(Ids& ids, const Picture& picture) {
  if (!picture.revisions.content) return missing_html("what evidence says", picture.revisions.missing);
  const RevisionsPicture& revisions = *picture.revisions.content;
  return verdicts_html(ids, revisions) + steps_html(ids, revisions) + answers_changed_html(ids, revisions);
}

}  // namespace hiple::report
