#include "law/columnar.hpp"

#include <algorithm>

#include "law/columnar_activation.hpp"
#include "law/columnar_readout.hpp"

namespace hiple::law {

using columnar::Program;

static_assert(ColumnarEvaluator::most_cases == columnar::tile_cases);

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

struct ColumnarEvaluator::Work {
  Work(const ColumnarLaw::State& state, const Inputs& inputs)
      : law(state.law), program(state.program), run(program, inputs), activation(law, program, run), readout(law, program) {}

  void begin(std::size_t first, std::size_t count, const DecisionRange& to) {
    std::fill_n(to.rounds, count, 0);
    run.read(first, count);
    activation.start(count);
  }

  const Law::Model& law;
  const Program& program;
  columnar::ProgramRun run;
  columnar::Activation activation;
  columnar::Readout readout;
};

ColumnarEvaluator::ColumnarEvaluator(const ColumnarLaw& law, const Inputs& inputs)
    : work_(std::make_unique<Work>(*law.state_, inputs)) {}
ColumnarEvaluator::~ColumnarEvaluator() = default;

void ColumnarEvaluator::decide(std::size_t begin, std::size_t count, const DecisionRange& to) {
  work_->begin(begin, count, to);
  work_->activation.follow(work_->law.max_rounds, true, to.rounds);
  work_->run.run(work_->program.answers);
  work_->readout.write(work_->run, work_->activation, count, to.decisions);
  work_->activation.write(to.consulted);
}

void ColumnarEvaluator::consult(std::size_t begin, std::size_t count, std::size_t most, const DecisionRange& to) {
  work_->begin(begin, count, to);
  work_->activation.follow(std::min(most, work_->law.max_rounds), false, to.rounds);
  work_->activation.write(to.consulted);
}

}  // namespace hiple::law
