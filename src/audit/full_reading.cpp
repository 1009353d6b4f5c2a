#include "audit/full_reading.hpp"

namespace hiple::audit {

FullReading::FullReading(const law::Law::Model& law, const law::Scopes& scopes, const law::GivenCase& given)
    : law_(&law), inputs_(law, given.table, given.engines(law)) {
  result_.laws.resize(law.laws.size());
  result_.laws_careful.resize(law.laws.size());
  result_.suspects.resize(law.critical.size());
  result_.active.assign(law.engines.size(), true);
  result_.panels.resize(law.panels.size());
  for (std::size_t i = 0; i < law.panels.size(); ++i) {
    result_.panels[i].rules.resize(law.rules.size());
    result_.panels[i].answers.resize(law.panels[i].answers.size());
  }
  law::Resolver resolver(law, scopes);
  const law::CaseView plain = view(false), careful = view(true);
  resolver.read_laws(plain, careful, result_);
  for (const std::size_t panel : law.panels[law.root].subtree) resolver.resolve(panel, plain, careful, result_);
}

condition::Truth FullReading::truth(const condition::Node& node) const {
  condition::CauseSet ignored;
  return condition::evaluate(node, view(), ignored);
}

std::vector<std::string> FullReading::causes(const condition::Node& node) const {
  condition::CauseSet causes;
  condition::evaluate(node, view(), causes);
  return law_->causes().texts(causes);
}

}  // namespace hiple::audit
