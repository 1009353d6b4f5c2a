#include "law/columnar_program.hpp"

#include <algorithm>

namespace hiple::law::columnar {

namespace {

constexpr std::size_t forever = static_cast<std::size_t>(-1);

/// The gates that a gate reads.
template <class Use>
void for_each_operand(const Circuit& circuit, const Gate& gate, Use use) {
  switch (gate.kind) {
    case Gate::Kind::conjunction:
    case Gate::Kind::disjunction:
    case Gate::Kind::without:
      use(gate.b);
      use(gate.a);
      return;
    case Gate::Kind::complement:
      return use(gate.a);
    case Gate::Kind::mean:
      for (const MeanGroup& group : circuit.means()[gate.a].groups) {
        use(group.complete);
        for (const auto& [vector, counts] : group.members) use(counts);
      }
      return;
    default:
      return;
  }
}

Instruction::Kind kind_of(Gate::Kind kind) {
  switch (kind) {
    case Gate::Kind::conjunction:
      return Instruction::Kind::both;
    case Gate::Kind::disjunction:
      return Instruction::Kind::either;
    case Gate::Kind::without:
      return Instruction::Kind::without;
    case Gate::Kind::complement:
      return Instruction::Kind::complement;
    default:
      return Instruction::Kind::mean;
  }
}

}  // namespace

struct Program::Builder {
  explicit Builder(Program& made) : program(made), circuit(made.compiled.circuit), scheduled(circuit.gates().size()) {
    last_use.resize(circuit.gates().size());
    program.leaf_is_used.resize(circuit.leaves().size());
    program.place.resize(circuit.gates().size());
  }

  /// Puts what a plane needs before it, without recursion: chains are as long as a law has rules.
  void schedule(Plane wanted, std::vector<Instruction>& part) {
    std::vector<Plane> open = {wanted};
    while (!open.empty()) {
      const Plane plane = open.back();
      if (scheduled[plane]) {
        open.pop_back();
        continue;
      }
      const std::size_t size = open.size();
      for_each_operand(circuit, circuit.gates()[plane], [&](Plane operand) {
        if (!scheduled[operand]) open.push_back(operand);
      });
      if (open.size() > size) continue;
      open.pop_back();
      scheduled[plane] = true;
      append(plane, part);
    }
  }

  void append(Plane plane, std::vector<Instruction>& part) {
    const Gate& gate = circuit.gates()[plane];
    if (gate.kind == Gate::Kind::constant || gate.kind == Gate::Kind::active) return;
    if (gate.kind == Gate::Kind::leaf) {
      program.leaf_is_used[gate.a] = true;
      return;
    }
    // Both planes of a mean come from one instruction.
    const Plane first = gate.kind == Gate::Kind::mean ? plane - gate.b : plane;
    if (gate.kind == Gate::Kind::mean) scheduled[first] = scheduled[first + 1] = true;
    Instruction instruction{kind_of(gate.kind), first, gate.a, gate.b};
    if (gate.kind == Gate::Kind::mean) instruction.b = first + 1;
    part.push_back(instruction);
  }

  /// Calls `use` for each plane that an instruction reads.
  template <class Use>
  void for_each_read(const Instruction& instruction, Use use) const {
    for_each_operand(circuit, circuit.gates()[instruction.to], use);
  }

  void find_last_uses() {
    std::size_t time = 0;
    for (const auto* part : {&program.route, &program.rounds, &program.answers})
      for (const Instruction& instruction : *part) {
        for_each_read(instruction, [&](Plane plane) { last_use[plane] = std::max(last_use[plane], time); });
        ++time;
      }
    // What the rounds read is read again in the next one, and what is read off at the end of a part must still be there.
    for (const Instruction& instruction : program.route) keep(instruction.to);
  }
  void keep(Plane plane) { last_use[plane] = forever; }

  std::uint32_t take() {
    if (free.empty()) return static_cast<std::uint32_t>(program.places++);
    const std::uint32_t taken = free.back();
    free.pop_back();
    return taken;
  }

  std::uint32_t place_of(Plane plane) {
    const Gate& gate = circuit.gates()[plane];
    if (gate.kind == Gate::Kind::constant) return gate.a;
    if (gate.kind == Gate::Kind::leaf) return program.place_of_leaf(gate.a);
    if (gate.kind == Gate::Kind::active) return program.place_of_engine(gate.a);
    return program.place[plane];
  }

  void give_places() {
    std::size_t time = 0;
    for (auto* part : {&program.route, &program.rounds, &program.answers})
      for (Instruction& instruction : *part) {
        const Instruction planes = instruction;
        if (planes.kind == Instruction::Kind::mean) {
          for (const Plane made : {planes.to, planes.b}) program.place[made] = take();
          instruction.to = program.place[planes.to];
          instruction.b = program.place[planes.b];
        } else {
          instruction.a = place_of(planes.a);
          instruction.b = planes.kind == Instruction::Kind::complement ? instruction.a : place_of(planes.b);
          program.place[planes.to] = take();
          instruction.to = program.place[planes.to];
        }
        std::vector<Plane> ended;
        for_each_read(planes, [&](Plane plane) {
          if (last_use[plane] == time && is_made(plane)) ended.push_back(plane);
        });
        std::sort(ended.begin(), ended.end());
        ended.erase(std::unique(ended.begin(), ended.end()), ended.end());
        for (const Plane plane : ended) free.push_back(program.place[plane]);
        ++time;
      }
    for (Plane plane = 0; plane < circuit.gates().size(); ++plane)
      if (!is_made(plane)) program.place[plane] = place_of(plane);
  }
  [[nodiscard]] bool is_made(Plane plane) const {
    const Gate::Kind kind = circuit.gates()[plane].kind;
    return kind != Gate::Kind::constant && kind != Gate::Kind::leaf && kind != Gate::Kind::active;
  }

  Program& program;
  const Circuit& circuit;
  std::vector<bool> scheduled;
  std::vector<std::size_t> last_use;
  std::vector<std::uint32_t> free;
};

Program::Program(Compiled made) : compiled(std::move(made)) {
  places = 2 + compiled.circuit.leaves().size() + compiled.waiting.size();
  Builder builder(*this);
  for (const Plane plane : compiled.home) builder.schedule(plane, route);
  if (compiled.may_be_inactive) {
    for (const LinkPlane& link : compiled.links) builder.schedule(link.fires, rounds);
    for (const Plane plane : compiled.waiting) builder.schedule(plane, rounds);
  }
  for (const QuestionPlanes& question : compiled.questions) {
    for (const Plane plane : question.first) builder.schedule(plane, answers);
    for (const Plane plane : question.code) builder.schedule(plane, answers);
  }
  builder.find_last_uses();
  for (const Plane plane : compiled.home) builder.keep(plane);
  if (compiled.may_be_inactive) {
    for (const LinkPlane& link : compiled.links) builder.keep(link.fires);
    for (const Plane plane : compiled.waiting) builder.keep(plane);
  }
  for (const QuestionPlanes& question : compiled.questions) {
    for (const Plane plane : question.first) builder.keep(plane);
    for (const Plane plane : question.code) builder.keep(plane);
  }
  builder.give_places();
}

}  // namespace hiple::law::columnar
