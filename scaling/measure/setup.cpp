#include "scaling/measure/setup.hpp"

#include <algorithm>
#include <limits>

#include "base/text.hpp"

namespace hiple::scaling {

namespace {

constexpr std::int64_t widest = 1 << 20;

std::string quoted(const std::string& text) { return "\"" + printable(text) + "\""; }

std::vector<std::int64_t> parse_widths(const std::string& text) {
  std::vector<std::int64_t> widths;
  std::size_t column = 1;
  for (const std::string& part : split(text, '-')) {
    const auto width = parse_integer(part);
    if (!width || *width < 1 || *width > widest)
      throw InputError(Place{"--network", 1, column}, quoted(part) + " is no width", "each is a whole number from 1 to 1048576",
                       "write widths from inputs to classes, such as 64-512-512-16");
    widths.push_back(*width);
    column += part.size() + 1;
  }
  return widths;
}

void check_size(const engine::NetworkShape& shape, Problems& problems) {
  constexpr double most = std::numeric_limits<int>::max();
  double numbers = 0;
  std::int64_t inputs = shape.inputs;
  for (const std::int64_t width : shape.hidden) {
    numbers += static_cast<double>(width) * static_cast<double>(inputs + 32);
    inputs = width;
  }
  numbers += static_cast<double>(shape.outputs) * static_cast<double>(inputs + 32);
  if (numbers > most)
    problems.add(Place{"--network"}, "the network has more than 2147483647 parameters",
                 "MPI counts a message's numbers by an int", "give a smaller one");
}

std::optional<Straggler> parse_straggler(const std::string& text, int ranks, Problems& problems) {
  if (text.empty()) return std::nullopt;
  const auto parts = split(text, ':');
  const auto rank = parse_integer(parts[0]);
  const auto factor = parts.size() == 2 ? parse_real(parts[1]) : std::nullopt;
  if (!rank || !factor || *rank < 0 || *factor < 1 || *factor > 1e6) {
    problems.add(Place{"--straggler"}, quoted(text) + " is not RANK:FACTOR",
                 "the rank counts from 0, and its computing takes FACTOR times as long: 1 to 1000000",
                 "write 1:2 for a rank 1 of half speed");
    return std::nullopt;
  }
  if (*rank >= ranks) {
    problems.add(Place{"--straggler"}, "there is no rank " + parts[0], "there are ranks 0 to " + std::to_string(ranks - 1),
                 "name one of them, or start more");
    return std::nullopt;
  }
  return Straggler{static_cast<int>(*rank), *factor};
}

double parse_number(const std::string& option, const std::string& text, double least, double most, Problems& problems) {
  const auto value = parse_real(text);
  if (value && *value >= least && *value <= most) return *value;
  problems.add(Place{option}, quoted(text) + " is out of range or no number", {},
               "give a number from " + format_real(least) + " to " + format_real(most));
  return least;
}

void check_count(const std::string& option, std::uint64_t value, std::uint64_t least, std::uint64_t most, Problems& problems) {
  if (value < least || value > most)
    problems.add(Place{option}, std::to_string(value) + " is out of range", {},
                 "give a number from " + std::to_string(least) + " to " + std::to_string(most));
}

std::string choose_variant(const StrategyKind& kind, const std::string& asked, Problems& problems) {
  if (asked.empty()) return kind.variants.empty() ? "" : kind.variants.front();
  if (std::ranges::find(kind.variants, asked) == kind.variants.end())
    problems.add(Place{"--variant"}, kind.name + " has no variant " + quoted(asked),
                 kind.variants.empty() ? "it has none at all" : "",
                 kind.variants.empty() ? "leave it out" : suggestion(asked, kind.variants));
  return asked;
}

}  // namespace

void check_outputs(const MeasureOptions& options) {
  Problems problems;
  for (const auto* path : {&options.output, &options.counters, &options.ledger, &options.trace, &options.weights}) {
    if (path->empty()) continue;
    const std::filesystem::path folder = path->has_parent_path() ? path->parent_path() : ".";
    if (!std::filesystem::is_directory(folder))
      problems.add(Place{path->string()}, "there is no folder " + folder.string(), {}, "make it, or name another file");
    else if (std::filesystem::is_directory(*path))
      problems.add(Place{path->string()}, "is a folder", {}, "name a file");
  }
  problems.throw_if_any();
}

engine::NetworkShape parse_network(const std::string& text) {
  const std::vector<std::int64_t> widths = parse_widths(text);
  if (widths.size() < 2)
    throw InputError(Place{"--network"}, quoted(text) + " is no network", "it has inputs and classes at least",
                     "write widths from inputs to classes, such as 64-512-512-16");
  if (widths.back() < 2)
    throw InputError(Place{"--network", 1, text.size()}, "one class", "with a single class there is nothing to learn",
                     "let the last width be 2 or more");
  engine::NetworkShape shape;
  shape.inputs = widths.front();
  shape.outputs = widths.back();
  shape.hidden.assign(widths.begin() + 1, widths.end() - 1);
  return shape;
}

Setup make_setup(const MeasureOptions& options, int ranks) {
  Problems problems;
  Setup setup;
  setup.ranks = ranks;
  setup.network = options.network;
  setup.warmup = options.warmup;
  setup.seed = options.seed;
  std::vector<std::int64_t> widths;
  try {
    setup.shape = parse_network(options.network);
    check_size(setup.shape, problems);
    widths = parse_widths(options.network);
  } catch (const InputError& error) {
    problems.add(error);
  }
  constexpr std::uint64_t many = 1'000'000'000;
  check_count("--batch", options.batch, 1, 1U << 24U, problems);
  check_count("--steps", options.steps, 1, many, problems);
  check_count("--warmup", options.warmup, 0, many, problems);
  check_count("--micro-batches", options.micro_batches, 1, 1U << 24U, problems);
  check_count("--experts", options.experts, 1, 1U << 16U, problems);
  check_count("--chosen", options.chosen, 1, 1U << 16U, problems);
  check_count("--period", options.period, 1, many, problems);
  check_count("--engines", options.engines, 0, 1U << 20U, problems);
  setup.straggler = parse_straggler(options.straggler, ranks, problems);
  setup.jitter = parse_number("--jitter", options.jitter, 0, 10, problems);
  setup.settings = {.widths = widths,
                    .batch = options.batch,
                    .steps = options.steps,
                    .engines = options.engines,
                    .spread = parse_number("--spread", options.spread, 1, 1e6, problems),
                    .micro_batches = options.micro_batches,
                    .experts = options.experts,
                    .chosen = options.chosen,
                    .capacity = parse_number("--capacity", options.capacity, 0.01, 1e6, problems),
                    .period = options.period,
                    .bucket_bytes = options.bucket};
  try {
    setup.kind = &strategy_kind(options.strategy);
    setup.settings.variant = choose_variant(*setup.kind, options.variant, problems);
    if (problems.empty()) setup.kind->check(setup.settings, ranks, problems);
  } catch (const InputError& error) {
    problems.add(error);
  }
  problems.throw_if_any();
  return setup;
}

}  // namespace hiple::scaling
