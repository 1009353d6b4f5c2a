#include <algorithm>
#include <bit>
#include <cmath>

#include "base/philox.hpp"
#include "scaling/strategy/pending.hpp"
#include "scaling/strategy/router.hpp"
#include "scaling/strategy/strategy.hpp"

namespace hiple::scaling {

namespace {

std::uint64_t rows(const Settings& settings, int ranks) { return settings.batch / static_cast<std::uint64_t>(ranks); }

/// Widths of the layers that are a mixture's experts: all but the first and the last.
std::vector<std::int64_t> expert_widths(const Settings& settings) {
  return {settings.widths.begin() + 1, settings.widths.end() - 1};
}

/// Room of an expert for the rows of a group.
std::int64_t slots(const Settings& settings) {
  const auto experts = static_cast<double>(settings.experts), group = static_cast<double>(settings.batch) / experts;
  const double even = static_cast<double>(settings.chosen) * group / experts;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(even * settings.capacity - 1e-9)));
}

/// A mixture of experts (Lepikhin et al., "GShard", ICLR 2021): the network's inner layers are there once for each expert, a
/// learned router sends every row to some of them, and their outputs, weighted, are added to what went in, so that a row without
/// room passes by. The experts are divided among the ranks, rows and all other layers are data parallel: rows travel to their
/// experts and back by an all-to-all each way, forward and backward. Rows come in groups, as many as experts, whose room is their
/// own: what a group does depends on no rank count.
class Mixture : public Strategy {
 public:
  Mixture(const Settings& settings, Arithmetic& arithmetic, Communicator& world)
      : world_(world),
        arithmetic_(arithmetic),
        steps_(settings.steps),
        rows_(static_cast<std::int64_t>(rows(settings, world.size()))),
        width_(settings.widths[1]),
        chosen_(static_cast<std::int64_t>(settings.chosen)),
        experts_(static_cast<std::int64_t>(settings.experts)),
        group_rows_(static_cast<std::int64_t>(settings.batch / settings.experts)),
        slots_(slots(settings)),
        own_experts_(experts_ / world.size()),
        whole_(lay_out(settings.widths)),
        expert_layers_(lay_out(expert_widths(settings))),
        expert_numbers_(numbers_of(expert_layers_)),
        router_({.rows = rows_,
                 .group_rows = group_rows_,
                 .groups = experts_,
                 .experts = experts_,
                 .chosen = chosen_,
                 .slots = slots_}),
        exchange_(world, 1),
        sums_(world, 2) {
    make_arithmetic(settings);
    place_layers();
    allocate_buffers();
  }

  void start() override {
    float* dense = dense_parameters_.data();
    arithmetic_.draw("monolith", [&](std::span<const float> initial) {
      std::ranges::copy(initial.subspan(whole_.front().begin, whole_.front().size), dense);
      std::ranges::copy(initial.subspan(whole_.back().begin, whole_.back().size), dense + back_);
      draw_router(initial);
    });
    for (std::int64_t i = 0; i < own_experts_; ++i) {
      const std::string name = "monolith/expert" + std::to_string(world_.rank() * own_experts_ + i);
      arithmetic_.draw(name, [&](std::span<const float> initial) {
        std::ranges::copy(initial.subspan(whole_[1].begin, expert_numbers_), expert_parameters_.data() + begin_of(i));
      });
    }
    dense_optimizer_->reset();
    expert_optimizer_->reset();
  }

  double step(std::uint64_t index) override {
    const double loss = forward(index);
    backward();
    dense_optimizer_->update(view(dense_parameters_), view(dense_gradients_));
    expert_optimizer_->update(view(expert_parameters_), view(expert_gradients_));
    return loss;
  }

  std::vector<TrainedModel> models() override { return {{"monolith", 0, steps_, layers_, collected_}}; }

  void collect() override {
    collected_.assign(dense_parameters_.size() + static_cast<std::size_t>(experts_) * expert_numbers_, 0.0F);
    std::ranges::copy(view(dense_parameters_), collected_.begin());
    const auto ranks = static_cast<std::size_t>(world_.size());
    world_.gather_all(view(expert_parameters_), std::span(collected_).subspan(dense_parameters_.size()),
                      parts_of(std::vector(ranks, expert_parameters_.size())));
  }

  [[nodiscard]] Held held() const override { return held_; }

 private:
  static std::span<float> view(Numbers& numbers) { return {numbers.data(), numbers.size()}; }
  /// Where the parameters of this rank's expert `i` begin.
  [[nodiscard]] std::size_t begin_of(std::int64_t i) const { return static_cast<std::size_t>(i) * expert_numbers_; }

  void make_arithmetic(const Settings& settings) {
    const Share share{.name = "monolith",
                      .first_row = static_cast<std::uint64_t>(rows_ * world_.rank()),
                      .rows = static_cast<std::uint64_t>(rows_),
                      .batch = settings.batch,
                      .steps = settings.steps};
    batches_ = arithmetic_.batches(share);
    held_.data = batches_->bytes();
    front_chain_ = arithmetic_.chain({.widths = {settings.widths[0], width_}, .rows = rows_});
    router_chain_ = arithmetic_.chain({.widths = {width_, experts_}, .rows = rows_, .is_linear_at_end = true});
    back_chain_ = arithmetic_.chain({.widths = {width_, settings.widths.back()}, .rows = rows_, .is_linear_at_end = true});
    for (std::int64_t i = 0; i < own_experts_; ++i) {
      expert_chains_.push_back(arithmetic_.chain({.widths = expert_widths(settings), .rows = experts_ * slots_}));
      held_.activations += expert_chains_.back()->bytes();
    }
    held_.activations += front_chain_->bytes() + router_chain_->bytes() + back_chain_->bytes();
  }

  /// The layers as they are written: the first, the router, the last; then all experts'.
  void place_layers() {
    const auto add = [this](LayerPlace layer, const std::string& name, std::size_t place) {
      const std::size_t shift = place - layer.begin;
      layer.name = name;
      for (std::size_t* member : {&layer.begin, &layer.weight, &layer.bias}) *member += shift;
      layers_.push_back(layer);
      return layer.end();
    };
    route_ = add(whole_.front(), "layer0", 0);
    back_ = add(router_chain_->layers().front(), "router", route_);
    std::size_t end = add(whole_.back(), whole_.back().name, back_);
    for (std::int64_t e = 0; e < experts_; ++e)
      for (std::size_t i = 0; i < expert_layers_.size(); ++i)
        end = add(expert_layers_[i], "expert" + std::to_string(e) + "/" + whole_[i + 1].name, end);
  }

  void allocate_buffers() {
    const std::size_t dense = layers_[2].end(), own = begin_of(own_experts_);
    dense_parameters_ = allocate(held_.parameters, dense);
    dense_gradients_ = allocate(held_.gradients, dense);
    expert_parameters_ = allocate(held_.parameters, own);
    expert_gradients_ = allocate(held_.gradients, own);
    dense_optimizer_ = arithmetic_.optimizer(dense);
    expert_optimizer_ = arithmetic_.optimizer(own);
    held_.optimizer = dense_optimizer_->bytes() + expert_optimizer_->bytes();
    // Of every expert the slots of this rank's groups; of this rank's experts those of all groups: as many.
    const auto travelling = static_cast<std::size_t>(experts_ * (rows_ / group_rows_) * slots_ * width_);
    for (Numbers* buffer : {&sent_, &received_, &expert_outputs_}) *buffer = allocate(held_.exchange, travelling);
    travelling_ = divide(travelling, world_.size());
    by_weight_ = allocate(held_.activations, static_cast<std::size_t>(rows_ * chosen_));
  }

  /// Small weights, so that at first all experts get about the same (Fedus et al., 2022): normal with variance 0.1 / inputs, a
  /// pure function of the network's first weights and so of the seed.
  void draw_router(std::span<const float> initial) {
    const auto low = std::bit_cast<std::uint32_t>(initial[0]), high = std::bit_cast<std::uint32_t>(initial[1]);
    PhiloxStream stream(Philox(std::uint64_t{high} << 32 | low, "monolith/router"), 0, 0, 0);
    const LayerPlace& router = layers_[1];
    std::fill_n(dense_parameters_.data() + router.begin, router.size, 0.0F);
    const double deviation = std::sqrt(0.1 / static_cast<double>(width_));
    for (std::int64_t i = 0; i < width_ * experts_; ++i)
      dense_parameters_.data()[router.weight + static_cast<std::size_t>(i)] =
          static_cast<float>(deviation * stream.next_normal());
  }

  /// Where a row's choice travels, in what is sent by this rank: [experts, groups of this rank, slots, width].
  [[nodiscard]] std::int64_t place(std::int64_t row, const Router::Choice& choice) const {
    const std::int64_t groups = rows_ / group_rows_;
    return ((choice.expert * groups + row / group_rows_) * slots_ + choice.slot) * width_;
  }
  /// Calls function(row, index of the choice, choice, its place) for every choice that found room.
  template <typename Function>
  void for_choices(const Function& function) const {
    for (std::int64_t row = 0; row < rows_; ++row) {
      for (std::int64_t i = 0; i < chosen_; ++i) {
        const Router::Choice& choice = router_.choice(row, i);
        if (choice.slot >= 0) function(row, i, choice, place(row, choice));
      }
    }
  }

  void travel(Numbers& received) { exchange_.exchange(view(sent_), travelling_, view(received), travelling_); }

  /// Calls function(rows of expert i, where they are in what travels, how many): one part for each rank that they come from.
  template <typename Function>
  void for_arrivals(std::int64_t expert, Rows rows, const Function& function) const {
    const std::int64_t count = rows_ / group_rows_ * slots_;
    for (std::int64_t rank = 0; rank < world_.size(); ++rank)
      function(Rows{rows.values + rank * count * rows.stride, rows.stride}, (rank * own_experts_ + expert) * count * width_,
               count);
  }

  void forward_layer(Chain& chain, std::size_t layer, const float* parameters, const LayerPlace& place) {
    chain.multiply(layer, parameters + place.weight);
    chain.activate(layer, parameters + place.bias);
  }
  void backward_layer(Chain& chain, std::size_t layer, float* gradients, const LayerPlace& place) {
    chain.through_activation(layer, gradients + place.bias, false);
    const std::int64_t most = rows_at_a_time(place);
    for (std::int64_t end = place.outputs; end > 0;) {
      const std::int64_t first = std::max<std::int64_t>(0, end - most);
      chain.weight_gradient(layer, first, end - first, gradients + place.row(first), false);
      end = first;
      sums_.progress();
    }
  }

  double forward(std::uint64_t index) {
    batches_->load(index, 0, static_cast<std::uint64_t>(rows_), front_chain_->values(0));
    forward_layer(*front_chain_, 0, dense_parameters_.data(), layers_[0]);
    const Rows x = front_chain_->values(1), routed = router_chain_->values(0), y = back_chain_->values(0);
    copy_rows(x, routed);
    forward_layer(*router_chain_, 0, dense_parameters_.data(), layers_[1]);
    router_.route(router_chain_->values(1));

    clear(view(sent_));
    for_choices([&](std::int64_t row, std::int64_t, const Router::Choice&, std::int64_t place) {
      std::copy_n(x.values + row * x.stride, width_, sent_.data() + place);
    });
    travel(received_);
    copy_rows(x, y);  // what has no room passes by
    exchange_.wait();
    for (std::int64_t i = 0; i < own_experts_; ++i) forward_expert(i);
    travel(expert_outputs_);
    exchange_.wait();
    for_choices([&](std::int64_t row, std::int64_t, const Router::Choice& choice, std::int64_t place) {
      const float* output = expert_outputs_.data() + place;
      for (std::int64_t k = 0; k < width_; ++k) y.values[row * y.stride + k] += choice.weight * output[k];
    });
    forward_layer(*back_chain_, 0, dense_parameters_.data(), layers_[2]);
    const double loss = batches_->loss(index, 0, static_cast<std::uint64_t>(rows_), back_chain_->values(1).values,
                                       back_chain_->gradient(1).values);
    return loss + router_.balance_loss();
  }

  void forward_expert(std::int64_t i) {
    Chain& chain = *expert_chains_[static_cast<std::size_t>(i)];
    for_arrivals(i, chain.values(0), [&](Rows rows, std::int64_t place, std::int64_t count) {
      unpack(received_.data() + place, count, width_, rows);
    });
    for (std::size_t layer = 0; layer < expert_layers_.size(); ++layer)
      forward_layer(chain, layer, expert_parameters_.data() + begin_of(i), expert_layers_[layer]);
    for_arrivals(i, chain.values(expert_layers_.size()),
                 [&](Rows rows, std::int64_t place, std::int64_t count) { pack(rows, count, width_, sent_.data() + place); });
  }

  void backward() {
    backward_layer(*back_chain_, 0, dense_gradients_.data(), layers_[2]);
    sums_.sum(view(dense_gradients_).subspan(layers_[2].begin, layers_[2].size));
    back_chain_->input_gradient(0, dense_parameters_.data() + layers_[2].weight);
    const Rows dy = back_chain_->gradient(0), dx = front_chain_->gradient(1);

    clear(view(sent_));
    clear(view(by_weight_));
    for_choices([&](std::int64_t row, std::int64_t i, const Router::Choice& choice, std::int64_t place) {
      const float* by_output = dy.values + row * dy.stride;
      float sum = 0;
      for (std::int64_t k = 0; k < width_; ++k) {
        sum += by_output[k] * expert_outputs_.data()[place + k];
        sent_.data()[place + k] = choice.weight * by_output[k];
      }
      by_weight_.data()[row * chosen_ + i] = sum;
    });
    travel(received_);
    // The router's way back needs nothing of the experts'.
    router_.gradient(by_weight_.data(), router_chain_->gradient(1));
    backward_layer(*router_chain_, 0, dense_gradients_.data(), layers_[1]);
    router_chain_->input_gradient(0, dense_parameters_.data() + layers_[1].weight);
    exchange_.wait();
    for (std::int64_t i = 0; i < own_experts_; ++i) backward_expert(i);
    travel(received_);
    const Rows by_router = router_chain_->gradient(0);
    for (std::int64_t row = 0; row < rows_; ++row)
      for (std::int64_t k = 0; k < width_; ++k)
        dx.values[row * dx.stride + k] = dy.values[row * dy.stride + k] + by_router.values[row * by_router.stride + k];
    exchange_.wait();
    for_choices([&](std::int64_t row, std::int64_t, const Router::Choice&, std::int64_t place) {
      for (std::int64_t k = 0; k < width_; ++k) dx.values[row * dx.stride + k] += received_.data()[place + k];
    });
    backward_layer(*front_chain_, 0, dense_gradients_.data(), layers_[0]);
    sums_.sum(view(dense_gradients_).first(layers_[2].begin));
    sums_.wait();
  }

  void backward_expert(std::int64_t i) {
    Chain& chain = *expert_chains_[static_cast<std::size_t>(i)];
    for_arrivals(i, chain.gradient(expert_layers_.size()), [&](Rows rows, std::int64_t place, std::int64_t count) {
      unpack(received_.data() + place, count, width_, rows);
    });
    for (std::size_t layer = expert_layers_.size(); layer-- > 0;) {
      backward_layer(chain, layer, expert_gradients_.data() + begin_of(i), expert_layers_[layer]);
      chain.input_gradient(layer, expert_parameters_.data() + begin_of(i) + expert_layers_[layer].weight);
    }
    for_arrivals(i, chain.gradient(0),
                 [&](Rows rows, std::int64_t place, std::int64_t count) { pack(rows, count, width_, sent_.data() + place); });
  }

  void copy_rows(Rows from, Rows to) const {
    for (std::int64_t row = 0; row < rows_; ++row)
      std::copy_n(from.values + row * from.stride, width_, to.values + row * to.stride);
  }

  Communicator& world_;
  Arithmetic& arithmetic_;
  std::uint64_t steps_;
  std::int64_t rows_, width_, chosen_, experts_, group_rows_, slots_, own_experts_;
  std::vector<LayerPlace> whole_;          // of the network without experts
  std::vector<LayerPlace> expert_layers_;  // of one expert
  std::size_t expert_numbers_;
  Router router_;
  Pending exchange_, sums_;
  Held held_;
  std::unique_ptr<Batches> batches_;
  std::unique_ptr<Chain> front_chain_, router_chain_, back_chain_;
  std::vector<std::unique_ptr<Chain>> expert_chains_;  // of this rank's experts
  std::vector<LayerPlace> layers_;                     // of all
  std::size_t route_ = 0, back_ = 0;                   // where the router and the last layer begin
  Numbers dense_parameters_, dense_gradients_, expert_parameters_, expert_gradients_;
  std::unique_ptr<Optimizer> dense_optimizer_, expert_optimizer_;
  Numbers sent_, received_, expert_outputs_;
  Parts travelling_;
  Numbers by_weight_;  // [rows, chosen]
  std::vector<float> collected_;
};

void check_experts(const Settings& settings, int ranks, Problems& problems) {
  const std::string experts = std::to_string(settings.experts) + " experts";
  if (settings.experts % static_cast<std::uint64_t>(ranks) != 0)
    problems.add(Place{"--experts"}, experts + " do not divide among " + std::to_string(ranks) + " ranks",
                 "every rank has as many as the others", "give a multiple of " + std::to_string(ranks));
  if (settings.batch % settings.experts != 0)
    problems.add(Place{"--batch"},
                 std::to_string(settings.batch) + " rows do not divide into " + std::to_string(settings.experts) + " groups",
                 "rows share the experts' room in groups, as many as experts",
                 "give a multiple of " + std::to_string(settings.experts));
  if (settings.chosen > settings.experts)
    problems.add(Place{"--chosen"}, "there are " + experts, {}, "choose as many of them at most");
}

void check(const Settings& settings, int ranks, Problems& problems) {
  check_experts(settings, ranks, problems);
  const std::vector<std::int64_t>& widths = settings.widths;
  if (widths.size() < 4)
    problems.add(Place{"--network"}, "there is no layer between the first one and the last one",
                 "the layers between them are the experts'", "write two hidden widths or more, such as 64-512-512-16");
  else if (widths[1] != widths[widths.size() - 2])
    problems.add(
        Place{"--network"},
        "experts with " + std::to_string(widths[1]) + " inputs and " + std::to_string(widths[widths.size() - 2]) + " outputs",
        "what they put out is added to what went in", "let the first hidden width and the last be the same");
}

std::unique_ptr<Strategy> make(const Settings& settings, Arithmetic& arithmetic, Communicator& world) {
  return std::make_unique<Mixture>(settings, arithmetic, world);
}

}  // namespace

StrategyKind moe_kind() {
  return {"moe", "mixture of experts: a learned router sends rows to experts on all ranks", {}, check, rows, make};
}

}  // namespace hiple::scaling
