#include <algorithm>

#include "law/loader.hpp"

namespace hiple::law {

namespace {

constexpr std::size_t deepest_panel = 64;

}  // namespace

/// Without `panels` all engines are members of the root.
void Loader::read_panels() {
  const yaml::Node* list = reader_.find("panels");
  const std::vector<NamedEntry> entries = sorted(list, "name", "panels");
  for (const NamedEntry& entry : entries) {
    Panel panel;
    panel.name = entry.name;
    model_->panels.push_back(std::move(panel));
  }
  if (list == nullptr) {
    Panel root;
    root.name = "root";
    for (std::size_t i = 0; i < model_->engines.size(); ++i) root.engines.push_back(i);
    model_->panels.push_back(std::move(root));
  }
  const auto root = std::find_if(model_->panels.begin(), model_->panels.end(), [](const Panel& p) { return p.name == "root"; });
  if (root == model_->panels.end()) {
    problems_.add(list->place, "no panel is called \"root\"", "one panel is above all others");
    return;
  }
  model_->root = static_cast<std::size_t>(root - model_->panels.begin());
  std::vector<const yaml::Node*> parent(model_->panels.size(), nullptr);
  for (const NamedEntry& entry : entries) read_panel_members(entry, parent);
  for (std::size_t i = 0; i < model_->questions.size(); ++i) model_->panels[model_->root].answers.push_back(i);
  order_panels(parent);
}

void Loader::read_panel_members(const NamedEntry& entry, std::vector<const yaml::Node*>& parent) {
  const auto number_of = [&](const std::string& name) {
    const auto& panels = model_->panels;
    const auto found = std::find_if(panels.begin(), panels.end(), [&](const Panel& p) { return p.name == name; });
    return found == panels.end() ? no_number : static_cast<std::size_t>(found - panels.begin());
  };
  Panel& panel = model_->panels[number_of(entry.name)];
  yaml::MapReader reader(*entry.node, "the panel " + entry.name, problems_);
  reader.text("name");
  for (const EngineDescription& engine : model_->engines)
    if (engine.name == entry.name)
      problems_.add(entry.node->place, "the panel \"" + entry.name + "\" has the name of an engine",
                    "a condition could mean either");
  if (entry.name == condition::evidence_word)
    problems_.add(entry.node->place, "a panel cannot be called \"evidence\"",
                  "a condition reads evidence about the case by that word");
  for (const yaml::Node& node : items(reader.require("members"), "members")) {
    const std::size_t member = node.is_scalar() ? number_of(node.text) : no_number;
    if (member == no_number) {
      std::vector<std::string> others;
      for (const Panel& other : model_->panels)
        if (other.name != entry.name && other.name != "root") others.push_back(other.name);
      const std::size_t engine = engine_number(node, others);
      if (engine != no_number) panel.engines.push_back(engine);
    } else if (parent[member] != nullptr || member == model_->root) {
      problems_.add(node.place, "the panel \"" + node.text + "\" cannot be a member here",
                    "a panel has one place, and the root is above all");
    } else {
      parent[member] = &node;
      panel.panels.push_back(member);
    }
  }
  for (const yaml::Node& node : items(reader.find("answers"), "answers")) {
    const std::size_t question = node.is_scalar() ? question_number(node.text, node.place) : no_number;
    if (question != no_number && entry.name != "root") panel.answers.push_back(question);
  }
  reader.finish();
  for (auto* list : {&panel.panels, &panel.engines, &panel.answers}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
}

/// Subtrees, leaves first, and numbers for answers. A panel that the root does not reach is left over, as is a cycle.
void Loader::order_panels(const std::vector<const yaml::Node*>& parent) {
  std::vector<bool> reached(model_->panels.size());
  const auto visit = [&](auto&& self, std::size_t number, std::size_t depth) -> void {
    Panel& panel = model_->panels[number];
    reached[number] = true;
    if (depth > deepest_panel) {
      problems_.add(parent[number]->place, "panels are nested too deeply",
                    "the limit is " + std::to_string(deepest_panel) + " levels");
      return;
    }
    for (const std::size_t member : panel.panels) {
      self(self, member, depth + 1);
      const auto& below = model_->panels[member].subtree;
      panel.subtree.insert(panel.subtree.end(), below.begin(), below.end());
    }
    panel.subtree.push_back(number);
  };
  visit(visit, model_->root, 0);
  for (std::size_t i = 0; i < model_->panels.size(); ++i) {
    Panel& panel = model_->panels[i];
    if (!reached[i])
      problems_.add(root_.place, "the panel \"" + panel.name + "\" is not under the root", {}, "make it a member of a panel");
    panel.first_slot = model_->slots.size();
    for (const std::size_t question : panel.answers) model_->slots.emplace_back(i, question);
  }
}

std::vector<std::string> Loader::engines_under(std::size_t panel) const {
  std::vector<std::string> names;
  for (const std::size_t below : model_->panels[panel].subtree)
    for (const std::size_t engine : model_->panels[below].engines) names.push_back(model_->engines[engine].name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

void Loader::make_scopes() {
  for (std::size_t i = 0; i < model_->panels.size(); ++i) {
    condition::Scope scope = input_scope_;
    for (const std::string& name : engines_under(i)) {
      const auto found =
          std::find_if(model_->engines.begin(), model_->engines.end(), [&](const auto& e) { return e.name == name; });
      const auto number = static_cast<std::size_t>(found - model_->engines.begin());
      scope.engines[name] = {number, found->classes, model_->groups[number]};
    }
    for (const std::size_t below : model_->panels[i].subtree) scope.panels[model_->panels[below].name] = engines_under(below);
    blind_scopes_.push_back(scope);
    blind_scopes_.back().no_findings = "laws, `suspect` and the rules of critical findings read no findings of panels";
    for (const std::size_t member : model_->panels[i].panels) {
      const Panel& panel = model_->panels[member];
      for (std::size_t k = 0; k < panel.answers.size(); ++k) {
        const Question& question = model_->questions[panel.answers[k]];
        scope.findings[panel.name + "." + question.name] = {panel.first_slot + k, question.findings};
      }
    }
    scopes_.push_back(std::move(scope));
  }
}

}  // namespace hiple::law
