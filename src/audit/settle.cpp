#include "audit/settle.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "audit/candidates.hpp"
#include "base/text.hpp"
#include "law/explain_laws.hpp"
#include "law/given_case.hpp"
#include "law/given_judgment.hpp"

namespace hiple::audit {

using condition::CauseKind;

namespace {

constexpr std::size_t most_at_once = 3, most_items = 12, most_tries = 20'000;

/// Something that is not known, with what it could be.
struct Item {
  std::string name;
  std::size_t column = law::no_number, engine = law::no_number;
  std::vector<double> values;                         ///< of a column
  std::vector<std::shared_ptr<Judgments>> judgments;  ///< of an engine
  [[nodiscard]] std::size_t size() const { return column != law::no_number ? values.size() : judgments.size(); }
};

/// Tries values in a copy of the case, with the engines that were consulted and those that are tried.
class Settler {
 public:
  explicit Settler(const law::Subject& subject)
      : subject_(subject), law_(subject.law), candidates_(law_), case_(law::empty_case(law_)) {
    for (std::size_t i = 0; i < law_.columns.size(); ++i) {
      if (!law_.column_is_read[i]) continue;
      const condition::Field field = subject.inputs.field(subject.row, i);
      if (field.state == condition::Field::State::known) law::set_cell(case_.table.columns[i], field.number);
      if (field.state == condition::Field::State::invalid) case_.table.columns[i].cells[0] = Cell::invalid;
    }
    for (std::size_t i = 0; i < law_.engines.size(); ++i) words_.push_back(word_of(i));
  }

  law::Settlement settle(const law::Answer& answer) {
    question_ = answer.question;
    settlement_ = {};
    settlement_.question = law_.questions[question_].name;
    items_ = items_of(answer);
    for (std::size_t size = 1; size <= std::min(most_at_once, items_.size()) && settlement_.sets.empty(); ++size) choose(size, 0);
    std::stable_sort(settlement_.sets.begin(), settlement_.sets.end(),
                     [](const law::Settling& a, const law::Settling& b) { return a.always > b.always; });
    settlement_.given_up = settlement_.sets.empty() && (settlement_.tried >= most_tries || items_.size() > most_at_once);
    return std::move(settlement_);
  }

 private:
  /// The judgment that an engine has of this case, consulted or not; null where it is not available.
  [[nodiscard]] std::shared_ptr<Judgments> word_of(std::size_t engine) const {
    using State = condition::Voice::State;
    const condition::Voice voice = subject_.inputs.voice(subject_.row, engine);
    if (voice.state == State::unavailable || voice.state == State::inactive) return nullptr;
    const JudgmentStatus status = voice.state == State::judged      ? JudgmentStatus::judged
                                  : voice.state == State::abstained ? JudgmentStatus::abstained
                                                                    : JudgmentStatus::invalid;
    std::shared_ptr<Judgments> word = law::make_judgment(law_.engines[engine], status);
    word->typicality = {voice.typicality};
    if (voice.state != State::judged) return word;
    if (law_.engines[engine].classes.empty()) {
      word->value = {voice.value};
      return word;
    }
    word->label = {voice.label};
    word->confidence = {voice.confidence};
    word->probability.assign(voice.probability.begin(), voice.probability.end());
    return word;
  }

  /// What the answer waits for, and what its rules and laws wait for behind it.
  [[nodiscard]] condition::CauseSet causes_of(const law::Answer& answer) const {
    condition::CauseSet causes = answer.causes;
    for (std::size_t i = 0; i < law_.rules.size(); ++i) {
      if (law_.findings[law_.rules[i].finding].question != answer.question) continue;
      causes.add(subject_.result.panels[law_.root].rules[i].when.causes);
      causes.add(subject_.result.panels[law_.root].rules[i].stand.causes);
    }
    for (std::size_t i = 0; i < law_.laws.size(); ++i)
      if (law::concerns(law_, law_.laws[i], answer.question)) causes.add(subject_.result.laws[i].causes);
    return causes;
  }

  [[nodiscard]] std::vector<Item> items_of(const law::Answer& answer) const {
    std::vector<Item> items;
    for (const std::uint32_t number : causes_of(answer).list()) {
      const condition::Cause& cause = law_.causes().at(number);
      const auto column = std::find(law_.columns.begin(), law_.columns.end(), cause.name) - law_.columns.begin();
      const auto engine =
          std::find_if(law_.engines.begin(), law_.engines.end(), [&](const auto& e) { return e.name == cause.name; }) -
          law_.engines.begin();
      Item item;
      item.name = cause.name;
      const bool is_column = static_cast<std::size_t>(column) < law_.columns.size();
      const bool is_engine = static_cast<std::size_t>(engine) < law_.engines.size();
      if (is_column && (cause.kind == CauseKind::missing || cause.kind == CauseKind::contradictory ||
                        (cause.kind == CauseKind::invalid && !is_engine))) {
        item.column = static_cast<std::size_t>(column);
        item.values = candidates_.of_column(item.column);
      } else if (is_engine && cause.kind != CauseKind::disagree && cause.kind != CauseKind::missing) {
        item.engine = static_cast<std::size_t>(engine);
        const auto& own = words_[item.engine];
        const bool has_word = cause.kind == CauseKind::inactive && own != nullptr;
        item.judgments = has_word ? std::vector<std::shared_ptr<Judgments>>{own} : candidates_.of_engine(item.engine);
      }
      if (items.size() < most_items && item.size() > 0) items.push_back(std::move(item));
    }
    return items;
  }

  void choose(std::size_t size, std::size_t from) {
    if (chosen_.size() == size) return try_chosen();
    for (std::size_t i = from; i < items_.size(); ++i) {
      chosen_.push_back(i);
      choose(size, i + 1);
      chosen_.pop_back();
    }
  }

  /// Every combination of the values of the chosen items.
  void try_chosen() {
    std::vector<std::size_t> at(chosen_.size(), 0);
    law::Settling settling;
    settling.always = true;
    for (const std::size_t item : chosen_) settling.what.push_back(items_[item].name);
    for (bool more = true; more;) {
      if (++settlement_.tried > most_tries) return;
      const std::string finding = decide(at);
      if (!finding.empty() && settling.finding.empty()) {
        settling.values = text_of(at);
        settling.finding = finding;
      }
      settling.always = settling.always && !finding.empty();
      more = false;
      for (std::size_t i = 0; i < at.size() && !more; ++i) {
        more = ++at[i] < items_[chosen_[i]].size();
        if (!more) at[i] = 0;
      }
    }
    if (!settling.finding.empty()) settlement_.sets.push_back(std::move(settling));
  }

  /// The finding that is decided with these values; empty where none is.
  std::string decide(const std::vector<std::size_t>& at) {
    Table table = case_.table;
    auto words = words_;
    law::RouteEntry home;
    std::vector<bool> consulted = subject_.result.active;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const Item& item = items_[chosen_[i]];
      if (item.column != law::no_number) law::set_cell(table.columns[item.column], item.values[at[i]]);
      if (item.engine == law::no_number) continue;
      words[item.engine] = item.judgments[at[i]];
      consulted[item.engine] = true;
    }
    std::vector<law::EngineJudgments> engines;
    for (std::size_t i = 0; i < law_.engines.size(); ++i) {
      if (consulted[i]) home.engines.push_back(i);
      engines.push_back({law_.engines[i].name, words[i].get(), {}, {}});
    }
    law_.home = {home};
    const law::Inputs inputs(law_, table, engines);
    const law::CaseResult result = law::evaluate_case(law_, inputs, 0);
    const law::Answer& answer = result.answers(law_)[question_];
    return answer.status == law::Status::decide
               ? law_.findings[answer.finding].name.substr(law_.questions[question_].name.size() + 1)
               : "";
  }

  /// "{FTI: 40, on_thyroxine: false}".
  [[nodiscard]] std::string text_of(const std::vector<std::size_t>& at) const {
    std::vector<std::string> entries;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const Item& item = items_[chosen_[i]];
      law::GivenCase given = law::empty_case(law_);
      for (std::size_t k = 0; k < law_.columns.size(); ++k)  // false is left out
        if (law_.column_schemas[k].type == ColumnType::boolean && !law_.is_evidence(k)) law::set_cell(given.table.columns[k], 0);
      if (item.column != law::no_number) law::set_cell(given.table.columns[item.column], item.values[at[i]]);
      if (item.engine != law::no_number) given.judgments[item.engine] = std::make_unique<Judgments>(*item.judgments[at[i]]);
      const std::string text = law::to_short_yaml(law_, given);
      entries.push_back(text == "{}" ? item.name + ": false" : text.substr(1, text.size() - 2));
    }
    return "{" + join(entries, ", ") + "}";
  }

  const law::Subject& subject_;
  law::Law::Model law_;  ///< whose home is what is consulted
  Candidates candidates_;
  law::GivenCase case_;
  std::vector<std::shared_ptr<Judgments>> words_;
  std::vector<Item> items_;
  std::vector<std::size_t> chosen_;
  std::size_t question_ = 0;
  law::Settlement settlement_;
};

}  // namespace

std::vector<law::Settlement> settle(const law::Subject& subject) {
  std::vector<law::Settlement> settlements;
  Settler settler(subject);
  for (const law::Answer& answer : subject.result.answers(subject.law))
    if (answer.status != law::Status::decide)
      if (law::Settlement settlement = settler.settle(answer); settlement.tried > 0) settlements.push_back(std::move(settlement));
  return settlements;
}

std::string settle_text(const std::vector<law::Settlement>& settlements) {
  std::string text;
  for (const law::Settlement& settlement : settlements) {
    text += fmt::format("\nWHAT COULD SETTLE {}\n", settlement.question);
    if (settlement.sets.empty())
      text += settlement.given_up
                  ? "  not found: no set of up to three missing values and engines was seen to, and not all were tried\n"
                  : "  nothing that is missing: whatever was tried, the question stays undecided\n";
    constexpr std::size_t most_shown = 5;
    for (std::size_t i = 0; i < std::min(most_shown, settlement.sets.size()); ++i) {
      const law::Settling& settling = settlement.sets[i];
      text += fmt::format("  {}{}: {} decides {}\n", join(settling.what, " and "), settling.always ? ", whatever it says" : "",
                          settling.values, settling.finding);
    }
    if (settlement.sets.size() > most_shown)
      text += fmt::format("  and {} other sets of that size\n", settlement.sets.size() - most_shown);
  }
  return text;
}

}  // namespace hiple::audit
