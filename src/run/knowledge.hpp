#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "run/prepare.hpp"
#include "run/run_directory.hpp"

/// What a run holds for true: judgments that its law accepted, each with all that it rests on.
namespace hiple {

/// One decided answer.
struct Knowledge {
  std::uint64_t case_id = 0;
  std::string question, finding;
  bool firm = false, critical = false;
  std::vector<std::string> rules;     ///< that carry it, "F-1@3", ascending
  std::vector<std::string> engines;   ///< whose word these rules read, ascending; of a default all that were asked
  std::vector<std::string> evidence;  ///< records about the case that these rules read, or that say the finding
  std::uint64_t since = 0;            ///< the revision with which it has come to be held on these grounds
};

struct KnowledgeQuery {
  std::optional<std::uint64_t> case_id;
  std::string finding, rule, engine;  ///< "state.hypo", an id, a name; empty: any
  std::size_t most = 20;
};

struct KnowledgeList {
  std::uint64_t revision = 0, cases = 0, answers = 0;
  std::uint64_t held = 0, firm = 0;                         ///< answers that are decided, and those that nothing can change
  std::map<std::string, std::uint64_t> by_finding;          ///< of those that match
  std::map<std::string, std::uint64_t> by_rule, by_engine;  ///< how many rest on each
  std::uint64_t matching = 0;
  std::vector<Knowledge> shown;                              ///< the first of them, by case
  std::vector<std::pair<std::string, std::string>> unknown;  ///< of a single case: questions that are not decided, and why
};

/// Throws InputError: the run has no decisions, or files that are not those that they were made from; no such finding, rule,
/// engine or case.
KnowledgeList list_knowledge(const PreparedRun& run, const RunDirectory& directory, const KnowledgeQuery& query);

enum class KnowledgeChange { withdrawn, replaced, derived_again, gained };
const char* name_of(KnowledgeChange change);

struct ChangedKnowledge {
  KnowledgeChange change = KnowledgeChange::withdrawn;
  std::uint64_t case_id = 0;
  std::string question, before, after;  ///< "hypo by F-1@2", "ABSTAIN (no_rule)"
  bool critical = false;
};

/// What became of what was known at an earlier revision.
struct KnowledgeSince {
  std::uint64_t from = 0, to = 0;
  std::vector<std::string> revisions;  ///< what was accepted in between
  std::uint64_t kept = 0;              ///< decided then and now, on the same grounds
  std::map<KnowledgeChange, std::uint64_t> counts;
  std::vector<ChangedKnowledge> changes;  ///< critical ones first
};

/// Throws InputError: that revision does not lead to the one in force.
KnowledgeSince knowledge_since(const RunDirectory& directory, std::uint64_t revision);

std::string to_text(const KnowledgeList& list);
std::string to_json(const KnowledgeList& list);
std::string to_text(const KnowledgeSince& since, std::size_t most);
std::string to_json(const KnowledgeSince& since);

}  // namespace hiple
