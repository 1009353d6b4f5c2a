#include <algorithm>
#include <bit>
#include <span>

#include "law/columnar_question.hpp"

namespace hiple::law::columnar {

/// Where the standing rules for a finding are cited: it is the sole candidate, or one of those that are in conflict, here and
/// incompatible ones elsewhere.
std::map<std::size_t, Plane> Compiler::findings_cited(const Question& at) const {
  std::map<std::size_t, Plane> cited;
  const auto add = [&](std::size_t finding, Plane where) {
    Plane& plane = cited.try_emplace(finding, nowhere).first->second;
    plane = circuit_.either(plane, where);
  };
  for (std::size_t i = 0; i < at.question.findings.size(); ++i) {
    const std::size_t finding = at.question.first_finding + i;
    const Plane clashes = circuit_.both(at.conflict, at.panel.holds[finding].yes);
    const Plane carried = circuit_.either(at.decided, at.contradicted);
    add(finding, circuit_.either(circuit_.both(carried, at.sole[i]), clashes));
    for (const std::size_t other : law_.findings[finding].incompatible)
      add(other, circuit_.both(clashes, at.panel.holds[other].yes));
  }
  return cited;
}

void Compiler::cite(const Question& at, QuestionPlanes& planes) const {
  std::vector<Citation> cited;
  const auto add = [&](std::size_t record, Plane plane) {
    if (plane != nowhere) cited.push_back({static_cast<std::uint32_t>(record), plane});
  };
  for (std::size_t i = 0; i < law_.laws.size(); ++i) {
    const LawEntry& entry = law_.laws[i];
    if (entry.kind == LawKind::escalate && entry.target == at.number) add(entry.record, circuit_.without(at.called, laws_[i].no));
    add(entry.record, circuit_.both(at.barred, barred(at, entry, laws_[i])));
  }
  for (const Fear& fear : at.fears) {
    const Plane feared = at.feared.at(law_.rules[fear.rule].finding);
    add(law_.rules[fear.rule].record, circuit_.both(at.critical, circuit_.both(feared, fear.open)));
  }
  for (const auto& [finding, plane] : findings_cited(at))
    for (const std::size_t number : scopes_.by_finding[finding])
      if (at.panel.in_scope[number]) add(law_.rules[number].record, circuit_.both(plane, at.panel.stand[number].yes));
  const Plane contested = circuit_.both(at.open, at.contested), blocked = circuit_.without(at.open, at.contested);
  for (const std::size_t number : at.rules) {
    const Rule& rule = law_.rules[number];
    const Plane is_true = rule.fallback ? nowhere : rules_[number]->when.yes;
    const Plane where = circuit_.either(blocked, circuit_.both(contested, is_true));
    add(rule.record, circuit_.both(logic_.unknown(at.panel.stand[number]), where));
  }
  std::stable_sort(cited.begin(), cited.end(), [](const Citation& a, const Citation& b) { return a.record < b.record; });
  std::vector<Citation> once;  // one plane a record: the steps concern different cases
  for (const Citation& each : cited) {
    if (!once.empty() && once.back().record == each.record)
      once.back().plane = circuit_.either(once.back().plane, each.plane);
    else
      once.push_back(each);
  }
  once.push_back({no_rule_index, everywhere});
  planes.first = first_of(once).bits;
  for (const Citation& each : once) planes.records.push_back(each.record);
}

/// The number of the first citation, in binary planes. Halves are joined as numbers of one bit less: the left's where it has
/// one, so that each citation costs four gates, however many there are.
Compiler::First Compiler::first_of(std::span<const Citation> cited) const {
  if (cited.size() == 1) return {cited[0].plane, {}};
  const std::size_t half = std::bit_floor(cited.size() - 1);
  const First left = first_of(cited.first(half)), right = first_of(cited.subspan(half));
  First first{circuit_.either(left.some, right.some), left.bits};
  for (std::size_t bit = 0; bit < right.bits.size(); ++bit)
    first.bits[bit] = circuit_.either(left.bits[bit], circuit_.without(right.bits[bit], left.some));
  first.bits.push_back(circuit_.without(right.some, left.some));
  return first;
}

}  // namespace hiple::law::columnar
