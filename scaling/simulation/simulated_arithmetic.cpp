#include "scaling/simulation/simulated_arithmetic.hpp"

#include "scaling/simulation/memory.hpp"

namespace hiple::simulation {

namespace {

using namespace hiple::scaling;

float* anywhere() { return static_cast<float*>(shared_memory(0)); }
void ran(double seconds) { this_rank().clock.ran(seconds); }

class SimulatedChain : public Chain {
 public:
  SimulatedChain(const ChainShape& shape, const Pieces& pieces) : layers_(lay_out(shape.widths)), widths_(shape.widths) {
    for (const LayerPlace& layer : layers_) seconds_.push_back(&pieces.layer(layer.inputs, layer.outputs, shape.rows));
  }
  [[nodiscard]] const std::vector<LayerPlace>& layers() const override { return layers_; }
  [[nodiscard]] Rows values(std::size_t place) override { return {anywhere(), widths_[place]}; }
  [[nodiscard]] Rows gradient(std::size_t place) override { return {anywhere(), widths_[place]}; }
  void multiply(std::size_t layer, const float*) override { ran(seconds_[layer]->multiply); }
  void activate(std::size_t layer, const float*) override { ran(seconds_[layer]->activate); }
  void through_activation(std::size_t layer, float*, bool) override { ran(seconds_[layer]->through_activation); }
  void weight_gradient(std::size_t layer, std::int64_t, std::int64_t count, float*, bool) override {
    ran(seconds_[layer]->weight_row * static_cast<double>(count));
  }
  void input_gradient(std::size_t layer, const float*) override { ran(seconds_[layer]->input); }
  [[nodiscard]] std::uint64_t bytes() const override { return 0; }

 private:
  std::vector<LayerPlace> layers_;
  std::vector<std::int64_t> widths_;
  std::vector<const Pieces::Layer*> seconds_;
};

class SimulatedBatches : public Batches {
 public:
  SimulatedBatches(std::int64_t inputs, std::int64_t classes, const Pieces& pieces)
      : inputs_(static_cast<double>(inputs)), classes_(static_cast<double>(classes)), pieces_(pieces) {}
  void load(std::uint64_t, std::uint64_t, std::uint64_t count, Rows) override {
    ran(pieces_.copy * static_cast<double>(count) * inputs_);
  }
  double loss(std::uint64_t, std::uint64_t, std::uint64_t count, const float*, float*) override {
    ran(pieces_.loss * static_cast<double>(count) * classes_);
    return 0;
  }
  [[nodiscard]] std::uint64_t bytes() const override { return 0; }

 private:
  double inputs_, classes_;
  const Pieces& pieces_;
};

class SimulatedAdam : public Optimizer {
 public:
  SimulatedAdam(std::size_t numbers, const Pieces& pieces)
      : bytes_(2 * sizeof(float) * numbers), seconds_(pieces.adam_step(static_cast<std::int64_t>(numbers))) {}
  void reset() override {}
  void update(std::span<float>, std::span<const float>) override { ran(seconds_); }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }

 private:
  std::uint64_t bytes_;
  double seconds_;
};

/// A whole step, of the pieces of a chain: as engine::TrainingPass goes through it.
class SimulatedCompute : public Compute {
 public:
  SimulatedCompute(const std::vector<std::int64_t>& widths, const Share& share, const Pieces& pieces)
      : chain_({.widths = widths, .rows = static_cast<std::int64_t>(share.rows), .is_linear_at_end = true}, pieces),
        batches_(widths.front(), widths.back(), pieces),
        adam_(share.updated ? share.updated->size : numbers_of(chain_.layers()), pieces),
        rows_(share.rows),
        numbers_(numbers_of(chain_.layers())) {
    for (const LayerPlace& layer : chain_.layers()) layers_.push_back({layer.begin, layer.size});
  }
  [[nodiscard]] std::span<const Range> layers() const override { return layers_; }
  std::span<float> parameters() override { return {anywhere(), numbers_}; }
  std::span<float> gradients() override { return {anywhere(), numbers_}; }
  void start() override {}

  double forward(std::uint64_t step) override {
    batches_.load(step, 0, rows_, chain_.values(0));
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
      chain_.multiply(layer, nullptr);
      chain_.activate(layer, nullptr);
    }
    return batches_.loss(step, 0, rows_, nullptr, nullptr);
  }

  void backward(const CompleteHook& complete_from) override {
    for (std::size_t i = layers_.size(); i-- > 0;) {
      const LayerPlace& layer = chain_.layers()[i];
      chain_.through_activation(i, nullptr, false);
      const std::int64_t most = rows_at_a_time(layer);
      for (std::int64_t end = layer.outputs; end > 0;) {
        const std::int64_t first = std::max<std::int64_t>(0, end - most);
        chain_.weight_gradient(i, first, end - first, nullptr, false);
        if (complete_from) complete_from(layer.row(first));
        end = first;
      }
      if (i > 0) chain_.input_gradient(i, nullptr);
    }
  }

  void update() override { adam_.update({}, {}); }

  [[nodiscard]] Held held() const override {
    Held held;
    held.parameters = held.gradients = sizeof(float) * numbers_;
    held.optimizer = adam_.bytes();
    return held;
  }

 private:
  SimulatedChain chain_;
  SimulatedBatches batches_;
  SimulatedAdam adam_;
  std::uint64_t rows_;
  std::size_t numbers_;
  std::vector<Range> layers_;
};

}  // namespace

std::unique_ptr<Compute> SimulatedArithmetic::compute(const Share& share) {
  return std::make_unique<SimulatedCompute>(widths_, share, pieces_);
}
std::unique_ptr<Chain> SimulatedArithmetic::chain(const ChainShape& shape) {
  return std::make_unique<SimulatedChain>(shape, pieces_);
}
std::unique_ptr<Batches> SimulatedArithmetic::batches(const Share&) {
  return std::make_unique<SimulatedBatches>(widths_.front(), widths_.back(), pieces_);
}
std::unique_ptr<Optimizer> SimulatedArithmetic::optimizer(std::size_t numbers) {
  return std::make_unique<SimulatedAdam>(numbers, pieces_);
}

}  // namespace hiple::simulation
