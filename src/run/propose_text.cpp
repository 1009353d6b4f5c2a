#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "run/propose.hpp"

namespace hiple {

namespace {

std::string ids_text(const std::vector<std::uint64_t>& ids, std::size_t most) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(most, ids.size()); ++i) texts.push_back(std::to_string(ids[i]));
  std::string text = join(texts, ", ");
  if (ids.size() > most) text += fmt::format("{}and {} more", texts.empty() ? "" : " ", ids.size() - most);
  return text;
}

std::string text_of(const Candidate& proposal, std::size_t most) {
  const char* right = proposal.is_link ? "needed" : "right";
  std::string text = proposal.is_link ? fmt::format("\n{}  link from {} to {}\n", proposal.id, proposal.from, proposal.to)
                                      : fmt::format("\n{}  {}\n", proposal.id, proposal.finding);
  text += fmt::format("  when      {}\n", proposal.when);
  if (!proposal.overrides.empty()) text += fmt::format("  overrides {}\n", join(proposal.overrides, ", "));
  text += fmt::format("  made      {} in {} of {} cases\n", right, proposal.made.right, proposal.made.cases);
  text += fmt::format("  held out  {} in {} of {} cases, {:.3f} to {:.3f} at every look, {} required: {}\n", right,
                      proposal.held_out.right, proposal.held_out.cases, proposal.lower, proposal.upper,
                      format_real(proposal.required), name_of(proposal.support));
  text += fmt::format("  changes   {} answers, {} of them critical\n", proposal.changes, proposal.critical);
  if (!proposal.witnesses.empty()) text += fmt::format("  for       case {}\n", ids_text(proposal.witnesses, most));
  if (!proposal.against.empty()) text += fmt::format("  against   case {}\n", ids_text(proposal.against, most));
  return text;
}

}  // namespace

std::string to_text(const Proposals& proposals, std::size_t most) {
  std::string text = fmt::format("evidence  {}\n", proposals.head);
  text += fmt::format(
      "cases     {} with evidence to make proposals from, {} held out; {} answers about the former are not what it says\n",
      proposals.made, proposals.held_out, proposals.missed);
  if (!proposals.links_why.empty()) text += fmt::format("links     none are looked for: {}\n", proposals.links_why);
  for (const Candidate& proposal : proposals.list) text += text_of(proposal, most);
  return text + fmt::format("\n{} proposed; nothing is accepted by itself\n", proposals.list.size());
}

std::string to_json(const Proposals& proposals) {
  using Ordered = nlohmann::ordered_json;
  Ordered list = Ordered::array();
  for (const Candidate& p : proposals.list) {
    Ordered one = {{"id", p.id}, {"kind", p.is_link ? "link" : "rule"}, {"when", p.when}};
    if (p.is_link) {
      one["from"] = p.from;
      one["to"] = p.to;
    } else {
      one["finding"] = p.finding;
      one["overrides"] = p.overrides;
    }
    const auto shown = [](const ShownBy& part) { return Ordered{{"cases", part.cases}, {"right", part.right}}; };
    one["made"] = shown(p.made);
    one["held_out"] = shown(p.held_out);
    one["held_out"]["lower"] = p.lower;
    one["held_out"]["upper"] = p.upper;
    one["required"] = p.required;
    one["verdict"] = name_of(p.support);
    one["changes"] = p.changes;
    one["critical"] = p.critical;
    one["witnesses"] = p.witnesses;
    one["against"] = p.against;
    list.push_back(one);
  }
  const Ordered json = {{"evidence", proposals.head},
                        {"made_from", proposals.made},
                        {"held_out", proposals.held_out},
                        {"missed", proposals.missed},
                        {"links", proposals.links_why.empty() ? Ordered(nullptr) : Ordered(proposals.links_why)},
                        {"proposals", list}};
  return json.dump(1) + "\n";
}

}  // namespace hiple
