#include <algorithm>
#include <cmath>

#include "report/page_sections.hpp"
#include "report/text_table.hpp"

namespace hiple::report {

namespace {

Html tile(const std::string& value, const Html& what) {
  return html("<div class=\"tile\"><dt>{}</dt><dd>{}</dd></div>\n", what, value);
}

gate::Outcomes all_outcomes(const Answers& answers) {
  gate::Outcomes all;
  for (const QuestionAnswers& question : answers.questions) all.add(question.outcomes);
  return all;
}

Html decided_sentence(const Picture& picture) {
  if (!picture.answers.content) return missing_html("decisions", picture.answers.missing);
  const Answers& answers = *picture.answers.content;
  const gate::Outcomes all = all_outcomes(answers);
  return html(
      "<p>{} cases were asked {} question{} each. Of {} answers {} were decided ({}), {} abstained from ({}) and {} handed to a "
      "person ({}).</p>\n",
      count_text(answers.cases), answers.questions.size(), answers.questions.size() == 1 ? "" : "s", count_text(all.total()),
      count_text(all.decided), share_text(all.decided, all.total()), count_text(all.abstained),
      share_text(all.abstained, all.total()), count_text(all.escalated), share_text(all.escalated, all.total()));
}

Html trust_sentence(const Picture& picture) {
  Html text;
  if (!picture.closed.empty()) {
    text += html(
        "<p class=\"warning\"><strong>Not trusted from the start:</strong> an earlier report had closed this "
        "partition. Every engine was asked, and what the law abstained from went to a person.</p>\n");
  }
  if (!picture.gates.content) return text + missing_html("gates", picture.gates.missing);
  const gate::GateReport& report = *picture.gates.content;
  const auto passed = std::count_if(report.judged.gates.begin(), report.judged.gates.end(),
                                    [](const gate::Gate& gate) { return gate.verdict == gate::Verdict::pass; });
  const auto failed = std::count_if(report.judged.gates.begin(), report.judged.gates.end(),
                                    [](const gate::Gate& gate) { return gate.verdict == gate::Verdict::fail; });
  const auto total = static_cast<std::ptrdiff_t>(report.judged.gates.size());
  text +=
      html("<p>{} of {} gates are passed, {} failed, and {} cannot be evaluated: the partition is <strong>{}</strong>.{}</p>\n",
           passed, total, failed, total - passed - failed, report.trusted() ? "trusted" : "not trusted",
           report.settled ? "" : " Law or gates were changed after the run began, and then nothing is.");
  if (!report.revisions.empty())
    text += html("<p>What is judged is revision {} of the law, which evidence led to after the run began.{}</p>\n",
                 report.revisions.back().number,
                 report.seen == 0 ? std::string()
                                  : fmt::format(" There was evidence about {} of the test cases: they are not independent of "
                                                "it, and so nothing is trusted.",
                                                count_text(report.seen)));
  return text;
}

Html engines_sentence(const Picture& picture) {
  const auto done = std::count_if(picture.engines.begin(), picture.engines.end(),
                                  [](const EnginePicture& engine) { return engine.line.available; });
  Html text = html("<p>{} of {} engines judged", done, picture.engines.size());
  if (static_cast<std::size_t>(done) == picture.engines.size()) return text + html(".</p>\n");
  text += html("; missing: ");
  constexpr std::size_t most = 8;
  std::size_t named = 0;
  for (const EnginePicture& engine : picture.engines) {
    if (engine.line.available) continue;
    if (named == most) {
      text += html(" and {} more", picture.engines.size() - static_cast<std::size_t>(done) - most);
      break;
    }
    text += (named++ == 0 ? Html() : html(", ")) + name_html(engine.line.name);
  }
  return text + html(". Questions that need them were answered without them, or not at all.</p>\n");
}

}  // namespace

Html badge_html(std::string_view word) {
  const bool good =
      word == "PASS" || word == "SUPPORTED" || word == "complete" || word == "synchronisation-free" || word == "done";
  const bool bad = word == "FAIL" || word == "CONTRADICTED" || word == "failed" || word == "synchronised";
  return html("<span class=\"badge {}\"><span aria-hidden=\"true\">{}</span> {}</span>",
              good  ? "good"
              : bad ? "bad"
                    : "open",
              good  ? "✓"
              : bad ? "✗"
                    : "?",
              word);
}

Html overview_html(Ids&, const Picture& picture) {
  Html text;
  if (!picture.reason.empty()) text += html("<p class=\"warning\"><strong>Why:</strong> {}</p>\n", picture.reason);
  text += decided_sentence(picture);
  text += trust_sentence(picture);
  text += engines_sentence(picture);
  if (picture.certificate.content)
    text += html("<p>While the ranks trained: {}. {}</p>\n", badge_html(picture.certificate.content->verdict),
                 picture.certificate.content->reasons.empty() ? std::string() : picture.certificate.content->reasons.front());
  Html tiles;
  if (picture.answers.content) {
    const Answers& answers = *picture.answers.content;
    const gate::Outcomes all = all_outcomes(answers);
    tiles += tile(count_text(answers.cases), html("cases"));
    tiles += tile(share_text(all.decided, all.total()), html("of the answers decided"));
    tiles += tile(share_text(all.escalated, all.total()), html("of them handed to a person"));
    tiles += tile(share_text(all.abstained, all.total()), html("of them abstained from"));
  }
  if (picture.gates.content) {
    const gate::Figures& figures = picture.gates.content->figures;
    tiles +=
        tile(share_text(figures.generalised_risk.count, figures.generalised_risk.n), html("of the test cases decided wrongly"));
    tiles += tile(fmt::format("{} of {}", count_text(figures.silent.count), count_text(figures.silent.n)),
                  html("critical test cases missed in silence"));
    tiles += tile(number_text(100 * figures.cost.value(), 1) + " %", html("of the engines asked a case, on average"));
  }
  return tiles.empty() ? text : text + html("<dl class=\"tiles\">\n{}</dl>\n", tiles);
}

Html provenance_html(Ids& ids, const Picture& picture) {
  std::vector<std::vector<Cell>> rows;
  for (const auto& [what, value] : picture.provenance)
    rows.push_back({{Html::text(what)}, {html("<span class=\"name\">{}</span>", value)}});
  Html text = table_html(ids, html("Texts and files, by which everything here can be made again"), {{"what"}, {"value"}}, rows);
  if (!picture.summary.empty())
    text += fold_html(html("The summary that the run printed"),
                      html("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"summary\"><pre>{}</pre></div>\n",
                           picture.summary));
  return text;
}

}  // namespace hiple::report
