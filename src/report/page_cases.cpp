#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "report/page_sections.hpp"
#include "report/text_table.hpp"

namespace hiple::report {

namespace {

using Json = nlohmann::ordered_json;
using Kind = Column::Kind;

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return format_real(value.get<double>());
  return value.is_null() ? "missing" : value.dump();
}

std::string joined(const Json& list) {
  std::string text;
  for (const Json& entry : list) text += (text.empty() ? "" : ", ") + text_of(entry);
  return text;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return text;
}

Html headline(const Json& question) {
  const std::string status = question.at("status");
  Html text = html("<span class=\"answer {}\">{}", status, upper(status));
  if (question.contains("finding")) text += html(" {}", name_html(question.at("finding").get<std::string>()));
  text += html("</span>");
  if (status != "decide") text += html(" <small>{}</small>", question.at("reason").get<std::string>());
  if (!question.at("to").empty()) text += html(" to {}", name_html(joined(question.at("to"))));
  if (question.at("firm") == true) text += html(" <small>firm</small>");
  if (question.at("critical") == true) text += html(" <strong>critical</strong>");
  return text;
}

/// A condition as a list in a list: its truth is a word.
Html tree(const Json& node) {
  const std::string truth = node.at("truth");
  Html text = html("<li><span class=\"truth\">{}</span> ", truth);
  if (node.contains("parts")) {
    const std::string op = node.at("op");
    text += html("{}<ul>", op == "and" ? "all of" : op == "or" ? "any of" : "not");
    for (const Json& part : node.at("parts")) text += tree(part);
    return text + html("</ul></li>\n");
  }
  text += html("<code>{}</code>", node.at("text").get<std::string>());
  Html values;
  if (node.contains("values"))
    for (const auto& [name, value] : node.at("values").items())
      values += html("{}{} = {}", values.empty() ? "" : ", ", name, text_of(value));
  return text + (values.empty() ? Html() : html(" <small>{}</small>", values)) + html("</li>\n");
}

bool carries(const Json& question, const std::string& id) {
  const auto& cited = question.at("rests_on");
  return std::any_of(cited.begin(), cited.end(), [&](const Json& one) { return one.at("id") == id; });
}

Html rule_html(const Json& rule) {
  Html text = html("<li><strong>{}</strong> {}{}", name_html(rule.at("id").get<std::string>()), rule.value("title", ""),
                   rule.contains("title") ? ": " : "");
  text += html("{}", rule.at("text").get<std::string>());
  if (rule.contains("because")) text += html("<br><q>{}</q>", rule.at("because").get<std::string>());
  if (rule.contains("evidence"))
    for (const Json& evidence : rule.at("evidence"))
      text += html("<br><small>evidence {} it: {}</small>", evidence.value("supports", true) ? "for" : "against",
                   evidence.value("source", ""));
  if (rule.contains("condition")) text += html("<ul class=\"tree\">{}</ul>", tree(rule.at("condition")));
  return text + html("</li>\n");
}

/// What the answer rests on, and what else had a word to say.
Html question_html(const Json& question) {
  Html carried, others, silent;
  for (const Json& rule : question.at("rules")) {
    const std::string id = rule.at("id"), fate = rule.at("fate");
    if (carries(question, id))
      carried += rule_html(rule);
    else if (fate == "silent" || fate == "not in force")
      silent += html("{}{}", silent.empty() ? "" : ", ", name_html(id));
    else
      others += rule_html(rule);
  }
  for (const Json& law : question.at("laws")) {
    const std::string id = law.at("id");
    if (!carries(question, id) && law.at("truth") == "FALSE") {
      silent += html("{}law {}", silent.empty() ? "" : ", ", name_html(id));
      continue;
    }
    (carries(question, id) ? carried : others) +=
        html("<li><strong>law {}</strong> {}<ul class=\"tree\">{}</ul></li>\n", name_html(id), law.at("text").get<std::string>(),
             tree(law.at("condition")));
  }
  Html text = html("<h5>{}: {}</h5>\n", name_html(question.at("question").get<std::string>()), headline(question));
  if (!question.at("causes").empty())
    text += html("<p>{}: {}</p>\n", question.at("status") == "decide" ? "What would make it firm" : "What is not known",
                 joined(question.at("causes")));
  if (question.contains("evidence")) text += html("<p>Evidence says: {}</p>\n", text_of(question.at("evidence")));
  if (!question.at("settled_by").is_null() && !question.at("settled_by").at("sets").empty()) {
    Html sets;
    for (const Json& set : question.at("settled_by").at("sets"))
      sets += html("<li><code>{}</code> would decide {}</li>\n", set.at("values").get<std::string>(),
                   name_html(text_of(set.at("decides"))));
    text += html("<p>What would settle it:</p><ul>{}</ul>\n", sets);
  }
  if (!carried.empty())
    text += html("<p>{}</p><ul class=\"rules\">\n{}</ul>\n", question.at("status") == "decide" ? "It rests on" : "Because of",
                 carried);
  if (!others.empty()) text += html("<p>Beside it</p><ul class=\"rules\">\n{}</ul>\n", others);
  if (!silent.empty()) text += html("<p><small>Silent: {}</small></p>\n", silent);
  return text;
}

Html inputs_table(Ids& ids, const Json& inputs) {
  std::vector<std::vector<Cell>> rows;
  for (const auto& [name, input] : inputs.items())
    rows.push_back({{name_html(name)},
                    {html("{} {}", text_of(input.at("value")), input.at("value").is_number() ? input.value("unit", "") : "")}});
  return rows.empty() ? Html() : table_html(ids, html("What the law reads of it"), {{"column"}, {"value", Kind::number}}, rows);
}

Html judgments_table(Ids& ids, const Json& judgments) {
  std::vector<std::vector<Cell>> rows;
  for (const auto& [name, judgment] : judgments.items()) {
    if (judgment.at("state") == "not consulted") continue;
    const auto number = [&](const char* key) {
      return judgment.contains(key) && judgment.at(key).is_number() ? number_cell(judgment.at(key).get<double>()) : Cell{};
    };
    rows.push_back({{name_html(name)},
                    {Html::text(judgment.value("reason", text_of(judgment.at("state"))))},
                    {judgment.contains("label")   ? name_html(text_of(judgment.at("label")))
                     : judgment.contains("value") ? Html::text(text_of(judgment.at("value")))
                                                  : Html()},
                    number("confidence"),
                    number("typicality")});
  }
  if (rows.empty()) return html("<p>No engine was asked.</p>\n");
  return table_html(ids, html("What the engines that were asked said"),
                    {{"engine"}, {"state"}, {"says"}, {"confidence", Kind::number}, {"typicality", Kind::number}}, rows);
}

Html rounds_html(const Json& rounds) {
  Html text;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const Json& round = rounds[i];
    text += html("<li>asked {}", joined(round.at("consulted")));
    for (const Json& link : round.at("links"))
      text += html("; link {} leads from {} to {}", name_html(text_of(link.at("id"))), name_html(text_of(link.at("from"))),
                   name_html(text_of(link.at("to"))));
    if (round.contains("broadened"))
      text += html("; no link reached a new engine, broadened to {}", text_of(round.at("broadened")));
    text += html("</li>\n");
  }
  return html("<h5>Engines, round by round</h5><ol start=\"0\">\n{}</ol>\n", text);
}

}  // namespace

Html graph_html(Ids& ids, const std::string& svg, const std::string& title, const std::string& description) {
  const std::size_t begin = svg.find("<svg"), open = svg.find('>', begin), end = svg.rfind("</svg>");
  if (begin == std::string::npos || open == std::string::npos || end == std::string::npos || end < open) return {};
  const auto attribute = [&](const std::string& name) {
    const std::string start = " " + name + "=\"", head = svg.substr(begin, open - begin);
    std::size_t at = head.find(start);
    if (at == std::string::npos) at = head.find("\n" + start);
    if (at == std::string::npos) return std::string();
    at += start.size();
    return head.substr(at, head.find('"', at) - at);
  };
  std::string content = svg.substr(open + 1, end - open - 1);
  // Ids of one graph are those of the next, and what it is about is said in the page's own words.
  for (const auto& [from, to] : {std::pair<std::string, std::string>{" id=\"", "\""}, {"<title>", "</title>"}, {"<!--", "-->"}}) {
    for (std::size_t at = content.find(from); at != std::string::npos; at = content.find(from, at)) {
      const std::size_t stop = content.find(to, at + from.size());
      if (stop == std::string::npos) return {};
      content.erase(at, stop + to.size() - at);
    }
  }
  // It shrinks to its frame as long as it can be read; then it scrolls.
  const std::string size = attribute("width");
  const auto width = parse_real(std::string_view(size).substr(0, size.find("pt")));
  const std::string id = ids.next("graph");
  return html(
      "<div class=\"scroll graph\" role=\"region\" tabindex=\"0\" aria-labelledby=\"{0}-title\"><svg width=\"{1}\" "
      "height=\"{2}\" "
      "viewBox=\"{3}\" role=\"img\" aria-labelledby=\"{0}-title {0}-desc\"><title id=\"{0}-title\">{4}</title><desc "
      "id=\"{0}-desc\">{5}</desc>{6}</svg></div>\n",
      id, attribute("width"), attribute("height"), attribute("viewBox"), title, description, Html::trusted(content),
      0.75 * width.value_or(0));
}

Html case_html(Ids& ids, const ShownCase& shown) {
  const Json derivation = Json::parse(shown.json);
  Html answers, questions, remarkable;
  std::string statuses;
  for (const Json& question : derivation.at("questions")) {
    answers += html("<li>{}: {}</li>\n", name_html(question.at("question").get<std::string>()), headline(question));
    questions += question_html(question);
    const std::string status = question.at("status");
    if (status != "decide" || question.at("critical") == true)
      remarkable += html(" · {}: {}", name_html(question.at("question").get<std::string>()), headline(question));
    if (statuses.find(status) == std::string::npos) statuses += (statuses.empty() ? "" : " ") + status;
  }
  Html content = html("<ul class=\"answers\">\n{}</ul>\n", answers);
  content += shown.graph.empty()
                 ? Html()
                 : graph_html(ids, shown.graph, fmt::format("How case {} was decided", shown.case_id),
                              "From left to right: columns and engines, the conditions that read them, the rules and laws that "
                              "these make true, the answers. The text below says the same.");
  content += html("<div class=\"sides\">{}{}</div>\n", inputs_table(ids, derivation.at("inputs")),
                  judgments_table(ids, derivation.at("judgments")));
  content += rounds_html(derivation.at("rounds")) + questions;
  return html(
      "<details class=\"case\" id=\"case-{0}\" data-case=\"{0}\" data-kind=\"{1}\" data-statuses=\"{2}\"><summary><h4>Case "
      "{0}</h4> "
      "<small>{1}{4}</small></summary>\n{3}</details>\n",
      shown.case_id, shown.kind, statuses, content, remarkable);
}

Html cases_html(Ids& ids, const Picture& picture) {
  if (!picture.cases.content) return missing_html("decisions to browse", picture.cases.missing);
  const ShownCases& shown = *picture.cases.content;
  std::vector<std::vector<Cell>> rows;
  for (const ShownCases::Kind& kind : shown.kinds)
    rows.push_back({{Html::text(kind.kind)}, count_cell(kind.shown), count_cell(kind.of)});
  Html text = table_html(ids,
                         html("Cases shown here, drawn by the run's seed; a case is of the first kind that fits. Any other: "
                              "<code>hiple explain {} --case ID</code>",
                              picture.directory),
                         {{"kind"}, {"shown", Kind::number}, {"of all", Kind::number}}, rows);
  if (!shown.no_graphs.empty()) text += missing_html("drawn graphs", shown.no_graphs);
  text += html("<div id=\"browser\" hidden></div>\n<div id=\"case-list\">\n");
  for (const ShownCases::Kind& kind : shown.kinds) {
    if (kind.shown == 0) continue;
    text += html("<h3>{}</h3>\n", kind.kind);
    for (const ShownCase& one : shown.cases)
      if (one.kind == kind.kind) text += case_html(ids, one);
  }
  return text + html("</div>\n");
}

}  // namespace hiple::report
