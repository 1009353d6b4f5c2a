#include <algorithm>

#include "base/text.hpp"
#include "law/loader.hpp"

namespace hiple::law {

/// What `critical` names, if it can be read; else read_critical() says why not.
std::optional<yaml::Node> Loader::critical_file() {
  const yaml::Node* node = reader_.find("critical");
  if (node == nullptr || !node->is_scalar()) return std::nullopt;
  try {
    return yaml::load(file_.parent_path() / node->text);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// `critical` names a file beside the law, or holds the same content itself.
void Loader::read_critical() {
  const yaml::Node* node = reader_.find("critical");
  if (node == nullptr) return;
  if (node->is_map()) return read_critical_findings(*node);
  const auto name = yaml::as_text(*node, "`critical`", problems_);
  if (!name) return;
  const std::filesystem::path path = file_.parent_path() / *name;
  if (name->empty() || !std::filesystem::exists(path)) {
    problems_.add(node->place, "`critical` names no file that exists", path.string(),
                  "correct the path, or leave `critical` out if nothing is critical");
    return;
  }
  try {
    read_critical_findings(yaml::load(path));
  } catch (const InputError& error) {
    problems_.add(error);
  }
}

void Loader::read_critical_findings(const yaml::Node& root) {
  yaml::MapReader reader(root, "the critical findings", problems_);
  reader.integer("critical", 1, 1);
  for (const yaml::Node& node : items(reader.require("findings"), "findings")) read_critical_finding(node);
  reader.finish();
  auto& critical = model_->critical;
  std::sort(critical.begin(), critical.end(), [](const Critical& a, const Critical& b) { return a.finding < b.finding; });
  for (std::size_t i = 0; i < critical.size(); ++i) model_->findings[critical[i].finding].critical = i;
}

void Loader::read_critical_finding(const yaml::Node& node) {
  yaml::MapReader reader(node, "a critical finding", problems_);
  const std::string name = reader.text("finding");
  const yaml::Node* finding_node = reader.find("finding");
  const bool is_text = finding_node != nullptr && finding_node->is_scalar();
  const std::size_t finding = is_text ? finding_number(name, finding_node->place) : no_number;
  std::vector<std::size_t> covered_by;
  if (finding != no_number) covered_by.push_back(finding);
  for (const yaml::Node& other : items(reader.find("covered_by"), "covered_by")) {
    const auto text = yaml::as_text(other, "a finding", problems_);
    const std::size_t number = text ? finding_number(*text, other.place) : no_number;
    if (number == no_number || finding == no_number) continue;
    if (model_->findings[number].question != model_->findings[finding].question)
      problems_.add(other.place, *text + " is of another question than " + name, "it could never be decided in its place");
    covered_by.push_back(number);
  }
  std::sort(covered_by.begin(), covered_by.end());
  covered_by.erase(std::unique(covered_by.begin(), covered_by.end()), covered_by.end());
  const std::string to = reader.text("to", "person");
  const condition::Scope& scope = blind_scopes_[model_->root];
  auto suspect = read_condition(reader.find("suspect"), scope);
  reader.finish();
  if (finding == no_number) return;
  for (const Critical& other : model_->critical)
    if (other.finding == finding) problems_.add(node.place, "the critical finding " + name + " is listed twice");
  model_->critical.push_back({finding, covered_by, to, suspect.value_or(condition::Condition())});
}

void Loader::read_laws() {
  for (const NamedEntry& entry : sorted(reader_.find("laws"), "id", "laws")) {
    claim(entry.name, entry.node->place);
    read_law(entry);
  }
}

void Loader::read_law(const NamedEntry& entry) {
  yaml::MapReader reader(*entry.node, "the law " + entry.name, problems_);
  const condition::Scope& scope = blind_scopes_[model_->root];
  const std::string id = reader.text("id"), title = reader.text("title", "");
  const std::int64_t version = reader.integer("version", 1, 1'000'000'000, 1);
  LawKind kind = LawKind::escalate;
  const yaml::Node* target = nullptr;
  int targets = 0;
  for (const auto& [key, which] :
       {std::pair{"forbid", LawKind::forbid}, std::pair{"require", LawKind::require}, std::pair{"escalate", LawKind::escalate}}) {
    const yaml::Node* node = reader.find(key);
    if (node == nullptr) continue;
    ++targets;
    target = node;
    kind = which;
  }
  if (targets != 1)
    problems_.add(entry.node->place, "the law " + id + " needs one of forbid, require and escalate",
                  "found " + std::to_string(targets));
  const auto name = target != nullptr ? yaml::as_text(*target, "the law's target", problems_) : std::nullopt;
  std::size_t number = no_number;
  if (name) number = kind == LawKind::escalate ? question_number(*name, target->place) : finding_number(*name, target->place);
  const auto when = read_condition(reader.require("when"), scope);
  LawEntry law;
  law.id = id;
  law.title = title;
  law.version = version;
  law.kind = kind;
  law.target = number;
  law.when = when.value_or(condition::Condition());
  law.place = entry.node->place;
  if (reader.find("to") != nullptr) law.to = reader.text("to");
  law.because = read_template(reader, scope, law.because_text);
  read_tests(reader, law.tests, false);
  reader.finish();
  if (number != no_number) model_->laws.push_back(std::move(law));
}

void Loader::read_links() {
  for (const NamedEntry& entry : sorted(reader_.find("links"), "id", "links")) {
    claim(entry.name, entry.node->place);
    read_link(entry);
  }
}

void Loader::read_link(const NamedEntry& entry) {
  yaml::MapReader reader(*entry.node, "the link " + entry.name, problems_);
  const condition::Scope& scope = scopes_[model_->root];
  const std::string id = reader.text("id");
  const yaml::Node* from = reader.require("from");
  const yaml::Node* to = reader.require("to");
  const std::size_t from_engine = from != nullptr ? engine_number(*from) : no_number;
  const std::size_t to_engine = to != nullptr ? engine_number(*to) : no_number;
  if (from_engine != no_number && from_engine == to_engine)
    problems_.add(to->place, "the link " + id + " leads back to its own engine");
  const auto when = read_condition(reader.require("when"), scope);
  Link link;
  link.id = id;
  link.from = from_engine;
  link.to = to_engine;
  link.eager = reader.boolean("eager", false);
  link.when = when.value_or(condition::Condition());
  link.title = reader.text("title", "");
  link.because = read_template(reader, scope, link.because_text);
  reader.finish();
  model_->links.push_back(std::move(link));
}

void Loader::read_route() {
  const yaml::Node* node = reader_.find("route");
  if (node == nullptr) return;
  yaml::MapReader reader(*node, "`route`", problems_);
  if (const yaml::Node* home = reader.find("home")) read_home(*home);
  const std::vector<std::string> rings = {"needed", "panel", "all"};
  if (const yaml::Node* broaden = reader.find("broaden")) {
    model_->broaden.clear();
    for (const yaml::Node& ring : items(broaden, "broaden")) {
      const auto found = std::find(rings.begin(), rings.end(), ring.text);
      if (found == rings.end()) {
        problems_.add(ring.place, "\"" + ring.text + "\" is no way to broaden", {}, suggestion(ring.text, rings));
        continue;
      }
      const auto value = static_cast<Ring>(found - rings.begin());
      if (std::find(model_->broaden.begin(), model_->broaden.end(), value) != model_->broaden.end())
        problems_.add(ring.place, "\"" + ring.text + "\" stands twice in `broaden`");
      model_->broaden.push_back(value);
    }
  }
  constexpr auto most = static_cast<std::int64_t>(most_rounds);
  model_->max_rounds = static_cast<std::size_t>(reader.integer("max_rounds", 0, most, most));
  reader.finish();
}

/// The first whose condition over input columns is TRUE; the last has none, so that every case has a home.
void Loader::read_home(const yaml::Node& list) {
  const auto& entries = items(&list, "home");
  condition::Scope home = input_scope_;
  home.no_evidence = "the route says who judges a case before anything else is known of it, by input columns alone";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    yaml::MapReader reader(entries[i], "an entry of `home`", problems_);
    const yaml::Node* when = reader.find("when");
    RouteEntry entry{read_condition(when, home), {}};
    for (const yaml::Node& node : items(reader.require("engines"), "engines")) {
      const std::size_t engine = engine_number(node);
      if (engine != no_number) entry.engines.push_back(engine);
    }
    reader.finish();
    std::sort(entry.engines.begin(), entry.engines.end());
    entry.engines.erase(std::unique(entry.engines.begin(), entry.engines.end()), entry.engines.end());
    if (when == nullptr && i + 1 < entries.size())
      problems_.add(entries[i + 1].place, "this entry of `home` is never reached", "the one before it has no condition");
    if (when != nullptr && i + 1 == entries.size())
      problems_.add(entries[i].place, "the last entry of `home` has a condition",
                    "a case for which none is TRUE would have no home", "add an entry without `when`: {engines: [...]}");
    model_->home.push_back(std::move(entry));
  }
  if (list.is_sequence() && entries.empty())
    problems_.add(list.place, "`home` is empty", {}, "leave it out: then all engines are home");
}

/// The numbers that decisions cite: rules in force, defaults and laws together, by id.
void Loader::number_records() {
  std::vector<std::pair<std::string, std::size_t*>> entries;
  for (Rule& rule : model_->rules)
    if (rule.in_force) entries.emplace_back(rule.id, &rule.record);
  for (LawEntry& law : model_->laws) entries.emplace_back(law.id, &law.record);
  if (entries.size() >= no_rule_index)
    throw InputError(root_.place, "the law has " + std::to_string(entries.size()) + " rules and laws",
                     "the limit is " + std::to_string(no_rule_index - 1));
  std::sort(entries.begin(), entries.end());
  for (std::size_t i = 0; i < entries.size(); ++i) *entries[i].second = i;
  model_->records.resize(entries.size());
}

}  // namespace hiple::law
