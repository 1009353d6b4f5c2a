#pragma once

#include <span>

#include "law/law.hpp"
#include "law/leaves.hpp"

namespace hiple::law {

/// Derives decisions again after a change of the law: only those of the cases in `rows`, ascending, are withdrawn and evaluated,
/// and leaves of the root that hold one of them are hashed from what they were hashed of before (leaves.hpp). What comes out is
/// what decide() gives, to the last bit and by the same root, where no other case can have changed: `rows` is the cone of the
/// change (cone_of), with every case about which evidence says something else now.
///
/// `before`: the decisions of the earlier version over the same table, and `leaves` those of its root, which become those of
/// what is returned. Throws Error: other questions, findings, engines or cases than before, or a case outside of `rows` that
/// cites a rule which is gone.
Decisions decide_again(const Law& law, Decisions before, Leaves& leaves, std::span<const std::uint32_t> rows, const Table& table,
                       const std::vector<EngineJudgments>& engines, const DecideOptions& options = {});

}  // namespace hiple::law
