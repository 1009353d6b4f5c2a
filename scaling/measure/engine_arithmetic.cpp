#include "scaling/measure/engine_arithmetic.hpp"

#include <algorithm>

#include "engine/adam.hpp"
#include "engine/kernels_product.hpp"
#include "engine/loss.hpp"
#include "engine/network.hpp"
#include "scaling/measure/engine_chain.hpp"
#include "scaling/measure/engine_compute.hpp"
#include "scaling/measure/planted_batches.hpp"

namespace hiple::scaling {

namespace {

class TimedBatches : public Batches {
 public:
  TimedBatches(const engine::NetworkShape& shape, std::uint64_t seed, const Share& share, ComputeClock& clock)
      : inputs_(shape.inputs),
        classes_(static_cast<std::size_t>(shape.outputs)),
        divisor_(static_cast<double>(share.divisor > 0 ? share.divisor : share.batch)),
        table_(shape.inputs, shape.outputs, seed, share),
        clock_(clock) {}

  void load(std::uint64_t step, std::uint64_t first, std::uint64_t count, Rows target) override {
    const ComputeClock::Piece piece(clock_);
    const float* source = table_.dense().data() + (table_.first_row(step) + first) * static_cast<std::size_t>(inputs_);
    unpack(source, static_cast<std::int64_t>(count), inputs_, target);
  }

  double loss(std::uint64_t step, std::uint64_t first, std::uint64_t count, const float* outputs, float* gradient) override {
    const ComputeClock::Piece piece(clock_);
    const auto labels = std::span(table_.labels()).subspan(table_.first_row(step) + first, count);
    return engine::softmax_cross_entropy({outputs, count * classes_}, labels, {}, divisor_, {gradient, count * classes_});
  }

  [[nodiscard]] std::uint64_t bytes() const override { return table_.bytes(); }

 private:
  std::int64_t inputs_;
  std::size_t classes_;
  double divisor_;
  PlantedBatches table_;
  ComputeClock& clock_;
};

class TimedAdam : public Optimizer {
 public:
  TimedAdam(std::size_t numbers, ComputeClock& clock)
      : adam_({}, numbers), bytes_(adam_.first_moment().size_bytes() + adam_.second_moment().size_bytes()), clock_(clock) {}

  void reset() override {
    std::ranges::fill(adam_.first_moment(), 0.0F);
    std::ranges::fill(adam_.second_moment(), 0.0F);
    adam_.set_steps(0);
  }
  void update(std::span<float> parameters, std::span<const float> gradients) override {
    const ComputeClock::Piece piece(clock_);
    adam_.step(parameters, gradients, learning_rate);
  }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }

 private:
  engine::Adam adam_;
  std::uint64_t bytes_;
  ComputeClock& clock_;
};

}  // namespace

EngineArithmetic::EngineArithmetic(const engine::NetworkShape& shape, std::uint64_t seed, ComputeClock& clock)
    : shape_(shape), seed_(seed), clock_(clock) {
  engine::prepare_products();  // what is compiled once belongs to no strategy
}

std::unique_ptr<Compute> EngineArithmetic::compute(const Share& share) {
  return timed(std::make_unique<EngineCompute>(shape_, seed_, share), clock_);
}

std::unique_ptr<Chain> EngineArithmetic::chain(const ChainShape& shape) { return std::make_unique<EngineChain>(shape, clock_); }

std::unique_ptr<Batches> EngineArithmetic::batches(const Share& share) {
  return std::make_unique<TimedBatches>(shape_, seed_, share, clock_);
}

std::unique_ptr<Optimizer> EngineArithmetic::optimizer(std::size_t numbers) {
  return std::make_unique<TimedAdam>(numbers, clock_);
}

void EngineArithmetic::draw(const std::string& name, const std::function<void(std::span<const float>)>& show) {
  engine::Network network(shape_);
  network.initialise(Philox(seed_, name));
  show(network.parameters());
}

}  // namespace hiple::scaling
