#include "law/columnar_activation.hpp"

#include <algorithm>
#include <bit>

namespace hiple::law::columnar {

Activation::Activation(const Law::Model& law, const Program& program, ProgramRun& run)
    : law_(law), program_(program), run_(run) {}

void Activation::start(std::size_t count) {
  count_ = count;
  broadened_ = capped_ = {};
  if (program_.compiled.may_be_inactive) return call_home();
  for (std::size_t engine = 0; engine < law_.engines.size(); ++engine)
    std::fill_n(run_.active(engine), tile_words, ~std::uint64_t{0});
}

/// The home engines: by the first entry of the route that is TRUE; all, where none is.
void Activation::call_home() {
  run_.run(program_.route);
  Words rest;
  rest.fill(~std::uint64_t{0});
  for (std::size_t engine = 0; engine < law_.engines.size(); ++engine) std::fill_n(run_.active(engine), tile_words, 0);
  for (std::size_t i = 0; i < law_.home.size(); ++i) {
    const std::uint64_t* taken = run_.plane(program_.compiled.home[i]);
    for (const std::size_t engine : law_.home[i].engines)
      for (std::size_t word = 0; word < tile_words; ++word) run_.active(engine)[word] |= rest[word] & taken[word];
    for (std::size_t word = 0; word < tile_words; ++word) rest[word] &= ~taken[word];
  }
  for (std::size_t engine = 0; engine < law_.engines.size(); ++engine)
    for (std::size_t word = 0; word < tile_words; ++word) run_.active(engine)[word] |= rest[word];
}

/// All links read the same set; what they reach comes together.
void Activation::follow_links() {
  for (const LinkPlane& link : program_.compiled.links) {
    const std::uint64_t *fires = run_.plane(link.fires), *have = run_.active(link.to);
    for (std::size_t word = 0; word < tile_words; ++word) added_[link.to][word] |= fires[word] & ~have[word];
  }
}

/// Cases that no link takes further, while a question waits for an engine: the first ring that has a new one.
void Activation::find_rings() {
  Words pending{};
  for (const Plane waiting : program_.compiled.waiting)
    for (std::size_t word = 0; word < tile_words; ++word) pending[word] |= run_.plane(waiting)[word];
  for (const Words& engine : added_)
    for (std::size_t word = 0; word < tile_words; ++word) pending[word] &= ~engine[word];
  const Words waits = pending;
  for (const Ring ring : law_.broaden) add_ring(ring, waits, pending);
  for (std::size_t word = 0; word < tile_words; ++word) broadened_[word] |= waits[word] & ~pending[word];
}

void Activation::add_ring(Ring ring, const Words& waits, Words& pending) {
  std::vector<Words> wanted(law_.engines.size(), Words{});
  for (std::size_t engine = 0; engine < law_.engines.size(); ++engine)
    for (std::size_t word = 0; word < tile_words; ++word)
      wanted[engine][word] = ring == Ring::all      ? ~std::uint64_t{0}
                             : ring == Ring::needed ? run_.plane(program_.compiled.waiting[engine])[word]
                                                    : 0;
  if (ring == Ring::panel)
    for (const law::Panel& panel : law_.panels) {
      Words near{};
      for (const std::size_t engine : panel.engines)
        for (std::size_t word = 0; word < tile_words; ++word) near[word] |= run_.active(engine)[word];
      for (const std::size_t engine : panel.engines)
        for (std::size_t word = 0; word < tile_words; ++word) wanted[engine][word] |= near[word];
    }
  Words found{};
  for (std::size_t engine = 0; engine < law_.engines.size(); ++engine)
    for (std::size_t word = 0; word < tile_words; ++word) {
      const std::uint64_t fresh = wanted[engine][word] & pending[word] & waits[word] & ~run_.active(engine)[word];
      added_[engine][word] |= fresh;
      found[word] |= fresh;
    }
  for (std::size_t word = 0; word < tile_words; ++word) pending[word] &= ~found[word];
}

/// What links and rings would add to each case now, in `added_`; the cases that get something.
Words Activation::find_additions() {
  run_.run(program_.rounds);
  added_.assign(law_.engines.size(), Words{});
  follow_links();
  find_rings();
  Words grows{};
  for (const Words& engine : added_)
    for (std::size_t word = 0; word < tile_words; ++word) grows[word] |= engine[word];
  for (std::size_t i = count_; i < tile_cases; ++i) grows[i / 64] &= ~(std::uint64_t{1} << (i % 64));
  return grows;
}

void Activation::follow(std::size_t most, bool looks_on, std::uint8_t* rounds) {
  if (!program_.compiled.may_be_inactive) return;
  for (std::size_t round = 0; round < most || looks_on; ++round) {
    const Words grows = find_additions();
    if (std::all_of(grows.begin(), grows.end(), [](std::uint64_t word) { return word == 0; })) return;
    if (round == most) {
      capped_ = grows;
      return;
    }
    for (std::size_t engine = 0; engine < added_.size(); ++engine)
      for (std::size_t word = 0; word < tile_words; ++word) run_.active(engine)[word] |= added_[engine][word] & grows[word];
    for (std::size_t word = 0; word < tile_words; ++word)
      for (std::uint64_t bits = grows[word]; bits != 0; bits &= bits - 1)
        rounds[64 * word + static_cast<std::size_t>(std::countr_zero(bits))] = static_cast<std::uint8_t>(round + 1);
  }
}

void Activation::write(std::uint64_t* consulted) const {
  const std::size_t engines = law_.engines.size(), words = (engines + 63) / 64;
  std::array<std::uint8_t, tile_cases> bytes;
  for (std::size_t first = 0; first < engines; first += 8) {
    std::array<const std::uint64_t*, 8> planes{};
    const std::size_t some = std::min<std::size_t>(8, engines - first);
    for (std::size_t i = 0; i < some; ++i) planes[i] = run_.active(first + i);
    gather_bits(std::span(planes).first(some), bytes.data());
    for (std::size_t i = 0; i < count_; ++i)
      consulted[i * words + first / 64] |= static_cast<std::uint64_t>(bytes[i]) << (first % 64);
  }
}

}  // namespace hiple::law::columnar
