#pragma once

#include <string>

#include "law/decision.hpp"

namespace hiple::law {

/// Decisions that show every status and reason, over two questions, three rules and two engines. tests/program/decisions_file
/// makes the same ones in Python.
inline Decisions sample_decisions(std::size_t cases) {
  Decisions d;
  d.questions = {"binding", "state"};
  d.findings = {{"decreased", "none"}, {"hyper", "hypo", "none"}};
  d.rules = {{"A-1", 1, std::string(64, 'a')}, {"F-1", 3, std::string(64, 'b')}, {"state.default", 1, std::string(64, 'c')}};
  d.engines = {{"hypo", true, "", std::string(64, 'd')}, {"nti", false, "out of memory: \xc3\xbc", ""}};
  d.law_text = "law: 1\nname: sample\n";
  d.inputs_sha256 = std::string(64, 'e');
  for (std::size_t row = 0; row < cases; ++row) {
    d.case_id.push_back(10 * row + row % 3);
    for (std::size_t question = 0; question < 2; ++question) {
      const std::size_t kind = (row + question) % 7;
      Decision decision;
      decision.reason = static_cast<Reason>(kind);
      decision.status = kind == 0 ? Status::decide : row % 2 == 0 ? Status::abstain : Status::escalate;
      decision.finding = kind == 0 ? static_cast<std::uint16_t>(row % 2) : no_index;
      decision.rule = kind == 6 ? no_rule_index : static_cast<std::uint32_t>(row % 3);
      decision.flags = static_cast<std::uint8_t>(row % 64 & ~std::size_t{flag::gate_closed});
      d.decisions.push_back(decision);
    }
    d.rounds.push_back(static_cast<std::uint8_t>(row % 4));
    d.consulted.push_back(row % 4);
  }
  return d;
}

/// The same with the first question alone.
inline Decisions one_question(std::size_t cases) {
  Decisions d = sample_decisions(cases);
  d.questions.resize(1);
  d.findings.resize(1);
  UnsetVector<Decision> kept;
  for (std::size_t row = 0; row < cases; ++row) kept.push_back(d.decisions[2 * row]);
  d.decisions = kept;
  return d;
}

/// The same content with questions, findings, rules and engines in another order.
inline Decisions reordered(const Decisions& source) {
  Decisions d = source;
  const auto flip = [](std::uint16_t index, std::size_t size) {
    return index == no_index ? index : static_cast<std::uint16_t>(size - 1 - index);
  };
  d.questions = {source.questions.rbegin(), source.questions.rend()};
  d.findings.clear();
  for (auto names = source.findings.rbegin(); names != source.findings.rend(); ++names) {
    d.findings.push_back({names->rbegin(), names->rend()});
  }
  d.rules = {source.rules.rbegin(), source.rules.rend()};
  d.engines = {source.engines.rbegin(), source.engines.rend()};
  for (std::size_t row = 0; row < d.cases(); ++row) {
    for (std::size_t question = 0; question < 2; ++question) {
      Decision decision = source.at(row, 1 - question);
      decision.finding = flip(decision.finding, d.findings[question].size());
      if (decision.rule != no_rule_index) decision.rule = static_cast<std::uint32_t>(d.rules.size()) - 1 - decision.rule;
      d.decisions[2 * row + question] = decision;
    }
    d.consulted[row] = (source.consulted[row] & 1) << 1 | source.consulted[row] >> 1;
  }
  return d;
}

}  // namespace hiple::law
