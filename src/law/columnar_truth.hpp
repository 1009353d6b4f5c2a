#pragma once

#include <span>
#include <vector>

#include "law/columnar_circuit.hpp"

/// Strong Kleene logic over planes: what kleene.hpp does for one case.
namespace hiple::law::columnar {

/// Why a proposition is UNKNOWN, as far as decisions depend on it: for each engine that nobody called the cases that wait for
/// it, and the cases that wait for anything else.
using Causes = std::vector<std::pair<std::uint32_t, Plane>>;  ///< ascending by engine; `other_cause` last
inline constexpr std::uint32_t other_cause = 0xFFFFFFFF;

/// A proposition. The planes of `causes` lie where it is UNKNOWN.
struct Proposition {
  Plane yes = nowhere, no = everywhere;
  Causes causes;
};

/// What is read of a column, an engine or a panel: where it is known, and why not elsewhere.
struct Known {
  Plane known = everywhere;
  Causes causes;
};

class Logic {
 public:
  /// `track_causes`: some engine can be inactive; else no decision depends on causes, and none are kept.
  Logic(Circuit& circuit, bool track_causes) : circuit_(circuit), track_(track_causes) {}

  [[nodiscard]] Circuit& circuit() const { return circuit_; }
  [[nodiscard]] bool tracks() const { return track_; }

  static Proposition constant(bool value) { return value ? Proposition{everywhere, nowhere, {}} : Proposition{}; }
  static Proposition negate(Proposition a) {
    std::swap(a.yes, a.no);
    return a;
  }
  /// TRUE where `yes`, wherever it is known; FALSE elsewhere there.
  Proposition proposition(const Known& known, Plane yes) const;
  Proposition both(const Proposition& a, const Proposition& b) const;
  Proposition either(const Proposition& a, const Proposition& b) const;
  Proposition all(std::span<const Proposition> parts) const;
  Proposition any(std::span<const Proposition> parts) const;
  [[nodiscard]] Plane unknown(const Proposition& a) const { return circuit_.complement(circuit_.either(a.yes, a.no)); }

  Plane any_plane(std::span<const Plane> planes) const;
  /// UNKNOWN wherever one of them is, with its causes.
  Known together(const Known& a, const Known& b) const;
  /// Adds causes, where `where`.
  void add(Causes& causes, const Causes& more, Plane where = everywhere) const;
  void add(Causes& causes, std::uint32_t cause, Plane where) const;
  /// Only where `where`.
  [[nodiscard]] Causes within(const Causes& causes, Plane where) const;
  static Plane of(const Causes& causes, std::uint32_t cause);

 private:
  Circuit& circuit_;
  bool track_;
};

}  // namespace hiple::law::columnar
