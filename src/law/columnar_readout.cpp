#include "law/columnar_readout.hpp"

#include <algorithm>
#include <bit>

namespace hiple::law::columnar {

namespace {

constexpr unsigned firm_bit = 4, critical_bit = 5, broadened_bit = 6, capped_bit = 7;
static_assert(QuestionPlanes::code_bits == broadened_bit);

/// The decision that a code stands for, with nothing cited. Its finding has all bits set where there is none, and no bit where
/// the record's is to be seen. `closed`: what the law abstains from goes to a person, without the law's own flag of an
/// escalation.
Decision decision_of(unsigned code, bool closed) {
  const auto has = [&](unsigned bit) { return ((code >> bit) & 1) != 0; };
  Decision decision;
  decision.rule = 0;
  decision.reason = static_cast<Reason>((code >> 1) & 7);
  decision.status = decision.reason == Reason::none ? Status::decide : has(0) ? Status::abstain : Status::escalate;
  decision.finding = decision.status == Status::decide ? 0 : no_index;
  // A capped number of rounds voids what would be firm.
  decision.flags = static_cast<std::uint8_t>((has(firm_bit) && !has(capped_bit) ? flag::firm : 0) |  //
                                             (has(critical_bit) ? flag::critical : 0) |
                                             (decision.status == Status::escalate ? flag::escalated : 0) |
                                             (has(broadened_bit) ? flag::broadened : 0) | (has(capped_bit) ? flag::capped : 0));
  if (!closed) return decision;
  decision.flags |= flag::gate_closed;
  if (decision.status == Status::abstain) decision.status = Status::escalate;
  return decision;
}

/// The number of each record's finding within its question; of a law none, which is no bit.
std::vector<std::uint16_t> findings_of(const Law::Model& law) {
  std::vector<std::uint16_t> findings(law.records.size(), 0);
  for (const Rule& rule : law.rules)
    if (rule.in_force)
      findings[rule.record] =
          static_cast<std::uint16_t>(rule.finding - law.questions[law.findings[rule.finding].question].first_finding);
  return findings;
}

}  // namespace

Readout::Readout(const Law::Model& law, const Program& program) : law_(law), program_(program) {
  for (unsigned code = 0; code < codes_.size(); ++code) {
    const Decision decision = decision_of(code, !law.closed_by.empty());
    codes_[code] = std::bit_cast<std::uint64_t>(decision);
  }
  const std::vector<std::uint16_t> findings = findings_of(law);
  for (const QuestionPlanes& question : program.compiled.questions) {
    std::vector<std::uint64_t>& parts = records_.emplace_back();
    for (const std::uint32_t record : question.records) {
      // Status, reason and flags are zero: the code has them.
      const std::uint16_t finding = record == no_rule_index ? no_index : findings[record];
      parts.push_back(std::bit_cast<std::uint64_t>(Decision{Status::decide, Reason::none, 0, finding, record}));
    }
  }
}

void Readout::write(const ProgramRun& run, const Activation& activation, std::size_t count, Decision* to) {
  for (std::size_t question = 0; question < law_.questions.size(); ++question) {
    const QuestionPlanes& planes = program_.compiled.questions[question];
    std::vector<const std::uint64_t*> code, first;
    for (const Plane plane : planes.code) code.push_back(run.plane(plane));
    code.push_back(activation.broadened().data());
    code.push_back(activation.capped().data());
    for (const Plane plane : planes.first) first.push_back(run.plane(plane));
    gather_bits(code, code_.data());
    std::span<const std::uint64_t* const> rest = first;
    for (auto* bytes : {&low_, &middle_, &high_}) {
      const std::size_t bits = std::min<std::size_t>(8, rest.size());
      if (bits > 0 || bytes == &low_) gather_bits(rest.first(bits), bytes->data());
      rest = rest.subspan(bits);
    }
    write_question(question, count, to + question);
  }
}

void Readout::write_question(std::size_t question, std::size_t count, Decision* to) {
  const std::size_t questions = law_.questions.size();
  const std::uint64_t* records = records_[question].data();
  const auto write_with = [&](auto record_of) {
    for (std::size_t i = 0; i < count; ++i) to[i * questions] = std::bit_cast<Decision>(codes_[code_[i]] | records[record_of(i)]);
  };
  const std::size_t bits = program_.compiled.questions[question].first.size();
  if (bits <= 8) return write_with([&](std::size_t i) -> std::size_t { return low_[i]; });
  if (bits <= 16) return write_with([&](std::size_t i) -> std::size_t { return low_[i] | middle_[i] << 8; });
  write_with([&](std::size_t i) -> std::size_t { return low_[i] | middle_[i] << 8 | high_[i] << 16; });
}

}  // namespace hiple::law::columnar
