#pragma once

#include "law/explain_page.hpp"
#include "law/explain_subject.hpp"

namespace hiple::law {

/// What became of a rule, read by the root panel.
enum class Fate {
  not_in_force,
  silent,     ///< its condition is FALSE
  blocked,    ///< its condition is UNKNOWN
  defeated,   ///< its condition is TRUE, and a rule that overrides it stands
  contested,  ///< its condition is TRUE, and it is not known whether a rule that overrides it stands
  stands,
};
Fate fate_of(const Subject& subject, std::size_t rule);

/// The rules that override `rule` and stand with this truth: "H-4, H-5".
std::string overriders(const Subject& subject, std::size_t rule, condition::Truth stand);

/// "F-1 version 3".
std::string rule_name(const Rule& rule);

/// "is defeated by H-4": goes on from the rule's name.
std::string fate_text(const Subject& subject, std::size_t rule);

/// What stands in a rule's `evidence`.
struct EvidenceLine {
  std::string source, note;
  bool supports = true;
  std::string cases, held;  ///< as written; empty where they are not given

  /// "evidence for it: Quinlan 1986, 31 of 32 cases: adults".
  [[nodiscard]] std::string text() const;
};
std::vector<EvidenceLine> evidence_of(const Rule& rule);

/// Every rule of a question: those that say something with their premises, the silent ones in a line each.
void explain_rules(Page& page, const Subject& subject, std::size_t question);

/// What keeps a rule from carrying the decision, or a law from applying. Throws InputError, with the nearest id: there is
/// neither.
void explain_why_not(Page& page, const Subject& subject, const std::string& id);

}  // namespace hiple::law
