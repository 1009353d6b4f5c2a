// Says how conditions read cases, in JSON, for test_condition_differential.py. Each line of standard input is one condition:
//   {"text": condition, "columns": [{name, type, unit, values}], "engines": [{name, classes, group}],
//    "cases": [{"columns": [null | "invalid" | number], "judgments": [{status, label, probability, typicality}]}]}
// with columns and engines by position. Each line of standard output answers one: {"error": text}, or
// {"canonical": text, "cases": [{"plain": truth, "careful": truth, "causes": [...]}]}.
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "condition/condition.hpp"

namespace {

using nlohmann::json;
using namespace hiple::condition;

Scope read_scope(const json& request, Vocabulary& vocabulary) {
  const std::map<std::string, Kind> kinds = {
      {"real", Kind::real}, {"int", Kind::integer}, {"text", Kind::text}, {"bool", Kind::boolean}};
  Scope scope;
  scope.vocabulary = &vocabulary;
  for (const json& column : request.at("columns")) {
    const std::string name = column.at("name");
    const bool evidence = is_evidence_name(name);
    (evidence ? scope.evidence : scope.columns)[evidence ? evidence_about(name) : name] = {
        .index = scope.columns.size() + scope.evidence.size(),
        .kind = kinds.at(column.at("type")),
        .unit = column.value("unit", ""),
        .values = column.value("values", std::vector<std::string>{})};
  }
  for (const json& engine : request.at("engines")) {
    scope.engines[engine.at("name")] = {
        .index = scope.engines.size(), .classes = engine.at("classes"), .group = engine.value("group", "")};
  }
  for (const auto& [name, engine] : scope.engines) scope.panels["root"].push_back(name);
  return scope;
}

class CaseView : public View {
 public:
  CaseView(const json& entry, bool careful) : careful_(careful) {
    for (const json& cell : entry.at("columns")) {
      Field& field = fields_.emplace_back();
      if (cell.is_null()) continue;
      field.state = cell.is_string() ? Field::State::invalid : Field::State::known;
      if (cell.is_number()) field.number = cell;
    }
    for (const json& word : entry.at("judgments")) add_voice(word);
  }
  [[nodiscard]] Field column(std::size_t index) const override { return fields_.at(index); }
  [[nodiscard]] Voice engine(std::size_t index) const override {
    Voice voice = voices_.at(index);
    voice.probability = probabilities_.at(index);
    return voice;
  }
  [[nodiscard]] bool careful() const override { return careful_; }

 private:
  void add_voice(const json& word) {
    const std::map<std::string, Voice::State> states = {{"judged", Voice::State::judged},
                                                        {"abstained", Voice::State::abstained},
                                                        {"invalid", Voice::State::invalid},
                                                        {"absent", Voice::State::unavailable},
                                                        {"inactive", Voice::State::inactive}};
    Voice& voice = voices_.emplace_back();
    voice.state = states.at(word.at("status"));
    probabilities_.emplace_back();
    if (voice.state == Voice::State::unavailable || voice.state == Voice::State::inactive) return;
    voice.label = word.at("label");
    voice.confidence = word.at("probability").at(voice.label);
    voice.typicality = word.at("typicality");
    probabilities_.back() = word.at("probability").get<std::vector<float>>();
  }

  std::vector<Field> fields_;
  std::vector<Voice> voices_;
  std::vector<std::vector<float>> probabilities_;
  bool careful_;
};

json case_of(const Condition& condition, const Vocabulary& vocabulary, const json& entry) {
  CauseSet causes, ignored;
  const Truth plain = condition.evaluate(CaseView(entry, false), causes);
  const Truth careful = condition.evaluate(CaseView(entry, true), ignored);
  return {{"plain", name_of(plain)}, {"careful", name_of(careful)}, {"causes", vocabulary.causes.texts(causes)}};
}

json answer(const json& request) {
  Vocabulary vocabulary;
  const Scope scope = read_scope(request, vocabulary);
  try {
    const Condition condition(request.at("text").get<std::string>(), scope, hiple::Place{});
    const Condition again(condition.canonical(), scope, hiple::Place{});
    if (again.canonical() != condition.canonical()) throw std::logic_error("not canonical: " + condition.canonical());
    json cases = json::array();
    for (const json& entry : request.at("cases")) {
      cases.push_back(case_of(condition, vocabulary, entry));
      if (cases.back() != case_of(again, vocabulary, entry)) throw std::logic_error("another meaning: " + condition.canonical());
    }
    return {{"canonical", condition.canonical()}, {"cases", cases}};
  } catch (const hiple::InputError& error) {
    return {{"error", error.what()}};
  }
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) std::cout << answer(json::parse(line)).dump() << '\n';
}
