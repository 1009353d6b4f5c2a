#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "law/model.hpp"

namespace hiple::law {

/// An entry of a list in law.yaml with the name or id that it is sorted by.
struct NamedEntry {
  std::string name;
  const yaml::Node* node = nullptr;
};

/// Reads law.yaml into a model. Problems are gathered; what was read wrongly is left out, and finish() throws.
class Loader {
 public:
  Loader(const yaml::Node& root, std::filesystem::path file, const Schema& schema, const std::vector<EngineDescription>& engines,
         std::int32_t as_of);

  std::unique_ptr<Law::Model> run();

 private:
  // loader_frame.cpp: what rules speak of.
  void check_schema_file();
  void add_columns();
  void add_engines(std::vector<EngineDescription> engines);
  void read_independence();
  void read_questions();
  void read_question(const NamedEntry& entry);
  void read_incompatible();

  // loader_evidence.cpp
  void add_evidence();
  void note_mentioned(const yaml::Node& node);

  // loader_panels.cpp
  void read_panels();
  void read_panel_members(const NamedEntry& entry, std::vector<const yaml::Node*>& parent);
  void order_panels(const std::vector<const yaml::Node*>& parent);
  void make_scopes();
  [[nodiscard]] std::vector<std::string> engines_under(std::size_t panel) const;

  // loader_rules.cpp
  void read_rules();
  void read_rule(const NamedEntry& entry);
  std::optional<double> read_precision(yaml::MapReader& reader);
  void read_validity(yaml::MapReader& reader, Rule& rule);
  void add_defaults();
  void check_evidence(const yaml::Node* list);
  void read_tests(yaml::MapReader& reader, yaml::Node& tests, bool can_be_defeated);

  // loader_overrides.cpp
  void link_overrides();
  [[nodiscard]] std::size_t rule_number(const std::string& id) const;
  void check_override(const Rule& rule, const std::string& other);
  void order_rules();
  void report_cycle(const std::vector<std::size_t>& open);

  // loader_laws.cpp
  std::optional<yaml::Node> critical_file();
  void read_critical();
  void read_critical_findings(const yaml::Node& root);
  void read_critical_finding(const yaml::Node& node);
  void read_laws();
  void read_law(const NamedEntry& entry);
  void read_links();
  void read_link(const NamedEntry& entry);
  void read_route();
  void read_home(const yaml::Node& list);
  void number_records();

  // loader.cpp: shared by all.
  std::vector<NamedEntry> sorted(const yaml::Node* list, const std::string& key, const std::string& what);
  const std::vector<yaml::Node>& items(const yaml::Node* list, const std::string& what);
  void claim(const std::string& id, const Place& place);
  std::size_t engine_number(const yaml::Node& node, const std::vector<std::string>& others = {});
  std::size_t question_number(const std::string& name, const Place& place);
  std::size_t finding_number(const std::string& name, const Place& place);
  std::optional<condition::Condition> read_condition(const yaml::Node* node, const condition::Scope& scope);
  std::vector<TemplatePart> read_template(yaml::MapReader& reader, const condition::Scope& scope, std::string& text);
  std::optional<condition::Node> read_template_value(const yaml::Node& node, std::size_t begin, std::size_t end,
                                                     const condition::Scope& scope);
  void note_reads(const condition::Node& node);

  const yaml::Node& root_;
  std::filesystem::path file_;
  const Schema& schema_;
  Problems problems_;
  yaml::MapReader reader_;
  std::unique_ptr<Law::Model> model_;
  std::map<std::string, Place> ids_;            ///< of rules, laws and links
  std::vector<condition::Scope> scopes_;        ///< of each panel, findings of its member panels included
  std::vector<condition::Scope> blind_scopes_;  ///< without findings: rules of critical findings
  condition::Scope input_scope_;                ///< columns only
  std::set<std::string> mentioned_;             ///< what stands after "evidence." anywhere in the law
};

/// The canonical text of the whole law, and the records of what is in force.
void write_canonical(Law::Model& model);

}  // namespace hiple::law
