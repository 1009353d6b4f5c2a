#include "condition/aggregate.hpp"

#include <algorithm>
#include <optional>

#include "condition/compare.hpp"
#include "condition/condition.hpp"

namespace hiple::condition {

namespace {

constexpr std::uint32_t disagree = 4;  // in an engine's block of causes

bool is_silent(const Node& member, const View& view) {
  const Voice::State state = view.engine(member.index).state;
  return state == Voice::State::abstained || state == Voice::State::invalid;
}

/// Calls `use` for each member of a group that counts: all, but those that abstained where another spoke.
template <class Use>
const Node& for_each_speaker(const std::vector<Node>& group, const View& view, Use use) {
  const bool any = std::any_of(group.begin(), group.end(), [&](const Node& member) { return !is_silent(member, view); });
  const Node* first = &group.front();
  bool is_first = true;
  for (const Node& member : group) {
    if (any && group.size() > 1 && is_silent(member, view)) continue;
    if (is_first) first = &member;
    is_first = false;
    use(member);
  }
  return *first;
}

std::optional<double> read_member(const Node& member, const View& view, CauseSet& causes) {
  if (member.operands.empty()) return value_of(member, view, causes);
  const Truth counted = evaluate(member.operands[0], view, causes);
  return counted == Truth::unknown ? std::nullopt : std::optional(counted == Truth::yes ? 1.0 : 0.0);
}

struct Range {
  double low = 0, high = 1;  // all that can be averaged or counted lies in [0, 1]
};

Range read_group(const std::vector<Node>& group, const View& view, CauseSet& causes) {
  Range range{1, 0};
  bool complete = true;
  const Node& first = for_each_speaker(group, view, [&](const Node& member) {
    const auto value = read_member(member, view, causes);
    complete &= value.has_value();
    if (!value) return;
    range.low = std::min(range.low, *value);
    range.high = std::max(range.high, *value);
  });
  if (!complete) return {};
  if (range.low != range.high) causes.add(first.cause + disagree);
  return range;
}

/// The aggregate of all groups, in their order.
Range fold(const Node& aggregate, const View& view, CauseSet& causes) {
  Range all{0, 0};
  bool is_first = true;
  for (const std::vector<Node>& group : aggregate.groups) {
    const Range range = read_group(group, view, causes);
    if (is_first)
      all = range;
    else if (aggregate.op == Op::minimum)
      all = {std::min(all.low, range.low), std::min(all.high, range.high)};
    else if (aggregate.op == Op::maximum)
      all = {std::max(all.low, range.low), std::max(all.high, range.high)};
    else
      all = {all.low + range.low, all.high + range.high};
    is_first = false;
  }
  const auto groups = static_cast<double>(aggregate.groups.size());
  return aggregate.op == Op::mean ? Range{all.low / groups, all.high / groups} : all;
}

Truth compare_range(Op op, Range range, double constant) {
  if (op == Op::equal || op == Op::not_equal) {
    if (range.low == range.high && range.low == constant) return truth_of(op == Op::equal);
    if (range.low <= constant && constant <= range.high) return Truth::unknown;
    return truth_of(op == Op::not_equal);
  }
  const bool at_low = compare(op, range.low, constant);
  return at_low == compare(op, range.high, constant) ? truth_of(at_low) : Truth::unknown;
}

}  // namespace

Truth compare_aggregate(const Node& comparison, const View& view, CauseSet& causes) {
  CauseSet found;
  const Range range = fold(comparison.operands[0], view, found);
  const Truth result = compare_range(comparison.op, range, comparison.operands[1].value);
  if (result == Truth::unknown) causes.add(found);
  return result;
}

Truth evaluate_agree(const Node& node, const View& view, CauseSet& causes) {
  CauseSet found;
  std::optional<double> label;  // that all groups so far have in common
  for (const std::vector<Node>& group : node.groups) {
    std::optional<double> own;
    bool several = false, complete = true;
    const Node& first = for_each_speaker(group, view, [&](const Node& member) {
      const auto value = value_of(member, view, found);
      complete &= value.has_value();
      several |= value && own && *own != *value;
      if (value) own = value;
    });
    if (!complete) continue;
    if (several) {
      found.add(first.cause + disagree);
    } else {
      if (label && *label != *own) return Truth::no;
      label = own;
    }
  }
  if (!found.empty()) {
    causes.add(found);
    return Truth::unknown;
  }
  if (node.groups.size() > 1) return Truth::yes;
  causes.add(CauseTable::one_group);
  return Truth::unknown;
}

}  // namespace hiple::condition
