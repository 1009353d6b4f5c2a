#pragma once

#include <string>
#include <vector>

#include "law/given_case.hpp"
#include "law/model.hpp"

/// The examples beside rules and laws: run, measured, and held against small changes of the text that they ought to notice.
namespace hiple::audit {

enum class Expected { fires, silent, unknown, defeated };
const char* name_of(Expected expected);

/// A rule or a law, for what they have in common. Points into the model.
struct Tested {
  std::string id;
  const condition::Condition* when = nullptr;
  const yaml::Node* tests = nullptr;
  std::size_t rule = law::no_number;  ///< index into Model::rules; of a law: none
  Place place;
};

/// Every rule but defaults and those that are retired, then every law, each by id.
std::vector<Tested> tested_of(const law::Law::Model& law);

struct Example {
  std::size_t tested = 0;  ///< index into what tested_of() gave
  Expected expected = Expected::fires;
  law::GivenCase given;
  Place place;
};

/// The examples of all of them, in their order.
std::vector<Example> examples_of(const law::Law::Model& law, const std::vector<Tested>& tested);

struct Failure {
  std::string id;
  Place place;
  Expected expected = Expected::fires;
  std::string found;  ///< "is UNKNOWN: missing:TSH", "fires, but nothing defeats it"
};

/// What the examples of a whole law have shown of one rule or law.
struct Shown {
  std::string id;
  std::size_t examples = 0;
  bool fired = false, silent = false, unknown = false, defeated = false;
  bool can_be_unknown = false;          ///< whether its condition can be at all: it reads something else than known(x)
  bool can_be_defeated = false;         ///< whether a rule overrides it
  std::vector<std::string> idle_atoms;  ///< those whose truth never mattered in its own examples
  std::size_t atoms = 0;
};

struct MutantResult {
  std::string id, change;
  bool killed = false;
  std::string suggestion;  ///< of one that lives: an example that would notice it, "silent: {TSH: 6}"; or empty
};

struct LawTests {
  std::size_t examples = 0;
  std::vector<Failure> failures;
  std::vector<Shown> shown;
  std::vector<MutantResult> mutants;

  [[nodiscard]] std::size_t killed() const;
  /// Share of mutants that an example notices; 1 where there are none.
  [[nodiscard]] double score() const;
};

/// Runs everything. Mutants are made only where all examples pass. `suggest`: look for an example against each that lives.
LawTests run_law_tests(const law::Law& law, bool suggest = false);

}  // namespace hiple::audit
