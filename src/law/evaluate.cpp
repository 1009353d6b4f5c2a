#include "law/evaluate.hpp"

#include <algorithm>

#include "law/resolver.hpp"

namespace hiple::law {

condition::Voice CaseView::engine(std::size_t index) const {
  if (result_->active[index]) return inputs_->voice(row_, index);
  condition::Voice voice;  // what was not consulted is not seen, whatever its file says
  voice.state = condition::Voice::State::inactive;
  return voice;
}

condition::PanelFinding CaseView::finding(std::size_t index) const {
  const auto& [number, question] = law_->slots[index];
  const Answer& answer = result_->panels[number].answers[index - law_->panels[number].first_slot];
  if (answer.status != Status::decide) return {false, false, 0, &answer.causes};
  const std::size_t finding = answer.finding - law_->questions[question].first_finding;
  return {true, answer.firm, static_cast<std::uint32_t>(finding), &answer.causes};
}

/// The rounds of one case: links to their fixpoint, then only the engines that undecided questions wait for.
struct Evaluator::Work {
  Work(const Law::Model& model, const Inputs& all) : law(model), inputs(all), scopes(model), resolver(model, scopes) {
    result.laws.resize(law.laws.size());
    result.laws_careful.resize(law.laws.size());
    result.suspects.resize(law.critical.size());
    result.active.resize(law.engines.size());
    result.panels.resize(law.panels.size());
    for (std::size_t i = 0; i < law.panels.size(); ++i) {
      result.panels[i].rules.resize(law.rules.size());
      result.panels[i].answers.resize(law.panels[i].answers.size());
    }
    for (std::uint32_t cause = 0; cause < law.causes().size(); ++cause) {
      if (!scopes.is_inactive[cause]) continue;
      const auto found = std::find_if(law.engines.begin(), law.engines.end(), [&](const EngineDescription& engine) {
        return engine.name == law.causes().at(cause).name;
      });
      if (found != law.engines.end()) waiting_for.emplace_back(cause, static_cast<std::size_t>(found - law.engines.begin()));
    }
  }

  void run(std::size_t row);
  void start(std::size_t row);
  void read_round(std::size_t row);
  void close();
  void find_links(std::size_t row, Round& round) const;
  void find_ring(Round& round) const;
  [[nodiscard]] std::vector<std::size_t> ring_of(Ring ring, const std::vector<std::size_t>& waiting) const;
  [[nodiscard]] std::vector<std::size_t> waiting() const;

  const Law::Model& law;
  const Inputs& inputs;
  const Scopes scopes;
  Resolver resolver;
  CaseResult result;
  std::vector<std::pair<std::uint32_t, std::size_t>> waiting_for;  ///< the cause inactive:E, and E
};

/// The home engines: by the first entry of the route that is TRUE over the input columns.
void Evaluator::Work::start(std::size_t row) {
  result.rounds = 0;
  result.broadened = result.capped = false;
  result.trace.clear();
  result.home = no_number;
  std::fill(result.active.begin(), result.active.end(), law.home.empty());
  const CaseView view(inputs, row, law, result, false);
  for (std::size_t i = 0; i < law.home.size() && result.home == no_number; ++i) {
    condition::CauseSet causes;
    if (!law.home[i].when || law.home[i].when->evaluate(view, causes) == condition::Truth::yes) result.home = i;
  }
  if (result.home == no_number) return;
  for (const std::size_t engine : law.home[result.home].engines) result.active[engine] = true;
}

/// Everything at the present set of active engines; panels before the panel that they are members of.
void Evaluator::Work::read_round(std::size_t row) {
  const CaseView plain(inputs, row, law, result, false), careful(inputs, row, law, result, true);
  resolver.read_laws(plain, careful, result);
  for (const std::size_t panel : law.panels[law.root].subtree) resolver.resolve(panel, plain, careful, result);
}

/// All links read the same set; what they reach comes together.
void Evaluator::Work::find_links(std::size_t row, Round& round) const {
  const CaseView view(inputs, row, law, result, false);
  for (std::size_t i = 0; i < law.links.size(); ++i) {
    const Link& link = law.links[i];
    if (!result.active[link.from]) continue;
    condition::CauseSet causes;
    const condition::Truth truth = link.when.evaluate(view, causes);
    if (truth == condition::Truth::no || (truth == condition::Truth::unknown && !link.eager)) continue;
    round.links.push_back(i);
    if (!result.active[link.to]) round.added.push_back(link.to);
  }
}

/// The engines that undecided questions wait for.
std::vector<std::size_t> Evaluator::Work::waiting() const {
  std::vector<std::size_t> engines;
  for (const Answer& answer : result.answers(law)) {
    if (answer.status == Status::decide || answer.causes.empty()) continue;
    for (const auto& [cause, engine] : waiting_for)
      if (answer.causes.contains(cause)) engines.push_back(engine);
  }
  return engines;
}

std::vector<std::size_t> Evaluator::Work::ring_of(Ring ring, const std::vector<std::size_t>& waiting) const {
  std::vector<std::size_t> engines;
  if (ring == Ring::needed) engines = waiting;
  if (ring == Ring::all)
    for (std::size_t i = 0; i < law.engines.size(); ++i) engines.push_back(i);
  if (ring == Ring::panel)
    for (const Panel& panel : law.panels)
      if (std::any_of(panel.engines.begin(), panel.engines.end(), [&](std::size_t engine) { return result.active[engine]; }))
        engines.insert(engines.end(), panel.engines.begin(), panel.engines.end());
  std::erase_if(engines, [&](std::size_t engine) { return result.active[engine]; });
  return engines;
}

/// The first ring that has an engine which is not active yet, while some question waits for one.
void Evaluator::Work::find_ring(Round& round) const {
  const std::vector<std::size_t> waited = waiting();
  if (waited.empty()) return;
  for (const Ring ring : law.broaden) {
    round.added = ring_of(ring, waited);
    if (round.added.empty()) continue;
    round.broadened = ring;
    return;
  }
}

/// In a partition that is not trusted, an abstention goes to a person.
void Evaluator::Work::close() {
  if (law.closed_by.empty()) return;
  for (Answer& answer : result.panels[law.root].answers) {
    if (answer.status != Status::abstain) continue;
    answer.status = Status::escalate;
    answer.by_gate = true;
    answer.to.emplace_back("person");
  }
}

void Evaluator::Work::run(std::size_t row) {
  start(row);
  while (true) {
    Round& round = result.trace.emplace_back();
    for (std::size_t i = 0; i < result.active.size(); ++i)
      if (result.active[i]) round.active.push_back(i);
    read_round(row);
    find_links(row, round);
    if (round.added.empty()) find_ring(round);
    std::sort(round.added.begin(), round.added.end());
    round.added.erase(std::unique(round.added.begin(), round.added.end()), round.added.end());
    result.broadened = result.broadened || round.broadened.has_value();
    if (round.added.empty() || result.rounds == law.max_rounds) {
      result.capped = !round.added.empty();
      // Engines were left that could change the answers. Nothing reads a member panel's answer after this.
      if (result.capped)
        for (PanelResult& panel : result.panels)
          for (Answer& answer : panel.answers) answer.firm = false;
      round.added.clear();
      close();
      return;
    }
    for (const std::size_t engine : round.added) result.active[engine] = true;
    ++result.rounds;
  }
}

Evaluator::Evaluator(const Law::Model& law, const Inputs& inputs) : work_(std::make_unique<Work>(law, inputs)) {}
Evaluator::~Evaluator() = default;

const CaseResult& Evaluator::run(std::size_t row) {
  work_->run(row);
  return work_->result;
}

CaseResult evaluate_case(const Law::Model& law, const Inputs& inputs, std::size_t row) { return Evaluator(law, inputs).run(row); }

}  // namespace hiple::law
