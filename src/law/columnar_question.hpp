#pragma once

#include <map>
#include <vector>

#include "law/columnar_compiler.hpp"

namespace hiple::law::columnar {

/// One question while it is answered: where each of the steps a to g is the first that matches.
struct Compiler::Question {
  const law::Question& question;
  std::size_t number;
  const Panel& panel;
  std::vector<std::size_t> rules;  // of the question, in scope, ascending
  std::vector<Plane> sole;         // of each finding: it is the sole candidate
  Plane some = nowhere;            // a finding holds
  std::vector<Fear> fears;
  std::map<std::size_t, Plane> feared;  // of critical findings
  Plane two = nowhere;                  // findings hold
  Plane called = nowhere, critical = nowhere, conflict = nowhere, barred = nowhere, contradicted = nowhere, decided = nowhere,
        open = nowhere;
  Plane settled = nowhere;    // the sole candidate would be firm
  Plane contested = nowhere;  // some rule is true and waits for its defeater
  Plane blocked = nowhere;    // some rule waits
  Plane firm = nowhere;

  [[nodiscard]] Plane sole_of(std::size_t finding) const { return sole[finding - question.first_finding]; }
};

}  // namespace hiple::law::columnar
