#include "law/columnar.hpp"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <bit>

#include "law/columnar_tile.hpp"

namespace hiple::law {

using columnar::Instruction;
using columnar::Plane;
using columnar::Program;
using columnar::tile_cases;
using columnar::tile_words;

static_assert(ColumnarEvaluator::most_cases == tile_cases);

struct ColumnarLaw::State {
  explicit State(const Law::Model& model) : law(model), program(columnar::compile(model)) {}
  const Law::Model& law;
  const Program program;
};

ColumnarLaw::ColumnarLaw(const Law::Model& law) : state_(std::make_unique<State>(law)) {}
ColumnarLaw::~ColumnarLaw() = default;
ColumnarLaw::ColumnarLaw(ColumnarLaw&&) noexcept = default;

ColumnarLaw::Size ColumnarLaw::size() const {
  const Program& program = state_->program;
  const auto& used = program.leaf_is_used;
  return {program.route.size() + program.rounds.size() + program.answers.size(),
          static_cast<std::size_t>(std::count(used.begin(), used.end(), true)), program.places};
}

namespace {

/// One plane while it is worked on outside the circuit.
using Words = std::array<std::uint64_t, tile_words>;

/// A combination of the planes of QuestionPlanes::code.
struct Code {
  Status status = Status::abstain;
  Reason reason = Reason::none;
  std::uint8_t flags = 0;
  std::uint16_t finding_mask = 0;  ///< all bits, and so no_index, where nothing is decided
};

/// `closed`: what the law abstains from goes to a person, without the law's own flag of an escalation.
std::array<Code, 128> all_codes(bool closed) {
  std::array<Code, 128> codes;
  for (unsigned bits = 0; bits < codes.size(); ++bits) {
    Code& code = codes[bits];
    code.status = (bits & 1) != 0 ? Status::abstain : (bits & 2) != 0 ? Status::escalate : Status::decide;
    code.reason = static_cast<Reason>((bits >> 2) & 7);
    code.flags = static_cast<std::uint8_t>(((bits & 32) != 0 ? flag::firm : 0) | ((bits & 64) != 0 ? flag::critical : 0) |
                                           (code.status == Status::escalate ? flag::escalated : 0));
    code.finding_mask = code.status == Status::decide ? 0 : no_index;
    if (!closed) continue;
    code.flags |= flag::gate_closed;
    if (code.status == Status::abstain) code.status = Status::escalate;
  }
  return codes;
}

/// Byte b of the result has bit p of each byte p of `planes`, at position b (Hacker's Delight, 7-3).
std::uint64_t transposed(std::uint64_t planes) {
  std::uint64_t swap = (planes ^ (planes >> 7)) & 0x00AA00AA00AA00AAULL;
  planes ^= swap ^ (swap << 7);
  swap = (planes ^ (planes >> 14)) & 0x0000CCCC0000CCCCULL;
  planes ^= swap ^ (swap << 14);
  swap = (planes ^ (planes >> 28)) & 0x00000000F0F0F0F0ULL;
  return planes ^ swap ^ (swap << 28);
}

}  // namespace

struct ColumnarEvaluator::Work {
  Work(const ColumnarLaw::State& state, const Inputs& all)
      : law(state.law),
        program(state.program),
        reader(state.program, all),
        planes(hwy::AllocateAligned<std::uint64_t>(state.program.places * tile_words)),
        done(hwy::AllocateAligned<std::uint64_t>(state.law.questions.size() * tile_words)),
        rules(state.law.questions.size() * tile_cases),
        codes(all_codes(!state.law.closed_by.empty())) {
    if (!planes || !done) throw std::bad_alloc();
    std::fill(plane_at(columnar::nowhere), plane_at(columnar::nowhere) + tile_words, 0);
    std::fill(plane_at(columnar::everywhere), plane_at(columnar::everywhere) + tile_words, ~std::uint64_t{0});
    finding_after.assign(law.records.size() + 1, no_index);
    for (const Rule& rule : law.rules) {
      if (!rule.in_force) continue;
      const std::size_t first = law.questions[law.findings[rule.finding].question].first_finding;
      finding_after[rule.record + 1] = static_cast<std::uint16_t>(rule.finding - first);
    }
  }

  std::uint64_t* plane_at(std::uint32_t place) { return planes.get() + tile_words * place; }
  std::uint64_t* plane(Plane gate) { return plane_at(program.place[gate]); }
  std::uint64_t* active(std::size_t engine) { return plane_at(program.place_of_engine(engine)); }

  void decide(std::size_t begin, std::size_t cases, const DecisionRange& to);
  void consult(std::size_t begin, std::size_t cases, std::size_t most, const DecisionRange& to);
  void begin_tile(std::size_t begin, std::size_t cases, const DecisionRange& to);
  void run(const std::vector<Instruction>& part);
  void start();
  Words find_additions();
  Words find_rounds(std::size_t most, bool looks_on, std::uint8_t* rounds);
  void follow_links();
  void find_rings();
  void add_ring(Ring ring, const Words& waits, Words& pending);
  void write(const DecisionRange& to);
  void write_question(std::size_t question, Decision* to);
  void write_consulted(std::uint64_t* consulted);

  const Law::Model& law;
  const Program& program;
  columnar::TileReader reader;
  hwy::AlignedFreeUniquePtr<std::uint64_t[]> planes, done;
  std::vector<std::uint32_t> rules;  ///< [questions, cases]: the first record that is cited
  const std::array<Code, 128> codes;
  std::vector<std::uint16_t> finding_after;  ///< of each record, one further on: the first is for no_rule_index, plus one
  std::size_t count = 0;
  std::vector<Words> added;  ///< of each engine, in this round
  Words broadened{}, capped{};
};

void ColumnarEvaluator::Work::run(const std::vector<Instruction>& part) {
  std::span<const Instruction> rest = part;
  while (true) {
    rest = rest.subspan(columnar::run_gates(rest, planes.get()));
    if (rest.empty()) return;
    const Instruction& instruction = rest.front();
    if (instruction.kind == Instruction::Kind::cite) {
      columnar::cite(plane_at(instruction.a), done.get() + tile_words * instruction.to, instruction.b,
                     rules.data() + tile_cases * instruction.to);
    } else {
      reader.mean(program.compiled.circuit.means()[instruction.a], program.place, planes.get(), plane_at(instruction.to),
                  plane_at(instruction.b));
    }
    rest = rest.subspan(1);
  }
}

/// The home engines: by the first entry of the route that is TRUE; all, where none is.
void ColumnarEvaluator::Work::start() {
  run(program.route);
  Words rest;
  rest.fill(~std::uint64_t{0});
  for (std::size_t engine = 0; engine < law.engines.size(); ++engine) std::fill_n(active(engine), tile_words, 0);
  for (std::size_t i = 0; i < law.home.size(); ++i) {
    const std::uint64_t* taken = plane(program.compiled.home[i]);
    for (const std::size_t engine : law.home[i].engines)
      for (std::size_t word = 0; word < tile_words; ++word) active(engine)[word] |= rest[word] & taken[word];
    for (std::size_t word = 0; word < tile_words; ++word) rest[word] &= ~taken[word];
  }
  for (std::size_t engine = 0; engine < law.engines.size(); ++engine)
    for (std::size_t word = 0; word < tile_words; ++word) active(engine)[word] |= rest[word];
}

/// All links read the same set; what they reach comes together.
void ColumnarEvaluator::Work::follow_links() {
  for (const columnar::LinkPlane& link : program.compiled.links) {
    const std::uint64_t *fires = plane(link.fires), *have = active(link.to);
    for (std::size_t word = 0; word < tile_words; ++word) added[link.to][word] |= fires[word] & ~have[word];
  }
}

/// Cases that no link takes further, while a question waits for an engine: the first ring that has a new one.
void ColumnarEvaluator::Work::find_rings() {
  Words pending{};
  for (const Plane waiting : program.compiled.waiting)
    for (std::size_t word = 0; word < tile_words; ++word) pending[word] |= plane(waiting)[word];
  for (const Words& engine : added)
    for (std::size_t word = 0; word < tile_words; ++word) pending[word] &= ~engine[word];
  const Words waits = pending;
  for (const Ring ring : law.broaden) add_ring(ring, waits, pending);
  for (std::size_t word = 0; word < tile_words; ++word) broadened[word] |= waits[word] & ~pending[word];
}

void ColumnarEvaluator::Work::add_ring(Ring ring, const Words& waits, Words& pending) {
  std::vector<Words> wanted(law.engines.size(), Words{});
  for (std::size_t engine = 0; engine < law.engines.size(); ++engine)
    for (std::size_t word = 0; word < tile_words; ++word)
      wanted[engine][word] = ring == Ring::all      ? ~std::uint64_t{0}
                             : ring == Ring::needed ? plane(program.compiled.waiting[engine])[word]
                                                    : 0;
  if (ring == Ring::panel)
    for (const Panel& panel : law.panels) {
      Words near{};
      for (const std::size_t engine : panel.engines)
        for (std::size_t word = 0; word < tile_words; ++word) near[word] |= active(engine)[word];
      for (const std::size_t engine : panel.engines)
        for (std::size_t word = 0; word < tile_words; ++word) wanted[engine][word] |= near[word];
    }
  Words found{};
  for (std::size_t engine = 0; engine < law.engines.size(); ++engine)
    for (std::size_t word = 0; word < tile_words; ++word) {
      const std::uint64_t fresh = wanted[engine][word] & pending[word] & waits[word] & ~active(engine)[word];
      added[engine][word] |= fresh;
      found[word] |= fresh;
    }
  for (std::size_t word = 0; word < tile_words; ++word) pending[word] &= ~found[word];
}

/// What links and rings would add to each case now, in `added`; the cases that get something.
Words ColumnarEvaluator::Work::find_additions() {
  run(program.rounds);
  added.assign(law.engines.size(), Words{});
  follow_links();
  find_rings();
  Words grows{};
  for (const Words& engine : added)
    for (std::size_t word = 0; word < tile_words; ++word) grows[word] |= engine[word];
  for (std::size_t i = count; i < tile_cases; ++i) grows[i / 64] &= ~(std::uint64_t{1} << (i % 64));
  return grows;
}

/// Rounds until nothing is added to any case, or `most`: then the cases to which more would be added if `looks_on`. A case that
/// is at its end stays there, whatever the others do.
Words ColumnarEvaluator::Work::find_rounds(std::size_t most, bool looks_on, std::uint8_t* rounds) {
  for (std::size_t round = 0; round < most || looks_on; ++round) {
    const Words grows = find_additions();
    if (std::all_of(grows.begin(), grows.end(), [](std::uint64_t word) { return word == 0; })) return {};
    if (round == most) return grows;
    for (std::size_t engine = 0; engine < added.size(); ++engine)
      for (std::size_t word = 0; word < tile_words; ++word) active(engine)[word] |= added[engine][word] & grows[word];
    for (std::size_t word = 0; word < tile_words; ++word)
      for (std::uint64_t bits = grows[word]; bits != 0; bits &= bits - 1)
        rounds[64 * word + static_cast<std::size_t>(std::countr_zero(bits))] = static_cast<std::uint8_t>(round + 1);
  }
  return {};
}

/// Reads the cases, and calls their home engines; all, where nothing can be left out.
void ColumnarEvaluator::Work::begin_tile(std::size_t begin, std::size_t cases, const DecisionRange& to) {
  count = cases;
  broadened = capped = {};
  std::fill_n(to.rounds, count, 0);
  reader.read(begin, count, planes.get());
  if (program.compiled.may_be_inactive) return start();
  for (std::size_t engine = 0; engine < law.engines.size(); ++engine) std::fill_n(active(engine), tile_words, ~std::uint64_t{0});
}

void ColumnarEvaluator::Work::decide(std::size_t begin, std::size_t cases, const DecisionRange& to) {
  begin_tile(begin, cases, to);
  if (program.compiled.may_be_inactive) capped = find_rounds(law.max_rounds, true, to.rounds);
  std::fill_n(done.get(), law.questions.size() * tile_words, 0);
  std::fill(rules.begin(), rules.end(), no_rule_index);
  run(program.answers);
  write(to);
}

void ColumnarEvaluator::Work::consult(std::size_t begin, std::size_t cases, std::size_t most, const DecisionRange& to) {
  begin_tile(begin, cases, to);
  if (program.compiled.may_be_inactive) find_rounds(std::min(most, law.max_rounds), false, to.rounds);
  if (!law.engines.empty()) write_consulted(to.consulted);
}

void ColumnarEvaluator::Work::write(const DecisionRange& to) {
  for (std::size_t question = 0; question < law.questions.size(); ++question) write_question(question, to.decisions + question);
  if (!law.engines.empty()) write_consulted(to.consulted);
}

void ColumnarEvaluator::Work::write_question(std::size_t question, Decision* to) {
  const std::size_t questions = law.questions.size();
  std::array<const std::uint64_t*, columnar::QuestionPlanes::code_bits> code{};
  for (std::size_t i = 0; i < code.size(); ++i) code[i] = plane(program.compiled.questions[question].code[i]);
  const std::uint32_t* rule = rules.data() + tile_cases * question;
  for (std::size_t i = 0; i < count; i += 8) {
    std::uint64_t bytes = 0;
    for (std::size_t bit = 0; bit < code.size(); ++bit) bytes |= ((code[bit][i / 64] >> (i % 64)) & 0xFF) << (8 * bit);
    bytes = transposed(bytes);
    const std::size_t cases = std::min<std::size_t>(8, count - i);
    for (std::size_t j = 0; j < cases; ++j, bytes >>= 8) {
      const Code& all = codes[bytes & 127];
      const auto next = static_cast<std::uint32_t>(rule[i + j] + 1);
      to[(i + j) * questions] = {all.status, all.reason, static_cast<std::uint16_t>(finding_after[next] | all.finding_mask),
                                 rule[i + j], all.flags};
    }
    const std::uint64_t wide = broadened[i / 64] >> (i % 64), cut = capped[i / 64] >> (i % 64);
    if (((wide | cut) & 0xFF) == 0) continue;
    for (std::size_t j = 0; j < cases; ++j) {
      std::uint8_t& flags = to[(i + j) * questions].flags;
      if (((wide >> j) & 1) != 0) flags |= flag::broadened;
      // A capped number of rounds voids it.
      if (((cut >> j) & 1) != 0) flags = static_cast<std::uint8_t>((flags & ~flag::firm) | flag::capped);
    }
  }
}

void ColumnarEvaluator::Work::write_consulted(std::uint64_t* consulted) {
  const std::size_t words = (law.engines.size() + 63) / 64;
  for (std::size_t engine = 0; engine < law.engines.size(); ++engine) {
    const std::uint64_t* plane = active(engine);
    for (std::size_t i = 0; i < count; ++i)
      consulted[i * words + engine / 64] |= ((plane[i / 64] >> (i % 64)) & 1) << (engine % 64);
  }
}

ColumnarEvaluator::ColumnarEvaluator(const ColumnarLaw& law, const Inputs& inputs)
    : work_(std::make_unique<Work>(*law.state_, inputs)) {}
ColumnarEvaluator::~ColumnarEvaluator() = default;

void ColumnarEvaluator::decide(std::size_t begin, std::size_t count, const DecisionRange& to) { work_->decide(begin, count, to); }

void ColumnarEvaluator::consult(std::size_t begin, std::size_t count, std::size_t most, const DecisionRange& to) {
  work_->consult(begin, count, most, to);
}

}  // namespace hiple::law
