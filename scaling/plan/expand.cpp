#include "base/text.hpp"
#include "scaling/plan/block.hpp"

namespace hiple::scaling {

namespace {

/// One value of each list.
struct Combination {
  const Choice *strategy, *network, *scaling, *ranks, *link, *straggler, *jitter;
};

std::string identifier(const Configuration& configuration) {
  const MeasureOptions& options = configuration.options;
  std::string id = options.strategy;
  const auto add = [&](const std::string& part) { id += "_" + part; };
  if (!options.variant.empty()) add(options.variant);
  add(options.network);
  add("b" + std::to_string(options.batch));
  add("s" + std::to_string(options.steps) + "+" + std::to_string(options.warmup));
  add("r" + std::to_string(configuration.ranks));
  if (configuration.link != "none") add(configuration.link);
  std::string straggler = options.straggler;
  std::replace(straggler.begin(), straggler.end(), ':', 'x');
  if (!straggler.empty()) add("straggler" + straggler);
  if (options.jitter != "0") add("jitter" + options.jitter);
  if (options.engines > 0) add("engines" + std::to_string(options.engines));
  if (options.spread != "1") add("spread" + options.spread);
  if (options.bucket != MeasureOptions{}.bucket) add("bucket" + std::to_string(options.bucket));
  if (options.micro_batches != MeasureOptions{}.micro_batches) add("micro" + std::to_string(options.micro_batches));
  const MeasureOptions defaults;
  if (options.experts != defaults.experts) add("experts" + std::to_string(options.experts));
  if (options.chosen != defaults.chosen) add("chosen" + std::to_string(options.chosen));
  if (options.capacity != defaults.capacity) add("capacity" + options.capacity);
  if (options.period != defaults.period) add("period" + std::to_string(options.period));
  return id;
}

/// A launch is named by what it does: with its variant, whether the file names it or not. Nothing where there is none.
std::string default_variant(const std::string& strategy) {
  for (const StrategyKind& kind : strategy_kinds())
    if (kind.name == strategy && !kind.variants.empty()) return kind.variants.front();
  return {};
}

Configuration combine(const Block& block, const Combination& chosen, std::uint64_t seed) {
  Configuration configuration;
  const auto ranks = parse_integer(chosen.ranks->text).value_or(1);
  const std::size_t slash = chosen.strategy->text.find('/');
  MeasureOptions& options = configuration.options;
  options.strategy = chosen.strategy->text.substr(0, slash);
  if (slash != std::string::npos) options.variant = chosen.strategy->text.substr(slash + 1);
  if (options.variant.empty()) options.variant = default_variant(options.strategy);
  options.network = chosen.network->text;
  options.batch = block.batch * (chosen.scaling->text == "weak" ? static_cast<std::uint64_t>(ranks) : 1);
  options.steps = block.steps;
  options.warmup = block.warmup;
  options.seed = seed;
  if (chosen.straggler->text != "none") options.straggler = chosen.straggler->text;
  options.jitter = chosen.jitter->text;
  options.engines = block.engines;
  options.spread = block.spread;
  options.experts = block.experts;
  options.chosen = block.chosen;
  options.capacity = block.capacity;
  options.period = block.period;
  options.micro_batches = block.micro_batches;
  if (block.bucket > 0) options.bucket = block.bucket;
  configuration.ranks = static_cast<int>(ranks);
  configuration.link = chosen.link->text;
  configuration.scaling = {chosen.scaling->text};
  configuration.repetitions = block.repetitions;
  configuration.place = block.place;
  configuration.id = identifier(configuration);
  return configuration;
}

/// Where in the file the value of an option of `measure` stands; what belongs to no list is the fault of the rank count.
Place place_of(const std::string& option, const Block& block, const Combination& chosen) {
  if (option == "--strategy" || option == "--variant") return chosen.strategy->place;
  if (option == "--network") return chosen.network->place;
  if (option == "--batch") return block.batch_place;
  if (option == "--straggler") return chosen.straggler->place;
  if (option == "--jitter") return chosen.jitter->place;
  if (option == "--ranks") return chosen.ranks->place;
  return block.place;
}

/// What the strategy itself refuses, said at the place in the study file.
void check(const Configuration& configuration, const Block& block, const Combination& chosen, Problems& problems) {
  try {
    make_setup(configuration.options, configuration.ranks);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      const std::string with =
          chosen.strategy->text + " on " + chosen.ranks->text + (configuration.ranks == 1 ? " rank" : " ranks");
      const std::string what = problem.what == with ? with : problem.what + " (" + with + ")";
      problems.add(place_of(problem.place.file, block, chosen), what, problem.why, problem.remedy);
    }
  }
}

}  // namespace

std::vector<Configuration> expand(const Block& block, std::uint64_t seed, Problems& problems) {
  std::vector<Configuration> configurations;
  for (const Choice& strategy : block.strategies)
    for (const Choice& network : block.networks)
      for (const Choice& scaling : block.scaling)
        for (const Choice& ranks : block.ranks)
          for (const Choice& link : block.links)
            for (const Choice& straggler : block.stragglers)
              for (const Choice& jitter : block.jitter) {
                const Combination chosen{&strategy, &network, &scaling, &ranks, &link, &straggler, &jitter};
                configurations.push_back(combine(block, chosen, seed));
                check(configurations.back(), block, chosen, problems);
              }
  return configurations;
}

}  // namespace hiple::scaling
