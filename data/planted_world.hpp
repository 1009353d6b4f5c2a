#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/philox.hpp"

namespace hiple::data {

/// What a planted world can be told. Shares are probabilities; docs/planted.md tells what each one means.
struct PlantedOptions {
  std::uint64_t domains = 16;         ///< 4 to 256
  std::uint64_t seed = 2026;          ///< same options, same rows
  std::uint64_t correlated = 0;       ///< domains with a copy of their engine and a witness; 0 to all
  double cross = 0.4;                 ///< of the cases: what happens at home spreads to another domain
  double critical = 0.1;              ///< of the cases: a critical finding at home
  double missing = 0.01;              ///< of the readings of every sensor and alarm
  double out_of_distribution = 0.02;  ///< of the test cases: a state that no training case has
  double conflict = 0.2;              ///< of the test cases at home in a domain with a witness: the two contradict each other

  /// One domain in eight is enough to see what correlation does.
  static std::uint64_t usual_correlated(std::uint64_t domains) { return (domains + 7) / 8; }
  /// About two hundred test cases for each boundary, with the usual share of cases that cross one.
  static std::uint64_t usual_rows(std::uint64_t domains) { return domains < 5 ? 10000 : 2000 * domains; }
};

/// The numbers of the recipe that nobody changes. Distances are in standard deviations of a sensor's noise.
struct PlantedRecipe {
  double test = 0.5;                      ///< share of the test part
  std::uint32_t lots = 1000;              ///< `lot` is one of these, by chance
  double local = 0.15;                    ///< share of the cases: a finding at home that stays there
  double goes_on = 0.05;                  ///< of what has spread: it spreads once more
  double arrives_critical = 1.0 / 3;      ///< of what has spread and does not go on
  double distance = 6;                    ///< of a finding's readings from those of a sound domain, times the severity
  double mildest = 0.85, gravest = 1.35;  ///< severity
  double plain = 1.1;                     ///< severity in a planted conflict,
  double plain_noise = 1.5;               ///< and the most that noise adds there
  double unseen_distance = 14;            ///< of readings that no training case has
  double false_alarm = 0.002;             ///< of a sound domain
  double needless_alarm = 0.1;            ///< of a domain with a finding that is not critical; a critical one always rings
};

/// What is the matter with a domain, as the values of its label column.
enum class PlantedState : std::uint8_t { none, local, near, far, critical, unseen };
inline constexpr std::array<const char*, 6> planted_states = {"none", "local", "near", "far", "critical", "unseen"};

enum class PlantedKind : std::uint8_t { ordinary, conflict, unseen };
inline constexpr std::array<const char*, 3> planted_kinds = {"ordinary", "conflict", "unseen"};

/// One case, without its readings.
struct PlantedCase {
  struct Touched {
    std::uint32_t domain = 0;
    PlantedState truth = PlantedState::none;
    PlantedState sensors = PlantedState::none;  ///< what its own sensors show; another state in a conflict only
    PlantedState witness = PlantedState::none;  ///< what the second pair of sensors shows
  };
  bool is_test = false;
  PlantedKind kind = PlantedKind::ordinary;
  std::uint32_t lot = 0;
  double ambient = 0;              ///< of the whole plant
  std::array<Touched, 3> touched;  ///< the home first, then where what happens there has spread
  std::uint32_t count = 1;         ///< of these

  [[nodiscard]] std::uint32_t home() const { return touched[0].domain; }
  [[nodiscard]] std::span<const Touched> domains() const { return std::span(touched).first(count); }
};

/// The readings of one domain in one case.
struct PlantedReadings {
  struct Reading {
    double value = 0;
    bool is_missing = false;
  };
  std::array<Reading, 2> sensors, witness;  ///< `witness` only where the domain has one
  bool alarm = false, alarm_is_missing = false;
};

/// A plant of many domains in which what is wrong, where it spreads and who must be asked is known. Every case is a function of
/// the options and its row's number alone, whatever was drawn before.
class PlantedWorld {
 public:
  /// Throws InputError with all options that are out of range.
  explicit PlantedWorld(const PlantedOptions& options);

  [[nodiscard]] const PlantedOptions& options() const { return options_; }
  [[nodiscard]] const PlantedRecipe& recipe() const { return recipe_; }
  [[nodiscard]] std::uint32_t domains() const { return static_cast<std::uint32_t>(options_.domains); }
  /// "d007": of the domain, its engine, its question and the label column with its answer.
  [[nodiscard]] static std::string name(std::uint32_t domain);
  /// Whether the domain has a copy of its engine and a witness.
  [[nodiscard]] bool has_witness(std::uint32_t domain) const;
  /// Where a `near` and a `far` finding spreads to: two other domains, for each domain others.
  [[nodiscard]] std::uint32_t near_of(std::uint32_t domain) const { return (domain + 1) % domains(); }
  [[nodiscard]] std::uint32_t far_of(std::uint32_t domain) const { return (domain + domains() / 2) % domains(); }

  [[nodiscard]] PlantedCase draw(std::uint64_t row) const;
  [[nodiscard]] PlantedReadings read(std::uint64_t row, const PlantedCase& drawn, std::uint32_t domain) const;

 private:
  struct Domain {
    double angle = 0;               ///< of `local` in the plane of the two sensors; near, critical, far follow at right angles
    std::array<double, 2> ambient;  ///< how much of the plant's ambient each sensor takes
  };
  [[nodiscard]] PhiloxStream stream(std::uint64_t row, std::uint32_t use) const;
  [[nodiscard]] PlantedState draw_state(PhiloxStream& random) const;
  void spread(PlantedCase& drawn, PhiloxStream& random) const;
  void contradict(PlantedCase& drawn, PhiloxStream& random) const;

  PlantedOptions options_;
  PlantedRecipe recipe_;
  Philox generator_;
  std::array<Domain, 256> of_domain_;
};

}  // namespace hiple::data
