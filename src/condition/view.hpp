#pragma once

#include <cstdint>
#include <span>

#include "condition/truth.hpp"

namespace hiple::condition {

/// A column's value in one case.
struct Field {
  enum class State : std::uint8_t { known, missing, invalid };
  State state = State::missing;
  double number = 0;  ///< real, integer (exact up to 2^53), boolean 0 or 1, index into ColumnInfo::values, or days
};

/// An engine's word on one case.
struct Voice {
  enum class State : std::uint8_t { inactive, unavailable, judged, abstained, invalid };
  State state = State::unavailable;
  std::uint16_t label = 0;             ///< index into EngineInfo::classes; judged only
  float confidence = 0;                ///< judged only
  float typicality = 0;                ///< judged and abstained
  float value = 0;                     ///< of a regression; judged only
  std::span<const float> probability;  /// one a class; judged only; empty where the engine leaves it out
};

/// A panel's answer to a question about one case.
struct PanelFinding {
  bool decided = false;
  bool firm = false;
  std::uint32_t finding = 0;         ///< index into FindingInfo::findings, if decided
  const CauseSet* causes = nullptr;  ///< of the answer; may be null
};

/// What a condition can see of one case. The numbers are those that the Scope gave the names.
class View {
 public:
  virtual ~View() = default;
  [[nodiscard]] virtual Field column(std::size_t index) const = 0;
  /// The default has no engines and no panels, which is right for rows of a table; both throw std::logic_error.
  [[nodiscard]] virtual Voice engine(std::size_t index) const;
  [[nodiscard]] virtual PanelFinding finding(std::size_t index) const;
  /// The careful reading: known(x) of a missing x, and a finding that is not firm, are UNKNOWN.
  [[nodiscard]] virtual bool careful() const { return false; }
};

}  // namespace hiple::condition
