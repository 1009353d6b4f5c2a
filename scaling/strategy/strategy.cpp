#include "scaling/strategy/strategy.hpp"

#include "base/text.hpp"

namespace hiple::scaling {

const std::vector<StrategyKind>& strategy_kinds() {
  static const std::vector<StrategyKind> kinds = {single_kind(), ddp_kind(), zero1_kind(), zero2_kind(),    zero3_kind(),
                                                  tp_kind(),     pp_kind(),  moe_kind(),   localsgd_kind(), hiple_kind()};
  return kinds;
}

const StrategyKind& strategy_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const StrategyKind& kind : strategy_kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  throw InputError(Place{"--strategy"}, "no strategy \"" + printable(name) + "\"", {}, suggestion(name, names));
}

}  // namespace hiple::scaling
