#include "law/columnar_truth.hpp"

#include <algorithm>

namespace hiple::law::columnar {

Proposition Logic::proposition(const Known& known, Plane yes) const {
  return {circuit_.both(known.known, yes), circuit_.without(known.known, yes), known.causes};
}

Proposition Logic::both(const Proposition& a, const Proposition& b) const {
  const Proposition parts[] = {a, b};
  return all(parts);
}

Proposition Logic::either(const Proposition& a, const Proposition& b) const { return negate(both(negate(a), negate(b))); }

Proposition Logic::all(std::span<const Proposition> parts) const {
  Proposition result = constant(true);
  for (const Proposition& part : parts) {
    result.yes = circuit_.both(result.yes, part.yes);
    result.no = circuit_.either(result.no, part.no);
  }
  if (!track_) return result;
  for (const Proposition& part : parts) add(result.causes, part.causes);
  // A part that is UNKNOWN keeps the whole from being TRUE; only FALSE makes its causes irrelevant.
  for (auto& [cause, plane] : result.causes) plane = circuit_.without(plane, result.no);
  return result;
}

Proposition Logic::any(std::span<const Proposition> parts) const {
  std::vector<Proposition> negated;
  negated.reserve(parts.size());
  for (const Proposition& part : parts) negated.push_back(negate(part));
  return negate(all(negated));
}

Plane Logic::any_plane(std::span<const Plane> planes) const {
  Plane result = nowhere;
  for (const Plane plane : planes) result = circuit_.either(result, plane);
  return result;
}

Known Logic::together(const Known& a, const Known& b) const {
  Known result{circuit_.both(a.known, b.known), a.causes};
  add(result.causes, b.causes);
  return result;
}

void Logic::add(Causes& causes, std::uint32_t cause, Plane where) const {
  if (!track_ || where == nowhere) return;
  const auto at = std::lower_bound(causes.begin(), causes.end(), cause,
                                   [](const auto& entry, std::uint32_t wanted) { return entry.first < wanted; });
  if (at != causes.end() && at->first == cause)
    at->second = circuit_.either(at->second, where);
  else
    causes.insert(at, {cause, where});
}

void Logic::add(Causes& causes, const Causes& more, Plane where) const {
  for (const auto& [cause, plane] : more) add(causes, cause, circuit_.both(plane, where));
}

Causes Logic::within(const Causes& causes, Plane where) const {
  Causes result;
  add(result, causes, where);
  return result;
}

Plane Logic::of(const Causes& causes, std::uint32_t cause) {
  for (const auto& [number, plane] : causes)
    if (number == cause) return plane;
  return nowhere;
}

}  // namespace hiple::law::columnar
