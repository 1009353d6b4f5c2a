#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "scaling/measure/setup.hpp"

namespace hiple::scaling {

/// How often a configuration is measured: `least` times, then on until the interval of the median is narrow, at most `most`
/// times.
struct Repetitions {
  std::int64_t least = 6;  ///< the fewest from which an order-statistic interval of 95 % can be had
  std::int64_t most = 10;
  double width = 0.05;  ///< narrow: this share of the median
};

/// One launch of `hiple-scaling measure`, and where it is to happen.
struct Configuration {
  std::string id;  ///< tells all that is chosen; the name of its records
  MeasureOptions options;
  int ranks = 1;
  std::string link;                  ///< "none": one host; else the rate between hosts of one rank each, as "100mbit"
  std::vector<std::string> scaling;  ///< the curves that it is a point of: "weak", "strong"
  Repetitions repetitions;
  Place place;  ///< of the block that asked for it

  /// The options of `measure`, but for the files.
  [[nodiscard]] std::vector<std::string> arguments() const;
};

/// A study file: what is to be measured, and for how long.
struct Study {
  std::string name;
  std::uint64_t seed = 0;                       ///< of the order, and of data and weights
  double time_limit = 0;                        ///< seconds of the whole study; no launch begins after it
  double launch_limit = 0;                      ///< seconds of one launch
  std::map<std::string, std::string> open_mpi;  ///< its parameters, the same for every strategy
  std::vector<Configuration> configurations;    ///< each once, in the order of the file
};

/// Reads a study file and expands its blocks. Throws InputError with everything that is wrong, each with its place: what a
/// strategy cannot do with its rank count and sizes too.
Study load_study(const std::filesystem::path& path);

}  // namespace hiple::scaling
