#include "condition/compare.hpp"
#include "law/columnar_conditions.hpp"

/// count, min, max, mean and agree over planes: what condition/aggregate.cpp does for one case.
namespace hiple::law::columnar {

using condition::Node;
using condition::Op;

namespace {

/// Where at least 0, 1, ... of the planes are set.
std::vector<Plane> at_least(Circuit& circuit, std::span<const Plane> planes) {
  std::vector<Plane> counts = {everywhere};
  for (const Plane plane : planes) {
    counts.push_back(nowhere);
    for (std::size_t i = counts.size() - 1; i > 0; --i) counts[i] = circuit.either(counts[i], circuit.both(counts[i - 1], plane));
  }
  return counts;
}

/// Where a number given by at_least() compares so with a constant.
Plane compare_count(Circuit& circuit, const std::vector<Plane>& counts, Op op, double constant) {
  Plane result = nowhere;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!condition::compare(op, static_cast<double>(i), constant)) continue;
    const Plane exactly = i + 1 < counts.size() ? circuit.without(counts[i], counts[i + 1]) : counts[i];
    result = circuit.either(result, exactly);
  }
  return result;
}

}  // namespace

/// What an abstained or invalid engine is, while it is consulted.
Plane Conditions::silent(std::size_t engine) {
  return engine_known(engine, {JudgmentStatus::abstained, JudgmentStatus::invalid}).known;
}

/// A member that is silent does not count where another of its group spoke.
Conditions::Group Conditions::group(const std::vector<Node>& members, bool careful) {
  Group group;
  Plane all_silent = everywhere;
  for (const Node& member : members) all_silent = circuit_.both(all_silent, silent(member.index));
  for (const Node& node : members) {
    Group::Member member{&node, everywhere, {}, {}, {}};
    if (members.size() > 1) member.counts = circuit_.complement(circuit_.without(silent(node.index), all_silent));
    if (node.operands.empty()) {
      member.value = value(node, careful);
      member.known = member.value.known;
    } else {
      member.counted = read(node.operands[0], careful);
      member.known = {circuit_.either(member.counted.yes, member.counted.no), member.counted.causes};
    }
    group.complete = circuit_.without(group.complete, circuit_.without(member.counts, member.known.known));
    logic_.add(group.causes, member.known.causes, member.counts);
    group.members.push_back(std::move(member));
  }
  return group;
}

/// Where all members that count are TRUE, or all FALSE.
Plane Conditions::counted_is(const Group& group, bool yes) {
  Plane result = group.complete;
  for (const Group::Member& member : group.members)
    result = circuit_.without(result, circuit_.without(member.counts, yes ? member.counted.yes : member.counted.no));
  return result;
}

Proposition Conditions::read_aggregate(const Node& comparison, bool careful) {
  const Node& aggregate = comparison.operands[0];
  std::vector<Group> groups;
  groups.reserve(aggregate.groups.size());
  for (const std::vector<Node>& members : aggregate.groups) groups.push_back(group(members, careful));
  Proposition result;
  std::tie(result.yes, result.no) = aggregate.op == Op::count  ? count(comparison, groups)
                                    : aggregate.op == Op::mean ? mean(comparison, groups)
                                                               : extreme(comparison, groups);
  if (!logic_.tracks()) return result;
  const Plane unknown = logic_.unknown(result);
  for (const Group& group : groups) {
    logic_.add(result.causes, group.causes, unknown);
    // Members that count and differ: the group disagrees.
    Plane differs = nowhere;
    for (const Group::Member& a : group.members)
      for (const Group::Member& b : group.members) {
        if (&a >= &b) continue;
        const Plane other = aggregate.op == Op::count ? circuit_.either(circuit_.both(a.counted.yes, b.counted.no),
                                                                        circuit_.both(a.counted.no, b.counted.yes))
                                                      : compare(Op::not_equal, a.value, b.value);
        differs = circuit_.either(differs, circuit_.both(circuit_.both(a.counts, b.counts), other));
      }
    logic_.add(result.causes, other_cause, circuit_.both(unknown, circuit_.both(group.complete, differs)));
  }
  return result;
}

/// How an interval compares with a constant, from how its ends do.
std::pair<Plane, Plane> Conditions::interval(Op op, const std::function<Plane(Op, bool)>& bound) {
  if (op != Op::equal && op != Op::not_equal) {
    const Plane low = bound(op, true), high = bound(op, false);
    return {circuit_.both(low, high), circuit_.without(circuit_.complement(low), high)};
  }
  const Plane low_under = bound(Op::less_equal, true), high_over = bound(Op::greater_equal, false);
  const Plane equal = circuit_.both(circuit_.both(low_under, bound(Op::greater_equal, true)),
                                    circuit_.both(high_over, bound(Op::less_equal, false)));
  const Plane differs = circuit_.complement(circuit_.both(low_under, high_over));
  return op == Op::equal ? std::pair(equal, differs) : std::pair(differs, equal);
}

std::pair<Plane, Plane> Conditions::count(const Node& comparison, const std::vector<Group>& groups) {
  std::vector<Plane> surely, possibly;
  for (const Group& group : groups) {
    surely.push_back(counted_is(group, true));
    possibly.push_back(circuit_.complement(counted_is(group, false)));
  }
  const std::vector<Plane> low = at_least(circuit_, surely), high = at_least(circuit_, possibly);
  return interval(comparison.op, [&](Op op, bool is_low) {
    return compare_count(circuit_, is_low ? low : high, op, comparison.operands[1].value);
  });
}

/// Where the lower (or upper) end of a minimum or maximum compares so. A group that is not complete is anything in [0, 1].
Plane Conditions::bound(const Node& comparison, Op op, const std::vector<Group>& groups, bool low) {
  const double limit = comparison.operands[1].value;
  const bool over = op == Op::greater || op == Op::greater_equal;
  // A minimum is over a constant if all are, and under it if any is; a maximum the other way round.
  const auto fold = [&](std::vector<Plane> planes, bool minimum) {
    if (over != minimum) return logic_.any_plane(planes);
    for (Plane& plane : planes) plane = circuit_.complement(plane);
    return circuit_.complement(logic_.any_plane(planes));
  };
  std::vector<Plane> of_groups;
  for (const Group& group : groups) {
    std::vector<Plane> members;
    for (const Group::Member& member : group.members) {
      const Plane compares = number_compare(member.value.vector, op, limit);
      // What does not count must not matter: TRUE where all are asked, FALSE where any is.
      members.push_back(over != low ? circuit_.both(member.counts, compares)
                                    : circuit_.either(circuit_.complement(member.counts), compares));
    }
    const bool open = condition::compare(op, low ? 0.0 : 1.0, limit);
    const Plane spoken = circuit_.both(group.complete, fold(members, low));
    of_groups.push_back(open ? circuit_.either(spoken, circuit_.complement(group.complete)) : spoken);
  }
  return fold(of_groups, comparison.operands[0].op == Op::minimum);
}

std::pair<Plane, Plane> Conditions::extreme(const Node& comparison, const std::vector<Group>& groups) {
  return interval(comparison.op, [&](Op op, bool low) { return bound(comparison, op, groups, low); });
}

std::pair<Plane, Plane> Conditions::mean(const Node& comparison, const std::vector<Group>& groups) {
  Mean mean{comparison.op, comparison.operands[1].value, {}};
  for (const Group& group : groups) {
    MeanGroup& entry = mean.groups.emplace_back();
    entry.complete = group.complete;
    for (const Group::Member& member : group.members) entry.members.emplace_back(member.value.vector, member.counts);
  }
  return circuit_.mean(std::move(mean));
}

/// A group has one label where all its members that count have it. FALSE once two groups differ; TRUE when all of two or more
/// have the same.
Proposition Conditions::read_agree(const Node& node) {
  std::map<std::uint32_t, Plane> labels;  // of any group
  Plane several = nowhere, open = nowhere;
  Causes causes;
  for (const std::vector<Node>& members : node.groups) {
    const Group group = this->group(members, false);
    Plane one_label = nowhere;
    std::map<std::uint32_t, Plane> own;
    for (const Group::Member& member : group.members)
      for (const auto& [text, plane] : member.value.texts) own.try_emplace(text, group.complete);
    for (auto& [text, plane] : own) {
      for (const Group::Member& member : group.members) {
        const auto found = member.value.texts.find(text);
        const Plane says = found == member.value.texts.end() ? nowhere : found->second;
        plane = circuit_.without(plane, circuit_.without(member.counts, says));
      }
      one_label = circuit_.either(one_label, plane);
      Plane& all = labels.try_emplace(text, nowhere).first->second;
      all = circuit_.either(all, plane);
    }
    open = circuit_.either(open, circuit_.complement(one_label));
    logic_.add(causes, group.causes);
    logic_.add(causes, other_cause, circuit_.without(group.complete, one_label));
  }
  Plane any = nowhere;
  for (const auto& [text, plane] : labels) {
    several = circuit_.either(several, circuit_.both(any, plane));
    any = circuit_.either(any, plane);
  }
  Proposition result{nowhere, several, {}};
  if (node.groups.size() > 1)
    result.yes = circuit_.complement(circuit_.either(several, open));
  else
    logic_.add(causes, other_cause, circuit_.complement(open));
  result.causes = logic_.within(causes, circuit_.complement(several));
  return result;
}

}  // namespace hiple::law::columnar
