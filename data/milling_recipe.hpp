#pragma once

#include <cstdint>
#include <vector>

namespace hiple::data {

/// One cycle of the machine.
struct MillingCycle {
  enum class Type : std::uint8_t { low = 0, medium = 1, high = 2 };
  Type type = Type::low;
  double air = 0, process = 0;                                                              ///< K, one decimal
  double speed = 0;                                                                         ///< rpm, whole
  double torque = 0;                                                                        ///< N.m, one decimal
  double wear = 0;                                                                          ///< of the tool, min, whole
  bool heat = false, power = false, overstrain = false, tool_wear = false, random = false;  ///< failures
};

/// The failures that follow from the cycle's numbers, exactly as published: heat where process - air < 8.6 K and speed < 1380
/// rpm; power where torque times speed is outside 3500 to 9000 W; overstrain where wear times torque is over 11000, 12000 and
/// 13000 min.N.m for low, medium and high quality.
void set_physical_failures(MillingCycle& cycle);

/// The recipe. The paper gives: quality low, medium, high for 50, 30 and 20 %; air temperature a random walk normalised to 2 K
/// around 300 K; process temperature a random walk normalised to 1 K added to air + 10 K; speed from a power of 2860 W with
/// normal noise; torque normal around 40 N.m with 10 N.m and never negative; 2, 3 and 5 min of tool wear for low, medium and
/// high; a tool is replaced or fails between 200 and 240 min; and random failures. What it leaves open is chosen here so that
/// 10,000 rows hold the published numbers of failures (115 heat, 95 power, 98 overstrain, 46 tool wear, 19 random) within their
/// sampling error. (The published file itself holds 60, 30 and 10 % of the qualities.)
struct MillingRecipe {
  double low_share = 0.5, medium_share = 0.3;

  /// A walk of this many rows is normalised by rank: it visits the values of as many normal numbers, in its own order. So the
  /// share of cold and hot cycles is right in every campaign, and any number of campaigns can follow one another.
  std::uint64_t campaign_rows = 10000;

  /// speed = base + power_term / torque + noise; above `fast` it is idle_speed - idle_slope * torque. Fitted to the published
  /// file, where it leaves residuals of the noise alone.
  double base_speed = 1000, power_term = 20020, speed_noise = 50;
  double fast = 2700, idle_speed = 3000, idle_slope = 30;

  /// A tool's last cycle: the first one whose wear reaches a normal number cut to the window, or the last one inside it.
  double tool_life = 217, tool_life_spread = 10, window_begin = 200, window_end = 240;
  double tool_fails = 0.344;       ///< probability that its end is a failure and not a replacement
  double random_failure = 0.0019;  ///< the paper says 0.1 %, its file holds 19 of 10,000
};

/// The cycles of one campaign of `rows` rows, with a new tool at its begin.
std::vector<MillingCycle> make_campaign(const MillingRecipe& recipe, std::uint64_t seed, std::uint32_t campaign,
                                        std::size_t rows);

}  // namespace hiple::data
