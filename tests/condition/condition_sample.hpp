#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "condition/condition.hpp"

namespace hiple::condition {

/// A scope with columns, engines and panels, and a view of one case whose values a test sets.
struct Sample : View {
  Vocabulary vocabulary;
  Scope scope;
  std::vector<Field> fields;
  std::vector<Voice> voices;
  std::vector<PanelFinding> answers;
  bool is_careful = false;

  Sample() {
    scope.vocabulary = &vocabulary;
    scope.as_of = 20000;  // 2024-10-04
    add("TSH", Kind::real, "mU/L");
    add("FTI", Kind::real);
    add("n", Kind::integer);
    add("m", Kind::integer, "min");
    add("t", Kind::real, "degC");
    add("k", Kind::real, "K");
    add("torque", Kind::real, "N.m");
    add("speed", Kind::real, "rpm");
    add("sex", Kind::text, "", {"F", "M"});
    add("other", Kind::text, "", {"M", "F", "X"});
    add("sick", Kind::boolean);
    add("well", Kind::boolean);
    add("born", Kind::date);
    add("seen", Kind::date);
    add("air temperature", Kind::real, "K");
    scope.unreadable["label"] = "its role is label";
    scope.unreadable["evidence.label"] = "its role is label";
    add_evidence("TSH", Kind::real, "mU/L");
    add_evidence("sick", Kind::boolean);
    add_evidence("born", Kind::date);
    add_evidence("state", Kind::text, "", {"none", "ill"});
    add_engine("hypo", {"none", "F", "G"});
    add_engine("hyper", {"none", "F", "G"});
    add_engine("nti", {"none", "K"});
    add_engine("wear", {});
    scope.panels["both"] = {"hyper", "hypo"};
    scope.panels["all"] = {"hyper", "hypo", "nti"};
    scope.panels["none"] = {};
    scope.findings["both.state"] = {0, {"none", "ill"}};
    answers.resize(1);
  }

  void add(const std::string& name, Kind kind, const std::string& unit = {}, const std::vector<std::string>& values = {}) {
    scope.columns[name] = {fields.size(), kind, unit, values};
    fields.push_back({});
  }
  void add_evidence(const std::string& name, Kind kind, const std::string& unit = {},
                    const std::vector<std::string>& values = {}) {
    scope.evidence[name] = {fields.size(), kind, unit, values};
    fields.push_back({});
  }
  void add_engine(const std::string& name, const std::vector<std::string>& classes) {
    scope.engines[name] = {voices.size(), classes, {}};
    voices.push_back({});
  }

  Sample& set(const std::string& name, double value) {
    fields[scope.columns.at(name).index] = {Field::State::known, value};
    return *this;
  }
  Sample& set_evidence(const std::string& name, double value) {
    fields[scope.evidence.at(name).index] = {Field::State::known, value};
    return *this;
  }
  Sample& contradict(const std::string& name) {
    fields[scope.evidence.at(name).index] = {Field::State::invalid, 0};
    return *this;
  }
  Sample& set_invalid(const std::string& name) {
    fields[scope.columns.at(name).index] = {Field::State::invalid, 0};
    return *this;
  }
  Sample& say(const std::string& engine, std::uint16_t label, float confidence, float typicality = 0.5F) {
    Voice& voice = voices[scope.engines.at(engine).index];
    voice = {Voice::State::judged, label, confidence, typicality, 0, {}};
    return *this;
  }
  Sample& be(const std::string& engine, Voice::State state) {
    voices[scope.engines.at(engine).index].state = state;
    return *this;
  }

  [[nodiscard]] Field column(std::size_t index) const override { return fields.at(index); }
  [[nodiscard]] Voice engine(std::size_t index) const override { return voices.at(index); }
  [[nodiscard]] PanelFinding finding(std::size_t index) const override { return answers.at(index); }
  [[nodiscard]] bool careful() const override { return is_careful; }

  [[nodiscard]] Condition read(const std::string& text) const { return {text, scope, Place{"law.yaml", 3, 10}}; }

  /// "TRUE", "FALSE", or "UNKNOWN" with its causes.
  [[nodiscard]] std::string truth(const std::string& text) const {
    CauseSet causes;
    const Truth value = read(text).evaluate(*this, causes);
    std::string result(name_of(value));
    for (const std::string& cause : vocabulary.causes.texts(causes)) result += " " + cause;
    return result;
  }

  /// The message of the error, or "accepted".
  [[nodiscard]] std::string problem(const std::string& text) const {
    try {
      (void)read(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
};

}  // namespace hiple::condition
