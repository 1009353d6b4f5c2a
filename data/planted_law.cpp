#include <fmt/format.h>

#include <string>
#include <string_view>

#include "data/planted_study.hpp"

namespace hiple::data {

namespace {

constexpr std::string_view frame =
    R"(# The law of a planted world (docs/planted.md), made by `hiple data generate planted`: one question a domain, and for each domain
# the same rules.
#
# A finding that its engine holds possible at .25 is a candidate; two candidates are a conflict, and a conflict is no answer. The
# critical finding has the domain's alarm as its guard: where that is silent the engine need not be asked.
law: 1
name: planted
schema: schema.yaml
critical: critical.yaml
)";

/// "000" of "d000".
std::string number_of(const std::string& name) { return name.substr(1); }

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// Findings that an engine's word alone makes a candidate.
constexpr std::string_view plain_findings[] = {"none", "local", "near", "far"};

std::string single_rules(const std::string& name) {
  std::string text;
  for (const std::string_view finding : plain_findings) {
    const std::string other = finding == "none" ? "local" : "none";
    text += fmt::format(R"(  - id: {id}-{number}
    title: {name} holds {finding} possible
    when: '{name}.probability["{finding}"] >= 0.25'
    then: {name}.{finding}
    because: "{name} says {{{name}.label}} at {{{name}.confidence}}"
    tests: {{fires: [{{{name}: {{{finding}: 0.25, {other}: 0.75}}}}], silent: [{{{name}: {{{finding}: 0.2, {other}: 0.8}}}}]}}
)",
                        fmt::arg("id", upper(std::string(finding))), fmt::arg("number", number_of(name)), fmt::arg("name", name),
                        fmt::arg("finding", finding), fmt::arg("other", other));
  }
  return text + fmt::format(R"(  - id: CRITICAL-{number}
    title: The alarm of {name} rings, and its engine holds a critical finding possible
    when: '{name}_alarm and {name}.probability["critical"] >= 0.25'
    then: {name}.critical
    because: "alarm {{{name}_alarm}}; {name} gives critical {{{name}.probability[\"critical\"]}}"
    tests:
      fires: [{{{name}_alarm: true, {name}: {{critical: 0.25, none: 0.75}}}}]
      silent: [{{{name}_alarm: false}}, {{{name}_alarm: true, {name}: {{critical: 0.2, none: 0.8}}}}]
      unknown: [{{{name}_alarm: true}}]
)",
                            fmt::arg("number", number_of(name)), fmt::arg("name", name));
}

/// A domain with a copy of its engine, which reads the same sensors, and a witness with sensors of its own.
std::string panel_rules(const std::string& name) {
  std::string text;
  for (const std::string_view finding : plain_findings) {
    const std::string other = finding == "none" ? "local" : "none";
    std::string beaten;
    for (const std::string_view rival : plain_findings)
      if (rival != finding) beaten += (beaten.empty() ? "" : ", ") + upper(std::string(rival)) + "-" + number_of(name);
    text += fmt::format(R"(  - id: {id}-{number}
    title: Somebody in the panel of {name} says {finding}
    when: 'count({name}_panel, each.label == "{finding}") >= 1'
    then: {name}.{finding}
    because: "{name} says {{{name}.label}}, its witness {{{name}_witness.label}}"
    tests:
      fires: [{{{name}: {{{other}: 1}}, {name}_copy: {{{other}: 1}}, {name}_witness: {{{finding}: 1}}}}]
      silent: [{{{name}: {{{other}: 1}}, {name}_copy: {{{other}: 1}}, {name}_witness: {{{other}: 1}}}}]
  - id: TWO-{id}-{number}
    title: Two independent voices of the panel of {name} say {finding}
    when: 'count({name}_panel, each.label == "{finding}") >= 2'
    then: {name}.{finding}
    overrides: [{beaten}]
    because: "{name} says {{{name}.label}}, its copy {{{name}_copy.label}}, its witness {{{name}_witness.label}}"
    tests:
      fires: [{{{name}: {{{finding}: 1}}, {name}_copy: {{{finding}: 1}}, {name}_witness: {{{finding}: 1}}}}]
      silent: [{{{name}: {{{finding}: 1}}, {name}_copy: {{{finding}: 1}}, {name}_witness: {{{other}: 1}}}}]
)",
                        fmt::arg("id", upper(std::string(finding))), fmt::arg("number", number_of(name)), fmt::arg("name", name),
                        fmt::arg("finding", finding), fmt::arg("other", other), fmt::arg("beaten", beaten));
  }
  return text + fmt::format(R"(  - id: CRITICAL-{number}
    title: The alarm of {name} rings, and its engine or its witness holds a critical finding possible
    when: '{name}_alarm and ({name}.probability["critical"] >= 0.25 or {name}_witness.probability["critical"] >= 0.25)'
    then: {name}.critical
    because: "alarm {{{name}_alarm}}; {name} says {{{name}.label}}, its witness {{{name}_witness.label}}"
    tests:
      fires: [{{{name}_alarm: true, {name}: {{critical: 0.25, none: 0.75}}}}]
      silent: [{{{name}_alarm: false}}]
      unknown: [{{{name}_alarm: true, {name}: {{critical: 0.2, none: 0.8}}}}]
)",
                            fmt::arg("number", number_of(name)), fmt::arg("name", name));
}

std::string doubt_law(const std::string& name) {
  return fmt::format(R"(  - id: L-CRITICAL-{number}
    title: A critical finding of {name} that is possible, though not likely, is looked at
    when: '{name}_alarm and {name}.probability["critical"] in [0.02, 0.25)'
    escalate: {name}
    to: operator
    because: "alarm {{{name}_alarm}}; {name} gives critical {{{name}.probability[\"critical\"]}}"
    tests: {{fires: [{{{name}_alarm: true, {name}: {{critical: 0.02, none: 0.98}}}}], silent: [{{{name}_alarm: false}}]}}
)",
                     fmt::arg("number", number_of(name)), fmt::arg("name", name));
}

/// Where what is found at `from` spreads to. Eager: an engine that abstains rules nothing out.
std::string spread_link(const std::string& from, std::string_view finding, const std::string& to) {
  return fmt::format(R"(  - id: X-{id}-{number}
    from: {from}
    to: {to}
    when: '{from}.probability["{finding}"] >= 0.01'
    eager: true
    because: "what {from} calls {finding} reaches {to}; it gives {{{from}.probability[\"{finding}\"]}}"
)",
                     fmt::arg("id", upper(std::string(finding))), fmt::arg("number", number_of(from)), fmt::arg("from", from),
                     fmt::arg("to", to), fmt::arg("finding", finding));
}

std::string panel_link(const std::string& name, const std::string& member) {
  return fmt::format("  - {{id: X-{}-{}, from: {}, to: {}_{}, when: 'true', because: \"a panel is asked as a whole\"}}\n",
                     upper(member), number_of(name), name, name, member);
}

}  // namespace

std::string planted_law_yaml(const PlantedWorld& world) {
  std::string questions, independence, panels, members, rules, laws, links, homes, all;
  for (std::uint32_t domain = 0; domain < world.domains(); ++domain) {
    const std::string name = PlantedWorld::name(domain);
    const bool doubled = world.has_witness(domain);
    const std::string engines = doubled ? fmt::format("{0}, {0}_copy, {0}_witness", name) : name;
    questions += fmt::format("  - {{name: {}, findings: [none, local, near, far, critical, unseen], default: none}}\n", name);
    if (doubled) {
      independence += fmt::format("{0}[{1}, {1}_copy]", independence.empty() ? "" : ", ", name);
      panels += fmt::format("  - {{name: {0}_panel, members: [{1}], answers: [{0}]}}\n", name, engines);
    }
    members += fmt::format("{}{}{}", members.empty() ? "" : ", ", name, doubled ? "_panel" : "");
    rules += doubled ? panel_rules(name) : single_rules(name);
    laws += doubt_law(name);
    links += spread_link(name, "near", PlantedWorld::name(world.near_of(domain)));
    links += spread_link(name, "far", PlantedWorld::name(world.far_of(domain)));
    if (doubled) links += panel_link(name, "copy") + panel_link(name, "witness");
    homes += fmt::format("    - {{when: 'home == \"{}\"', engines: [{}]}}\n", name, engines);
    all += (all.empty() ? "" : ", ") + engines;
  }
  std::string text(frame);
  text += "questions: # `unseen` is never claimed: no training case shows it, so that no rule can\n" + questions;
  if (!independence.empty()) text += "independence: [" + independence + "] # the same sensors: one voice\n";
  text += "panels:\n" + panels + "  - {name: root, members: [" + members + "]}\n\nrules:\n" + rules + "\nlaws:\n" + laws;
  text += "\nlinks:\n" + links + "\nroute:\n  home:\n" + homes + "    - {engines: [" + all + "]} # no home: everybody\n";
  return text + "  broaden: [needed]\n  max_rounds: 8\n";
}

}  // namespace hiple::data
