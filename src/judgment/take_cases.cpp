#include "judgment/take_cases.hpp"

#include <algorithm>

namespace hiple {

namespace {

/// Where the cases stand in the file, ascending.
std::vector<std::size_t> places_of(const std::vector<std::uint64_t>& all, std::span<const std::uint64_t> wanted,
                                   std::span<const std::uint32_t> guess) {
  std::vector<std::size_t> places;
  places.reserve(wanted.size());
  auto from = all.begin();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i < guess.size() && guess[i] < all.size() && all[guess[i]] == wanted[i]) {
      places.push_back(guess[i]);
      continue;
    }
    from = std::lower_bound(from, all.end(), wanted[i]);
    if (from != all.end() && *from == wanted[i]) places.push_back(static_cast<std::size_t>(from - all.begin()));
  }
  return places;
}

template <class T>
std::vector<T> take(const std::vector<T>& all, const std::vector<std::size_t>& places, std::size_t width = 1) {
  std::vector<T> some;
  if (all.empty()) return some;
  some.reserve(places.size() * width);
  for (const std::size_t place : places)
    for (std::size_t i = 0; i < width; ++i) some.push_back(all[place * width + i]);
  return some;
}

}  // namespace

Judgments take_cases(const Judgments& judgments, std::span<const std::uint64_t> case_ids, std::span<const std::uint32_t> guess) {
  const auto places = places_of(judgments.case_id, case_ids, guess);
  Judgments taken;
  taken.engine = judgments.engine;
  taken.domain = judgments.domain;
  taken.level = judgments.level;
  taken.classes = judgments.classes;
  taken.case_id = take(judgments.case_id, places);
  taken.label = take(judgments.label, places);
  taken.confidence = take(judgments.confidence, places);
  taken.probability = take(judgments.probability, places, judgments.classes.size());
  taken.value = take(judgments.value, places);
  taken.typicality = take(judgments.typicality, places);
  taken.status = take(judgments.status, places);
  taken.checkpoint_sha256 = judgments.checkpoint_sha256;
  taken.data_sha256 = judgments.data_sha256;
  taken.config_sha256 = judgments.config_sha256;
  taken.training_seconds = judgments.training_seconds;
  taken.steps = judgments.steps;
  taken.samples = judgments.samples;
  taken.sha256 = judgments.sha256;
  return taken;
}

}  // namespace hiple
