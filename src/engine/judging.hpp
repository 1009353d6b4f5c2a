#pragma once

#include "engine/engine.hpp"
#include "engine/model.hpp"

namespace hiple::engine {

/// Rows of one forward pass. Always the same, so that no row's result can depend on how many are judged with it.
inline constexpr std::int64_t judging_batch = 1024;

/// Judges these rows of the table, which are ascending, as Engine::judge says.
Judgments judge(const Model& model, const Table& table, std::span<const std::uint32_t> wanted, int threads,
                const std::function<void()>& beat);

/// Figures on test rows, as Engine::held_out says.
HeldOut held_out_figures(const Target& target, const Table& table, std::span<const std::uint32_t> test,
                         const Judgments& judgments);

}  // namespace hiple::engine
