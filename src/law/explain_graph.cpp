#include "law/explain_graph.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "law/explain_answer.hpp"
#include "law/explain_laws.hpp"
#include "law/explain_premises.hpp"
#include "law/explain_rules.hpp"

namespace hiple::law {

using condition::Node;
using condition::Op;
using condition::Truth;

namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + '"';
}

/// A colour that is told apart in grey too.
const char* colour_of(Truth truth) { return truth == Truth::yes ? "#c7e9c0" : truth == Truth::no ? "#f0f0f0" : "#fee391"; }

const char* colour_of(const Answer& answer) {
  return answer.status == Status::decide ? "#a1d99b" : answer.status == Status::abstain ? "#fee391" : "#fc9272";
}

class Graph {
 public:
  Graph(const Subject& subject, const std::vector<Settlement>& settlements) : subject_(subject), settlements_(settlements) {}

  std::string run() {
    text_ =
        "digraph case {\n  rankdir=LR;\n  node [shape=box, style=\"filled,rounded\", fontname=\"sans-serif\", fontsize=10];\n"
        "  edge [fontname=\"sans-serif\", fontsize=9];\n";
    text_ +=
        "  label=" + quoted(fmt::format("Case {} under the law {}", subject_.table.case_id[subject_.row], subject_.law.name)) +
        ";\n";
    for (const Answer& answer : subject_.result.answers(subject_.law)) add_answer(answer);
    add_links();
    return text_ + "}\n";
  }

 private:
  void node(const std::string& name, const std::string& label, const char* colour, const std::string& more = {}) {
    if (!seen_.emplace(name, true).second) return;
    text_ += fmt::format("  {} [label={}, fillcolor=\"{}\"{}];\n", quoted(name), quoted(label), colour, more);
  }
  void edge(const std::string& from, const std::string& to, const std::string& more = {}) {
    if (!seen_.emplace(from + " -> " + to, true).second) return;
    text_ += fmt::format("  {} -> {}{};\n", quoted(from), quoted(to), more);
  }

  /// The columns, engines and findings that a node reads, as nodes of the graph that lead to `target`.
  void add_sources(const Node& at, const std::string& target) {
    if (at.op == Op::column || at.op == Op::known) {
      node("column " + at.name, at.name + " = " + value_text(subject_, at), "#deebf7");
      edge("column " + at.name, target);
    } else if (at.op == Op::attribute) {
      node("engine " + at.name, at.name, "#dadaeb", ", shape=ellipse");
      edge("engine " + at.name, target, " [label=" + quoted("." + at.member + " = " + value_text(subject_, at)) + "]");
    } else if (at.op == Op::finding) {
      const std::string name = at.name + "." + at.member;
      node("finding " + name, name + " = " + value_text(subject_, at), "#dadaeb", ", shape=hexagon");
      edge("finding " + name, target);
    }
    if (at.op != Op::count)
      for (const Node& operand : at.operands) add_sources(operand, target);
    for (const auto& group : at.groups)
      for (const Node& member : group) {
        const Node& read = at.op == Op::count ? member.operands.at(0) : member;
        add_sources(read, target);
      }
  }

  /// One node an atom; `and`, `or` and `not` stand in the rule's own text.
  void add_atoms(const Node& at, const std::string& target) {
    if (at.op == Op::conjunction || at.op == Op::disjunction || at.op == Op::negation) {
      for (const Node& operand : at.operands) add_atoms(operand, target);
      return;
    }
    const std::string text = condition::print(at);
    condition::CauseSet ignored;
    const Truth truth = condition::evaluate(at, subject_.view(), ignored);
    node("atom " + text, fmt::format("{}\n{}", text, condition::name_of(truth)), colour_of(truth));
    edge("atom " + text, target);
    add_sources(at, "atom " + text);
  }

  void add_rule(std::size_t index, const std::string& answer) {
    const Rule& rule = subject_.law.rules[index];
    const Fate fate = fate_of(subject_, index);
    const std::string name = "rule " + rule.id;
    const Truth stand = subject_.result.panels[subject_.law.root].rules[index].stand.value;
    node(name, fmt::format("{}: {}\n{}", rule.id, subject_.law.findings[rule.finding].name, fate_text(subject_, index)),
         colour_of(stand), fate == Fate::stands ? ", penwidth=2" : "");
    edge(name, answer, stand == Truth::yes ? " [penwidth=2]" : " [style=dashed]");
    if (!rule.fallback) add_atoms(rule.when.root(), name);
    for (const std::size_t other : rule.beaten_by) {
      if (rule.fallback || fate_of(subject_, other) == Fate::silent) continue;
      add_rule(other, answer);
      edge("rule " + subject_.law.rules[other].id, name, " [label=\"overrides\", color=\"#cb181d\", arrowhead=tee]");
    }
  }

  void add_answer(const Answer& answer) {
    const std::string question = subject_.law.questions[answer.question].name, name = "question " + question;
    node(name, question + "\n" + headline(subject_, answer), colour_of(answer), ", shape=box, penwidth=2, style=filled");
    for (std::size_t i = 0; i < subject_.law.rules.size(); ++i) {
      const Rule& rule = subject_.law.rules[i];
      const Fate fate = fate_of(subject_, i);
      const bool cited = rule.in_force && std::binary_search(answer.cited.begin(), answer.cited.end(), rule.record);
      const bool mine = subject_.law.findings[rule.finding].question == answer.question;
      if (cited || (mine && !rule.fallback && fate != Fate::silent && fate != Fate::not_in_force)) add_rule(i, name);
    }
    for (std::size_t i = 0; i < subject_.law.laws.size(); ++i) {
      const LawEntry& law = subject_.law.laws[i];
      const Truth truth = subject_.result.laws[i].value;
      const bool cited = std::binary_search(answer.cited.begin(), answer.cited.end(), law.record);
      if (!concerns(subject_.law, law, answer.question) || (!cited && truth == Truth::no)) continue;
      node("law " + law.id, fmt::format("law {}\n{}", law.id, effect_text(subject_, i)), colour_of(truth),
           ", shape=octagon, style=filled");
      edge("law " + law.id, name, " [color=\"#cb181d\"]");
      add_atoms(law.when.root(), "law " + law.id);
    }
    add_settlement(question, name);
  }

  /// What is not known and would settle the question: the smallest sets, a node each.
  void add_settlement(const std::string& question, const std::string& answer) {
    for (const Settlement& settlement : settlements_) {
      if (settlement.question != question) continue;
      constexpr std::size_t most_shown = 5;
      for (std::size_t i = 0; i < std::min(most_shown, settlement.sets.size()); ++i) {
        const Settling& set = settlement.sets[i];
        const std::string name = fmt::format("settles {} {}", question, i);
        node(name, fmt::format("{}\nwould decide {}", set.values, set.finding), "#ffffff",
             ", shape=note, style=\"filled,dashed\"");
        edge(name, answer, " [style=dashed, label=\"would settle\"]");
      }
    }
  }

  /// Engines that a link brought in.
  void add_links() {
    for (std::size_t number = 0; number + 1 < subject_.result.trace.size(); ++number) {
      const Round& round = subject_.result.trace[number];
      for (const std::size_t index : round.links) {
        const Link& link = subject_.law.links[index];
        if (std::binary_search(round.active.begin(), round.active.end(), link.to)) continue;
        for (const std::size_t engine : {link.from, link.to})
          node("engine " + subject_.law.engines[engine].name, subject_.law.engines[engine].name, "#dadaeb", ", shape=ellipse");
        edge("engine " + subject_.law.engines[link.from].name, "engine " + subject_.law.engines[link.to].name,
             " [label=" + quoted(fmt::format("link {} in round {}", link.id, number + 1)) + ", style=dotted]");
      }
    }
  }

  const Subject& subject_;
  const std::vector<Settlement>& settlements_;
  std::map<std::string, bool> seen_;
  std::string text_;
};

}  // namespace

std::string explain_graph(const Subject& subject, const std::vector<Settlement>& settlements) {
  return Graph(subject, settlements).run();
}

}  // namespace hiple::law
