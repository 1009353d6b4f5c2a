#include "run/check_series.hpp"

#include <algorithm>

#include "engine/model.hpp"
#include "table/series.hpp"

namespace hiple {

namespace {

/// A series among an engine's features.
struct Named {
  std::string name;
  std::size_t length = 0;
  Place place;
};

std::string points(std::int64_t count) { return std::to_string(count) + (count == 1 ? " point" : " points"); }

std::vector<Named> series_of(const EngineConfig& engine, const Schema& schema) {
  std::vector<Named> series;
  for (std::size_t i = 0; i < engine.features.size(); ++i) {
    const auto columns = columns_named(schema, engine.features[i]);
    if (columns.empty() || columns.front()->name == engine.features[i]) continue;
    series.push_back(
        {engine.features[i], columns.size(), i < engine.feature_places.size() ? engine.feature_places[i] : engine.place});
  }
  return series;
}

void refuse_points_beside(const EngineConfig& engine, const Schema& schema, const std::vector<Named>& series,
                          Problems& problems) {
  for (const Named& named : series) {
    for (const ColumnSchema* point : columns_named(schema, named.name)) {
      const auto twice = std::find(engine.features.begin(), engine.features.end(), point->name);
      if (twice == engine.features.end()) continue;
      const auto index = static_cast<std::size_t>(twice - engine.features.begin());
      problems.add(index < engine.feature_places.size() ? engine.feature_places[index] : engine.place,
                   "feature " + point->name + " stands twice", "it is a point of " + named.name + ", which is there as well",
                   "remove one of them");
    }
  }
}

void check_lengths(const std::vector<Named>& series, Problems& problems) {
  for (const Named& named : series) {
    if (named.length == series.front().length) continue;
    problems.add(named.place, "series " + named.name + " has " + points(static_cast<std::int64_t>(named.length)),
                 series.front().name + " has " + std::to_string(series.front().length) +
                     ", and a convolution reads all series of an engine at the same points",
                 "take series of one length, and name other columns one by one");
  }
}

void check_convolutions(const EngineConfig& engine, const Named& series, Problems& problems) {
  const engine::SeriesShape shape = engine::series_shape(engine.model, 1, series.length);
  for (std::size_t i = 0; i < shape.convolutions.size(); ++i) {
    if (shape.convolutions[i].kernel <= 0 || shape.convolutions[i].stride <= 0) return;  // reported where it was read
    if (shape.places_after(i + 1) > 0) continue;
    const std::int64_t left = shape.places_after(i);
    const std::string before = i == 0 ? "series " + series.name + " has no more"
                                      : "that is what the convolutions before it leave of the " +
                                            points(static_cast<std::int64_t>(series.length)) + " of " + series.name;
    problems.add(engine.model.convolutions[i].place,
                 "convolution " + std::to_string(i + 1) + " of engine " + engine.name + " reads " +
                     points(shape.convolutions[i].kernel) + " at a time of " + points(left),
                 before, i == 0 ? "lower its kernel" : "lower its kernel, or kernels and strides before it, or leave it out");
    return;
  }
}

}  // namespace

void check_series(const EngineConfig& engine, const Schema& schema, Problems& problems) {
  const std::vector<Named> series = series_of(engine, schema);
  refuse_points_beside(engine, schema, series, problems);
  if (!engine.is_convolutional()) return;
  if (series.empty()) {
    const bool known = std::ranges::all_of(engine.features, [&](const auto& name) { return schema.find(name).has_value(); });
    if (known)  // else a name that is not known is the problem
      problems.add(engine.place, "engine " + engine.name + " is a conv1d and reads no series",
                   "convolutions run along the points of a series, an entry with `length` in " + schema.file.string(),
                   "name one among its features, or write type: mlp");
    return;
  }
  check_lengths(series, problems);
  check_convolutions(engine, series.front(), problems);
}

}  // namespace hiple
