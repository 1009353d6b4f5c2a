#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "condition/condition.hpp"
#include "config/yaml.hpp"
#include "law/law.hpp"
#include "table/schema.hpp"

/// A law as data, every name resolved to a number. Lists are in ascending order of their name or id, whatever the order of the
/// file, so that the same law gives the same numbers.
namespace hiple::law {

inline constexpr std::size_t no_number = static_cast<std::size_t>(-1);

/// A text for people with values in it: "TSH {TSH}, says {hypo.label}". Each part is a text or, where `value` is set, a value.
struct TemplatePart {
  std::string text;  ///< the literal text, or the canonical text of the value
  std::optional<condition::Node> value;
};

struct Question {
  std::string name;
  std::vector<std::string> findings;    ///< ascending
  std::optional<std::size_t> fallback;  ///< `default`: index into `findings`
  std::size_t first_finding = 0;        ///< findings of all questions are numbered in a row: this one's first
};

/// One finding of one question.
struct Finding {
  std::size_t question = 0;
  std::string name;                       ///< "question.finding"
  std::vector<std::size_t> incompatible;  ///< findings of other questions that may not hold beside it, ascending
  std::size_t critical = no_number;       ///< index into Model::critical
};

struct Critical {
  std::size_t finding = 0;
  std::vector<std::size_t> covered_by;  ///< findings, itself included, ascending
  std::string to;                       ///< whom an escalation goes to
  condition::Condition suspect;         ///< under which an unknown may not be passed over
};

struct Panel {
  std::string name;
  std::vector<std::size_t> panels;   ///< direct members, ascending
  std::vector<std::size_t> engines;  ///< direct members, ascending
  std::vector<std::size_t> answers;  ///< questions, ascending; the root answers all
  std::vector<std::size_t> subtree;  ///< panels below and itself, leaves first
  std::size_t first_slot = 0;        ///< its answers are numbered in a row over all panels: the first
};

enum class RuleStatus : std::uint8_t { proposed, verified, accepted, suspended, retired };

struct Rule {
  std::string id;
  std::string title;
  std::int64_t version = 1;
  RuleStatus status = RuleStatus::accepted;
  bool fallback = false;          ///< the rule `true` that stands for a question's default
  bool in_force = true;           ///< accepted or suspended, and valid on the day
  std::size_t panel = no_number;  ///< of a default: none, it belongs to every panel
  std::size_t finding = 0;
  condition::Condition when;
  std::optional<condition::Condition> suspended;  ///< where it is; nothing: nowhere
  std::uint32_t suspended_cause = 0;
  std::optional<double> precision;     ///< that evidence must show of it, as written
  std::vector<std::size_t> beaten_by;  ///< rules in force that override it, ascending
  std::vector<std::string> overrides;  ///< ids, as written, ascending
  std::string valid_from, valid_to;    ///< first and last day, or empty
  std::string because_text;
  std::vector<TemplatePart> because;
  yaml::Node evidence, tests;      ///< for people and for `hiple law test`; no decision depends on them
  std::size_t record = no_number;  ///< index into Model::records, if in force
  Place place;
};

enum class LawKind : std::uint8_t { forbid, require, escalate };

struct LawEntry {
  std::string id;
  std::string title;
  std::int64_t version = 1;
  LawKind kind = LawKind::escalate;
  std::size_t target = 0;  ///< a finding; of an escalate law a question
  condition::Condition when;
  std::optional<std::string> to;  ///< as written; an escalate law without one goes to "person"
  std::string because_text;
  std::vector<TemplatePart> because;
  yaml::Node tests;  ///< as of a rule
  std::size_t record = no_number;
  Place place;
};

struct Link {
  std::string id;
  std::size_t from = 0, to = 0;  ///< engines
  bool eager = false;            ///< fires on UNKNOWN too
  condition::Condition when;
  std::string title, because_text;
  std::vector<TemplatePart> because;
};

/// Decisions count rounds in a byte.
inline constexpr std::size_t most_rounds = 255;

enum class Ring : std::uint8_t { needed, panel, all };

/// One line of the route: the first whose condition is TRUE gives the home engines.
struct RouteEntry {
  std::optional<condition::Condition> when;  ///< nothing: otherwise
  std::vector<std::size_t> engines;
};

/// Evidence about a case's finding.
struct QuestionEvidence {
  std::size_t column = 0;   ///< of the law's columns: a finding of the question
  std::uint32_t cause = 0;  ///< + 0 missing, + 1 contradictory
};

struct Law::Model {
  std::string name;
  std::vector<Question> questions;
  std::vector<Finding> findings;
  /// What View::column is asked for: the schema's input columns, ascending by name, and then evidence that a condition may read,
  /// under its name "evidence.NAME".
  std::vector<std::string> columns;
  std::vector<ColumnSchema> column_schemas;  ///< of each
  std::size_t first_evidence = 0;            ///< in `columns`
  std::vector<bool> column_is_read;          ///< by any condition
  std::vector<EngineDescription> engines;    ///< ascending
  std::vector<std::string> groups;           ///< of each engine: its independence group by its first member; or its own name
  std::vector<bool> needs_probability;       ///< of each engine: a condition reads .probability
  std::vector<Panel> panels;
  std::size_t root = 0;
  std::vector<std::pair<std::size_t, std::size_t>>
      slots;  ///< (panel, question) of each panel answer: what View::finding is asked for
  std::vector<Critical> critical;
  std::vector<LawEntry> laws;
  std::vector<Rule> rules;              ///< all, in force or not, and the defaults ("QUESTION.default")
  std::vector<std::size_t> rule_order;  ///< rules in force, overriders before what they override
  std::vector<Link> links;
  std::vector<RouteEntry> home;  ///< empty: all engines are home
  std::vector<Ring> broaden = {Ring::needed};
  std::size_t max_rounds = most_rounds;
  std::vector<RuleRecord> records;  ///< rules in force, defaults and laws, by id: Decisions::rules
  std::int32_t as_of = 0;
  std::optional<double> precision;       ///< of every rule and law that says nothing else, as written
  std::string evidence;                  ///< head of the evidence that it heeds; empty: it heeds none
  std::vector<QuestionEvidence> heeded;  ///< of each question, where it heeds evidence
  std::string closed_by;                 ///< sha256 of the gate report that closed the partition; empty: it is open
  condition::Vocabulary vocabulary;      ///< causes and texts
  std::string canonical;
  std::vector<std::string> question_names;
  std::vector<std::vector<std::string>> finding_names;

  [[nodiscard]] const condition::CauseTable& causes() const { return vocabulary.causes; }
  [[nodiscard]] bool is_evidence(std::size_t column) const { return column >= first_evidence; }
};

}  // namespace hiple::law
