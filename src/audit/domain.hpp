#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "law/model.hpp"

namespace hiple::audit {

/// What a value can still be: an interval of numbers of its type, both ends included, or a set of up to 256 codes; and
/// perhaps missing.
struct Domain {
  static constexpr std::size_t most_codes = 256;
  bool missing = false;
  bool coded = false;
  double low = 0, high = -1;
  std::array<std::uint64_t, most_codes / 64> codes{};

  static Domain numbers(double low, double high) { return {false, false, low, high, {}}; }
  static Domain code(std::size_t code);
  static Domain first_codes(std::size_t count);
  /// Missing, and no value.
  static Domain nothing() { return {true, false, 0, -1, {}}; }

  [[nodiscard]] bool has_code(std::size_t code) const { return ((codes[code / 64] >> (code % 64)) & 1U) != 0; }
  [[nodiscard]] bool has_values() const;
  [[nodiscard]] bool empty() const { return !missing && !has_values(); }
  /// Leaves what both allow; tells whether that changed anything.
  bool intersect(const Domain& other);
  [[nodiscard]] bool meets(const Domain& other) const;
  [[nodiscard]] bool inside(const Domain& other) const;
  /// The smallest domain around both.
  void join(const Domain& other);
};

/// One thing that a condition reads.
struct Variable {
  enum class What : std::uint8_t { column, state, label, probability, confidence, typicality, value, finding };
  What what = What::column;
  std::size_t index = 0;  ///< of the column, engine or panel finding
  std::size_t code = 0;   ///< of a probability: the class
  bool whole = false;     ///< whole numbers only
  bool single = false;    ///< float32
  bool analysed = true;   ///< false: a category of more than 256 values
  Domain all;
};

/// What an engine did, as codes of its variable `state`.
enum class EngineState : std::uint8_t { judged, abstained, invalid, unavailable };

/// Every variable of a law. An engine's attributes are never missing by themselves: its state says whether they are known.
class Variables {
 public:
  explicit Variables(const law::Law::Model& law);

  [[nodiscard]] const std::vector<Variable>& list() const { return list_; }
  [[nodiscard]] const Variable& operator[](std::size_t number) const { return list_[number]; }
  [[nodiscard]] std::size_t column(std::size_t index) const { return index; }
  /// The variable of an attribute node; of a probability, that of its class.
  [[nodiscard]] std::size_t attribute(const condition::Node& node) const;
  [[nodiscard]] std::size_t state(std::size_t engine) const { return first_of_engine_[engine]; }
  [[nodiscard]] std::size_t label(std::size_t engine) const { return first_of_engine_[engine] + 1; }
  [[nodiscard]] std::size_t confidence(std::size_t engine) const { return first_of_engine_[engine] + 2; }
  [[nodiscard]] std::size_t typicality(std::size_t engine) const { return first_of_engine_[engine] + 3; }
  [[nodiscard]] std::size_t value(std::size_t engine) const { return first_of_engine_[engine] + 4; }
  [[nodiscard]] std::size_t probability(std::size_t engine, std::size_t code) const {
    return first_of_engine_[engine] + 5 + code;
  }
  [[nodiscard]] std::size_t finding(std::size_t slot) const { return first_finding_ + slot; }

  /// Leaves only numbers between two for a variable.
  void limit(std::size_t number, double low, double high) { list_[number].all.intersect(limited(number, low, high)); }

  /// The next number of the variable's type above or below; of what is between two, the nearer one in that direction.
  [[nodiscard]] double next(std::size_t number, double value, bool up) const;
  /// The smallest number of the type that is not below; the largest that is not above.
  [[nodiscard]] double at_least(std::size_t number, double value) const;
  [[nodiscard]] double at_most(std::size_t number, double value) const;

 private:
  [[nodiscard]] Domain limited(std::size_t number, double low, double high) const {
    Domain domain = list_[number].all;
    domain.low = low;
    domain.high = high;
    return domain;
  }

  std::vector<Variable> list_;
  std::vector<std::size_t> first_of_engine_;
  std::size_t first_finding_ = 0;
};

}  // namespace hiple::audit
