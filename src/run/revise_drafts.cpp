#include "run/revise_drafts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "audit/format_scalar.hpp"
#include "base/text.hpp"
#include "run/revise_search.hpp"

namespace hiple {

namespace {

/// A rule's cases that proposals may be made from.
struct Own {
  std::vector<std::uint32_t> rows;  ///< into RevisionCases
  std::vector<bool> wrong;
  std::vector<std::size_t> said;
  [[nodiscard]] std::size_t count_wrong() const { return static_cast<std::size_t>(std::count(wrong.begin(), wrong.end(), true)); }
};

class Drafter {
 public:
  Drafter(const DraftSources& sources, std::size_t rule)
      : from_(sources), model_(sources.law.model()), number_(rule), rule_(model_.rules[rule]) {
    const std::size_t question = model_.findings[rule_.finding].question;
    for (std::uint32_t i = 0; i < from_.cases.size(); ++i) {
      const std::size_t said = from_.cases.said(i, question);
      if (said == law::no_number || from_.cases.held_out(i) || !from_.now.speaks(i, rule)) continue;
      own_.rows.push_back(i);
      own_.wrong.push_back(said != rule_.finding);
      own_.said.push_back(said);
    }
  }

  std::vector<Draft> run() {
    std::optional<Region> region;
    if (own_.count_wrong() > 0) {
      move_thresholds();
      law::Law::Model everything = model_;
      for (std::size_t i = 0; i < everything.first_evidence; ++i)
        everything.column_is_read[i] = has_column(everything.columns[i]);
      const law::Inputs inputs(everything, from_.cases.table(), from_.cases.engines());
      region = find_region(features_of(everything, inputs, own_.rows), own_.wrong);
      if (region) except(*region);
    }
    suspend(region);
    retire();
    return std::move(drafts_);
  }

 private:
  [[nodiscard]] bool has_column(const std::string& name) const {
    const auto found = from_.cases.table().schema.find(name);
    return found && from_.cases.table().columns[*found].cells.size() == from_.cases.table().rows();
  }

  [[nodiscard]] LawText text() const { return {from_.text, from_.file}; }

  /// A new version of a rule, which says what it rests on.
  void bump(LawText& text, const law::Rule& rule) const {
    text.set(rule.id, "version", std::to_string(rule.version + 1));
    std::string list;
    if (const yaml::Node* evidence = text.find(rule.id, "evidence"))
      for (const yaml::Node& item : evidence->items) list += audit::flow_text(item) + ", ";
    text.set(rule.id, "evidence", fmt::format("[{}{{source: {}, supports: true}}]", list, source()));
  }
  [[nodiscard]] std::string source() const { return LawText::text("evidence " + from_.evidence.substr(0, 12)); }

  Draft& add(const char* kind, std::string summary, const LawText& text, std::vector<std::string> changed, std::size_t edits) {
    std::sort(changed.begin(), changed.end());
    return drafts_.emplace_back(Draft{kind, std::move(summary), text.text(), std::move(changed), edits, {}, {}});
  }

  /// Of what share of its cases a rule must be right, as the gain of a right case over the price of a wrong one.
  [[nodiscard]] double required() const { return rule_.precision.value_or(model_.precision.value_or(usual_precision)); }

  void move_thresholds() {
    struct Move {
      Limit limit;
      double to = 0, gain = 0;
    };
    std::vector<Move> moves;
    const law::Inputs inputs(model_, from_.cases.table(), from_.cases.engines());
    law::Evaluator evaluator(model_, inputs);
    for (const Limit& limit : limits_of(rule_.when.root())) {
      std::map<double, std::pair<double, double>> counts;  // of each value: right, wrong; from the end that stays inwards
      for (std::size_t i = 0; i < own_.rows.size(); ++i) {
        const law::CaseResult& result = evaluator.run(own_.rows[i]);
        const auto value = value_at(rule_.when.root(), limit, law::CaseView(inputs, own_.rows[i], model_, result, false));
        if (!value) continue;
        auto& count = counts[limit.is_upper ? *value : -*value];
        (own_.wrong[i] ? count.second : count.first) += 1;
      }
      double right = 0, wrong = 0;
      Move best{limit, 0, 0};
      bool found = false;
      for (auto at = counts.begin(); at != counts.end() && std::next(at) != counts.end(); ++at) {
        right += at->second.first;
        wrong += at->second.second;
        const double gain = right * (1 - required()) - wrong * required();
        if (gain <= best.gain + 1e-9) continue;
        best.gain = gain;
        best.to = between(limit, at->first, std::next(at)->first);
        found = true;
      }
      if (found && best.to != limit.value) moves.push_back(best);
    }
    std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.gain > b.gain; });
    constexpr std::size_t most = 3;
    for (std::size_t i = 0; i < std::min(most, moves.size()); ++i) move(moves[i].limit, moves[i].to);
  }

  /// A round number that keeps what is up to `low` and leaves out what is from `high` on; both negated of a lower limit.
  static double between(const Limit& limit, double low, double high) {
    if (limit.is_upper) return limit.is_closed ? roundest(low, high) : -roundest(-high, -low);
    return limit.is_closed ? -roundest(low, high) : roundest(-high, -low);
  }

  void move(const Limit& limit, double to) {
    if (!leaves_room(rule_.when.root(), limit, to)) return;
    LawText alone = text();
    const std::string when = with_limit(rule_.when.root(), limit, to);
    alone.set(rule_.id, "when", LawText::condition(when));
    bump(alone, rule_);
    const std::string summary = fmt::format("{}: {} is compared with {}, no longer with {}", rule_.id, limit.left,
                                            format_real(to), format_real(limit.value));
    const std::vector<std::string> laws = laws_with(limit);
    Draft& draft = add("threshold", summary, alone, {rule_.id}, 1);
    draft.must_show = {rule_.id};
    note_laws(draft, laws, limit);
    std::vector<std::string> changed = {rule_.id};
    LawText together = alone;
    for (const law::Rule& other : model_.rules) {
      if (other.fallback || other.id == rule_.id || !other.in_force) continue;
      std::string condition = other.when.canonical();
      bool same = false;
      for (const Limit& theirs : limits_of(other.when.root())) {
        if (theirs.left != limit.left || theirs.value != limit.value) continue;
        if (!leaves_room(other.when.root(), theirs, to)) return;  // the number cannot be the same everywhere: it moves alone
        condition = with_limit(other.when.root(), theirs, to);
        same = true;
        break;
      }
      if (!same) continue;
      together.set(other.id, "when", LawText::condition(condition));
      bump(together, other);
      changed.push_back(other.id);
    }
    if (changed.size() == 1) return;
    std::vector<std::string> others(changed.begin() + 1, changed.end());
    Draft& both = add("threshold", summary + ", and so in " + join(others, ", "), together, changed, changed.size());
    both.must_show = changed;
    note_laws(both, laws, limit);
  }

  /// Laws are never revised by evidence: a person is told that they have the same number.
  [[nodiscard]] std::vector<std::string> laws_with(const Limit& limit) const {
    std::vector<std::string> ids;
    for (const law::LawEntry& entry : model_.laws)
      for (const Limit& theirs : limits_of(entry.when.root()))
        if (theirs.left == limit.left && theirs.value == limit.value) {
          ids.push_back(entry.id);
          break;
        }
    return ids;
  }
  static void note_laws(Draft& draft, const std::vector<std::string>& laws, const Limit& limit) {
    for (const std::string& law : laws)
      draft.notes.push_back(
          fmt::format("the law {} compares {} with {} too: a law is never revised by evidence, a person must look at it", law,
                      limit.left, format_real(limit.value)));
  }

  void except(const Region& region) {
    std::map<std::size_t, std::size_t> counts;
    for (std::size_t i = 0; i < own_.rows.size(); ++i)
      if (region.holds[i] && own_.wrong[i]) ++counts[own_.said[i]];
    const auto most =
        std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const std::string finding = model_.findings[most->first].name;
    std::vector<std::string> overrides = rule_.overrides;
    std::erase_if(overrides, [&](const std::string& id) {
      const auto other = std::find_if(model_.rules.begin(), model_.rules.end(), [&](const law::Rule& r) { return r.id == id; });
      return other == model_.rules.end() || other->finding == most->first;
    });
    overrides.push_back(rule_.id);
    LawText with = text();
    const std::string id = free_id();
    std::vector<std::pair<std::string, std::string>> entries = {{"id", LawText::text(id)},
                                                                {"title", LawText::text("An exception of " + rule_.id)}};
    if (const yaml::Node* panel = with.find(rule_.id, "panel")) entries.emplace_back("panel", audit::flow_text(*panel));
    entries.emplace_back("when", LawText::condition(joined(rule_.when.canonical(), region.condition)));
    entries.emplace_back("then", LawText::text(finding));
    std::vector<std::string> list;
    for (const std::string& other : overrides) list.push_back(LawText::text(other));
    entries.emplace_back("overrides", "[" + join(list, ", ") + "]");
    entries.emplace_back("evidence", "[{source: " + source() + ", supports: true}]");
    if (rule_.precision) entries.emplace_back("precision", format_real(*rule_.precision));
    entries.emplace_back("because",
                         LawText::text("evidence says so where " + rule_.id + " was wrong: " + shown(region.condition)));
    with.add_rule(entries);
    Draft& draft =
        add("exception",
            fmt::format("{}: where {}, {} instead of {}", id, region.condition, finding, model_.findings[rule_.finding].name),
            with, {id}, 1 + region.atoms);
    draft.must_show = {id, rule_.id};
  }

  /// A reason may show values in braces: none are meant here.
  static std::string shown(std::string text) {
    std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
    return text;
  }

  static std::string joined(const std::string& when, const std::string& region) { return "(" + when + ") and " + region; }

  [[nodiscard]] std::string free_id() const {
    for (int i = 1;; ++i) {
      const std::string id = rule_.id + "-EXCEPT-" + std::to_string(i);
      const auto has = [&](const auto& list) {
        return std::any_of(list.begin(), list.end(), [&](const auto& each) { return each.id == id; });
      };
      if (!has(model_.rules) && !has(model_.laws) && !has(model_.links)) return id;
    }
  }

  void suspend(const std::optional<Region>& region) {
    LawText there = text();
    if (region) {
      const std::string old = rule_.suspended ? "(" + rule_.suspended->canonical() + ") or " : "";
      there.set(
          rule_.id, "suspended_where",
          LawText::condition(old + (region->atoms > 1 && !old.empty() ? "(" + region->condition + ")" : region->condition)));
      bump(there, rule_);
      Draft& draft =
          add("suspend", fmt::format("{} says nothing where {}, until a person has looked", rule_.id, region->condition), there,
              {rule_.id}, 1);
      draft.notes.emplace_back("it claims less, and need not show any precision; what it would decide there waits for a person");
    }
    LawText whole = text();
    whole.set(rule_.id, "status", "suspended");
    bump(whole, rule_);
    Draft& draft = add("suspend", rule_.id + " says nothing anywhere, until a person has looked", whole, {rule_.id}, 1);
    draft.notes.emplace_back("it claims less, and need not show any precision");
  }

  void retire() {
    LawText without = text();
    without.set(rule_.id, "status", "retired");
    bump(without, rule_);
    add("retire", rule_.id + " is retired", without, {rule_.id}, 1);
  }

  const DraftSources& from_;
  const law::Law::Model& model_;
  const std::size_t number_;
  const law::Rule& rule_;
  Own own_;
  std::vector<Draft> drafts_;
};

}  // namespace

std::vector<Draft> draft_revisions(const DraftSources& sources, std::size_t rule) { return Drafter(sources, rule).run(); }

}  // namespace hiple
