#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "law/columnar_conditions.hpp"
#include "law/resolver.hpp"

namespace hiple::law::columnar {

/// One question of the root, as planes.
struct QuestionPlanes {
  /// From bit 0: abstain, three bits of the reason (none: it is decided; neither: it is escalated), firm, critical.
  static constexpr std::size_t code_bits = 6;
  std::array<Plane, code_bits> code{};
  /// Which of `records` is the first that is cited: its place in binary, from the lowest bit.
  std::vector<Plane> first;
  std::vector<std::uint32_t> records;  ///< that may be cited, ascending; then no_rule_index
};

struct LinkPlane {
  std::size_t from = 0, to = 0;
  Plane fires = nowhere;  ///< while `from` is consulted
};

/// A whole law as a circuit, and the planes that decisions are read off.
struct Compiled {
  Circuit circuit;
  bool may_be_inactive = false;  ///< the law has a route; without one every engine is consulted from the start
  std::vector<Plane> home;       ///< of each entry of the route
  std::vector<LinkPlane> links;
  std::vector<Plane> waiting;  ///< of each engine: some question of the root is undecided and waits for it
  std::vector<QuestionPlanes> questions;
};

Compiled compile(const Law::Model& law);

/// Resolves panel after panel, as Resolver does for one case. The steps are those of resolver_answer.cpp.
class Compiler {
 public:
  Compiler(const Law::Model& law, Compiled& compiled);
  void run();

 private:
  struct RuleReadings {
    Proposition when, when_careful;
  };
  struct Panel {  // being resolved
    std::size_t number = 0;
    std::vector<bool> in_scope;                     // one a rule
    std::vector<Proposition> stand, stand_careful;  // one a rule
    std::vector<Proposition> holds, holds_careful;  // one a finding
  };
  struct Fear {
    std::size_t rule;
    Proposition reading;
    Plane open;  // not FALSE
  };
  struct Citation {
    std::uint32_t record;
    Plane plane;
  };
  struct First {  // of several citations
    Plane some;   // any of them
    std::vector<Plane> bits;
  };
  struct Question;  // being answered

  RuleReadings read_rule(const Rule& rule);
  Proposition read_when(const Rule& rule, bool careful);
  void resolve(std::size_t panel);
  Proposition beaten(const Rule& rule, const Panel& panel, bool careful) const;
  Proposition conjoin_not(const Proposition& a, const Proposition& b) const;
  Proposition stand(const Rule& rule, const Panel& panel, bool careful) const;

  // columnar_answer.cpp
  void answer(const Panel& panel, std::size_t question, std::size_t slot);
  void find_candidates(Question& at) const;
  void find_feared(Question& at) const;
  void split(Question& at) const;
  void find_firm(Question& at) const;
  [[nodiscard]] Plane alive(const Question& at) const;
  [[nodiscard]] Plane contradicted(const Question& at) const;
  [[nodiscard]] Plane barred(const Question& at, const LawEntry& entry, const Proposition& reading) const;
  [[nodiscard]] Causes causes(const Question& at) const;
  [[nodiscard]] Causes firm_causes(const Question& at) const;
  [[nodiscard]] QuestionPlanes planes(const Question& at) const;
  void note_waiting(const Question& at);

  // columnar_citation.cpp
  void cite(const Question& at, QuestionPlanes& planes) const;
  [[nodiscard]] std::map<std::size_t, Plane> findings_cited(const Question& at) const;
  [[nodiscard]] First first_of(std::span<const Citation> cited) const;

  const Law::Model& law_;
  Compiled& compiled_;
  Circuit& circuit_ = compiled_.circuit;
  const Scopes scopes_;
  Logic logic_;
  Conditions conditions_;
  std::vector<std::optional<RuleReadings>> rules_;
  std::vector<Proposition> laws_, laws_careful_, suspects_;
  std::vector<Conditions::Heeded> heeded_;  // of each question; none where the law heeds no evidence
};

}  // namespace hiple::law::columnar
