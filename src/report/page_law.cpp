#include <algorithm>

#include "report/chart.hpp"
#include "report/page_sections.hpp"
#include "report/text_table.hpp"

namespace hiple::report {

namespace {

using Kind = Column::Kind;

Html rules_table(Ids& ids, const Html& caption, const std::vector<const RuleUse*>& rules) {
  std::uint64_t most = 1;
  for (const RuleUse* rule : rules) most = std::max(most, rule->fired);
  std::vector<std::vector<Cell>> rows;
  for (const RuleUse* rule : rules)
    rows.push_back({{html("{}<small>@{}</small>", name_html(rule->id), rule->version)},
                    {Html::text(rule->title)},
                    {Html::text(rule->kind)},
                    {name_html(rule->concerns)},
                    {Html::text(rule->status)},
                    {share_bar({{"decided", static_cast<double>(rule->stood)},
                                {"defeated", static_cast<double>(rule->fired - rule->stood)},
                                {"nothing", static_cast<double>(most - rule->fired)}})},
                    count_cell(rule->fired),
                    count_cell(rule->stood),
                    count_cell(rule->unknown)});
  return table_html(ids, caption,
                    {{"rule"},
                     {"title", Kind::prose},
                     {"kind"},
                     {"concerns"},
                     {"status"},
                     {"fired", Kind::picture},
                     {"condition TRUE", Kind::number},
                     {"of these undefeated", Kind::number},
                     {"condition UNKNOWN", Kind::number}},
                    rows);
}

}  // namespace

Html law_html(Ids& ids, const Picture& picture) {
  if (!picture.law.content) return missing_html("what rules and laws did", picture.law.missing);
  const LawUse& use = *picture.law.content;
  std::vector<const RuleUse*> fired, never;
  for (const RuleUse& rule : use.rules) (rule.fired > 0 ? fired : never).push_back(&rule);
  std::stable_sort(fired.begin(), fired.end(), [](const auto* a, const auto* b) { return a->fired > b->fired; });
  const Html looked = use.cases == use.of
                          ? html("all {} cases", count_text(use.cases))
                          : html("{} of {} cases, drawn by the run's seed", count_text(use.cases), count_text(use.of));
  Html text;
  if (fired.empty()) {
    text += html("<p>No rule and no law fired in {}.</p>\n", looked);
  } else {
    text += rules_table(
        ids,
        html("Rules, defaults and laws that fired, the busiest first, in {}. Full bar: undefeated; hatched: overridden "
             "by another rule, or not known not to be",
             looked),
        fired);
  }
  if (never.empty()) return text + html("<p>There is no rule and no law that never fired.</p>\n");
  text += html(
      "<p>{} rule{} and laws never fired in {}: either what they are for did not come up, or they cannot fire; "
      "<code>hiple law check</code> tells which cannot.</p>\n",
      never.size(), never.size() == 1 ? "" : "s", looked);
  return text + rules_table(ids, html("Rules and laws that never fired"), never);
}

}  // namespace hiple::report
