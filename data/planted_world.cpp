#include "data/planted_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.hpp"
#include "base/text.hpp"

namespace hiple::data {

namespace {

constexpr double right_angle = std::numbers::pi / 2;
constexpr std::uint64_t fewest_domains = 4, most_domains = 256;
constexpr std::uint64_t most_seed = std::numeric_limits<std::int64_t>::max();

/// Sensors have three decimals, so that CSV holds what HDF5 holds in few characters.
double three_decimals(double value) { return std::round(value * 1000) / 1000; }

void check(const PlantedOptions& options, const PlantedRecipe& recipe) {
  Problems problems;
  const auto refuse = [&](const std::string& what, const std::string& why, const std::string& remedy) {
    problems.add({}, what, why, remedy);
  };
  if (options.domains < fewest_domains || options.domains > most_domains) {
    refuse(fmt::format("--domains is {}", options.domains), "with fewer than 4 a domain's two neighbours are one",
           "choose from 4 to 256");
  } else if (options.correlated > options.domains) {
    refuse(fmt::format("--correlated is {}", options.correlated), fmt::format("there are {} domains", options.domains),
           "ask for that many at most");
  }
  if (options.seed > most_seed)
    refuse(fmt::format("--seed is {}", options.seed), "run.yaml cannot hold it", fmt::format("choose {} at most", most_seed));
  const auto share = [&](const char* name, double value) {
    if (!(value >= 0 && value < 1))
      refuse(fmt::format("{} is {}", name, value), "it is a share of the cases", "choose from 0 to under 1");
  };
  share("--cross", options.cross);
  share("--critical", options.critical);
  share("--missing", options.missing);
  share("--ood", options.out_of_distribution);
  share("--conflict", options.conflict);
  const double found = options.cross + options.critical + recipe.local;
  if (problems.empty() && found > 0.9)
    refuse(fmt::format("--cross {} and --critical {} are too many", options.cross, options.critical),
           "with the local findings (0.15) they leave under a tenth of the cases without a finding",
           "choose 0.75 together at most");
  if (problems.empty() && options.out_of_distribution + options.conflict > 1)
    refuse("--ood and --conflict are more than all test cases", {}, "choose 1 together at most");
  problems.throw_if_any();
}

}  // namespace

PlantedWorld::PlantedWorld(const PlantedOptions& options) : options_(options), generator_(options.seed, "planted"), of_domain_{} {
  check(options_, recipe_);
  const Philox physics(options.seed, "planted domains");
  for (std::uint32_t domain = 0; domain < domains(); ++domain) {
    PhiloxStream random(physics, domain, 0, 0);
    of_domain_[domain].angle = 2 * std::numbers::pi * random.next_uniform();
    for (double& share : of_domain_[domain].ambient) share = 2 * random.next_uniform() - 1;
  }
}

std::string PlantedWorld::name(std::uint32_t domain) { return fmt::format("d{:03}", domain); }

bool PlantedWorld::has_witness(std::uint32_t domain) const {
  const auto before = [&](std::uint64_t end) { return end * options_.correlated / options_.domains; };
  return before(std::uint64_t{domain} + 1) > before(domain);
}

PhiloxStream PlantedWorld::stream(std::uint64_t row, std::uint32_t use) const {
  return {generator_, static_cast<std::uint32_t>(row >> 32), static_cast<std::uint32_t>(row), use};
}

PlantedState PlantedWorld::draw_state(PhiloxStream& random) const {
  double share = random.next_uniform();
  const auto falls_below = [&](double part) { return (share -= part) < 0; };
  if (falls_below(options_.critical)) return PlantedState::critical;
  if (falls_below(options_.cross / 2)) return PlantedState::near;
  if (falls_below(options_.cross / 2)) return PlantedState::far;
  return falls_below(recipe_.local) ? PlantedState::local : PlantedState::none;
}

/// Follows what spreads to where it ends.
void PlantedWorld::spread(PlantedCase& drawn, PhiloxStream& random) const {
  const auto next_of = [&](const PlantedCase::Touched& from, PlantedState state) {
    return state == PlantedState::near ? near_of(from.domain) : far_of(from.domain);
  };
  while (true) {
    const PlantedCase::Touched& last = drawn.touched.at(drawn.count - 1);
    if (last.truth != PlantedState::near && last.truth != PlantedState::far) return;
    PlantedCase::Touched next;
    next.domain = next_of(last, last.truth);
    next.truth = random.next_uniform() < recipe_.arrives_critical ? PlantedState::critical : PlantedState::local;
    const double way = random.next_uniform();
    if (drawn.count + 1 < drawn.touched.size() && way < recipe_.goes_on) {
      next.truth = way < recipe_.goes_on / 2 ? PlantedState::near : PlantedState::far;
      if (next_of(next, next.truth) == drawn.home())
        next.truth = next.truth == PlantedState::near ? PlantedState::far : PlantedState::near;
    }
    next.sensors = next.witness = next.truth;
    drawn.touched.at(drawn.count++) = next;
  }
}

/// One of the two pairs of sensors is broken and shows something that could well be. Which one, nothing tells.
void PlantedWorld::contradict(PlantedCase& drawn, PhiloxStream& random) const {
  constexpr std::array shown = {PlantedState::none, PlantedState::local, PlantedState::near, PlantedState::far};
  PlantedCase::Touched& home = drawn.touched[0];
  const std::uint32_t truth = random.next_below(2);
  const PlantedState wrong = shown.at((truth + 1 + random.next_below(3)) % shown.size());
  home.truth = home.sensors = home.witness = shown.at(truth);
  (random.next_below(2) == 0 ? home.sensors : home.witness) = wrong;
}

PlantedCase PlantedWorld::draw(std::uint64_t row) const {
  PhiloxStream random = stream(row, 0);
  PlantedCase drawn;
  drawn.is_test = random.next_uniform() < recipe_.test;
  drawn.lot = random.next_below(recipe_.lots);
  drawn.ambient = three_decimals(random.next_normal());
  PlantedCase::Touched& home = drawn.touched[0];
  home.domain = random.next_below(domains());
  const double kind = random.next_uniform();
  if (drawn.is_test && kind < options_.out_of_distribution) {
    drawn.kind = PlantedKind::unseen;
    home.truth = home.sensors = home.witness = PlantedState::unseen;
  } else if (drawn.is_test && has_witness(home.domain) && kind < options_.out_of_distribution + options_.conflict) {
    drawn.kind = PlantedKind::conflict;
    contradict(drawn, random);
  } else {
    home.truth = home.sensors = home.witness = draw_state(random);
    spread(drawn, random);
  }
  return drawn;
}

PlantedReadings PlantedWorld::read(std::uint64_t row, const PlantedCase& drawn, std::uint32_t domain) const {
  PhiloxStream random = stream(row, 1 + domain);
  const auto touched = std::ranges::find(drawn.domains(), domain, &PlantedCase::Touched::domain);
  const PlantedCase::Touched what = touched == drawn.domains().end() ? PlantedCase::Touched{} : *touched;
  const bool is_plain = drawn.kind == PlantedKind::conflict && domain == drawn.home();
  const double drawn_severity = recipe_.mildest + (recipe_.gravest - recipe_.mildest) * random.next_uniform();
  const double severity = is_plain ? recipe_.plain : drawn_severity;
  const double between = right_angle * (random.next_below(4) + 0.5);  // an unseen state lies between two that are known

  const auto place = [&](PlantedState state) -> std::array<double, 2> {
    if (state == PlantedState::none) return {0, 0};
    const bool is_unseen = state == PlantedState::unseen;
    const double turn = is_unseen ? between
                                  : right_angle * (state == PlantedState::local      ? 0
                                                   : state == PlantedState::near     ? 1
                                                   : state == PlantedState::critical ? 2
                                                                                     : 3);
    const double length = is_unseen ? recipe_.unseen_distance : recipe_.distance * severity;
    const double angle = of_domain_[domain].angle + turn;
    return {length * std::cos(angle), length * std::sin(angle)};
  };
  const auto read_pair = [&](PlantedState state) {
    const std::array<double, 2> centre = place(state);
    std::array<PlantedReadings::Reading, 2> pair;
    for (std::size_t i = 0; i < pair.size(); ++i) {
      double noise = random.next_normal();
      if (is_plain) noise = std::clamp(noise, -recipe_.plain_noise, recipe_.plain_noise);
      pair[i].value = three_decimals(centre[i] + of_domain_[domain].ambient[i] * drawn.ambient + noise);
      pair[i].is_missing = random.next_uniform() < options_.missing && !is_plain;
    }
    return pair;
  };
  PlantedReadings readings;
  readings.sensors = read_pair(what.sensors);
  const double rings = random.next_uniform();
  readings.alarm = what.truth == PlantedState::critical ||
                   rings < (what.truth == PlantedState::none ? recipe_.false_alarm : recipe_.needless_alarm);
  readings.alarm_is_missing = random.next_uniform() < options_.missing;
  if (has_witness(domain)) readings.witness = read_pair(what.witness);
  return readings;
}

}  // namespace hiple::data
