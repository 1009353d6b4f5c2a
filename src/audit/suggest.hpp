#pragma once

#include <string>

#include "audit/full_reading.hpp"
#include "audit/witness.hpp"

namespace hiple::audit {

/// Finds examples that tell a law from a mutant of it. Law and scopes must outlive it.
class Suggester {
 public:
  Suggester(const law::Law::Model& law, const law::Scopes& scopes) : law_(law), scopes_(scopes), variables_(law) {}

  /// "silent: {TSH: 6}": an example of the condition that fails for the mutant; empty where none is found.
  [[nodiscard]] std::string against(const condition::Node& original, const condition::Node& mutant) const;

  /// "HYPO-1, defeated: {..}": an example in which only `by` defeats `rule`.
  [[nodiscard]] std::string defeated(std::size_t rule, std::size_t by) const;

  /// Whether a condition can be UNKNOWN; true where that was not found out.
  [[nodiscard]] bool can_be_unknown(const condition::Node& node) const;

 private:
  /// The case with what it need not say left out: booleans are false rather than missing.
  [[nodiscard]] law::GivenCase short_case(const std::vector<Domain>& domains) const;

  const law::Law::Model& law_;
  const law::Scopes& scopes_;
  Variables variables_;
};

}  // namespace hiple::audit
