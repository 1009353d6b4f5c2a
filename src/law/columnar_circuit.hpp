#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "condition/syntax.hpp"

/// A law as a circuit over bit planes. A plane has one bit a case; a proposition is two planes, where it is TRUE and where it is
/// FALSE. Equal gates are made once, so that what two rules, or both readings of one, have in common is computed once.
namespace hiple::law::columnar {

/// The number of a gate, and of the plane that it gives.
using Plane = std::uint32_t;
inline constexpr Plane nowhere = 0, everywhere = 1;

/// A column of numbers: what is compared. Wherever it is not known its values are arbitrary.
struct Vector {
  enum class Kind : std::uint8_t {
    constant,     ///< number
    column,       ///< `a`: of the law's columns
    label,        ///< `a`: an engine; the class's index in the law's order
    confidence,   ///< `a`
    typicality,   ///< `a`
    value,        ///< `a`
    probability,  ///< `a`, and `b` the class
    minus,        ///< of `a`
    absolute,     ///< of `a`
    age,          ///< completed years from date `a` to the day `number`
    add,          ///< of `a` and `b`, as the three below
    subtract,
    multiply,
    divide,
    convert,  ///< `a` * number + offset
  };
  Kind kind = Kind::constant;
  std::uint32_t a = 0, b = 0;
  double number = 0, offset = 0;
};

/// A plane that is read off the data, whichever engines are active.
struct Leaf {
  enum class Kind : std::uint8_t {
    known,    ///< column `a` is known, whose values are vector `b`
    invalid,  ///< column `a` is invalid: of evidence, its sources differ
    status,   ///< the judgment of engine `a` has status `b`
    compare,  ///< vector `a` `op` vector `b`
  };
  Kind kind = Kind::known;
  condition::Op op = condition::Op::equal;
  std::uint32_t a = 0, b = 0;
};

/// One independent voice of a mean: its members, each with the plane where it counts.
struct MeanGroup {
  Plane complete = nowhere;  ///< everything that counts is known
  std::vector<std::pair<std::uint32_t, Plane>> members;
};

/// The comparison of a mean with a constant; the mean is an interval, and sums run in the order of the groups.
struct Mean {
  condition::Op op = condition::Op::less;
  double constant = 0;
  std::vector<MeanGroup> groups;
};

struct Gate {
  enum class Kind : std::uint8_t {
    constant,     ///< planes 0 and 1
    leaf,         ///< `a`: of Circuit::leaves()
    active,       ///< engine `a` is consulted
    mean,         ///< `a`: of Circuit::means(); `b` 0: TRUE, 1: FALSE
    conjunction,  ///< a & b
    disjunction,  ///< a | b
    without,      ///< a & ~b
    complement,   ///< ~a
  };
  Kind kind = Kind::constant;
  std::uint32_t a = 0, b = 0;
};

/// Makes gates, and no gate twice.
class Circuit {
 public:
  Circuit();

  Plane leaf(const Leaf& leaf);
  Plane active(std::uint32_t engine) { return gate({Gate::Kind::active, engine, 0}); }
  /// Where it is TRUE, and where it is FALSE.
  std::pair<Plane, Plane> mean(Mean mean);
  Plane both(Plane a, Plane b);
  Plane either(Plane a, Plane b);
  Plane without(Plane a, Plane b);  ///< a and not b
  Plane complement(Plane a);
  std::uint32_t vector(const Vector& vector);

  [[nodiscard]] const std::vector<Gate>& gates() const { return gates_; }
  [[nodiscard]] const std::vector<Leaf>& leaves() const { return leaves_; }
  [[nodiscard]] const std::vector<Vector>& vectors() const { return vectors_; }
  [[nodiscard]] const std::vector<Mean>& means() const { return means_; }

 private:
  Plane gate(const Gate& gate);
  [[nodiscard]] bool is(Plane plane, Gate::Kind kind) const { return gates_[plane].kind == kind; }

  struct Key {
    std::uint64_t kind, a, b, c, d;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  std::uint32_t number(std::unordered_map<Key, std::uint32_t, KeyHash>& table, const Key& key, std::size_t next);

  std::vector<Gate> gates_;
  std::vector<Leaf> leaves_;
  std::vector<Vector> vectors_;
  std::vector<Mean> means_;
  std::unordered_map<Key, std::uint32_t, KeyHash> gate_of_, leaf_of_, vector_of_;
};

}  // namespace hiple::law::columnar
