#pragma once

#include <cstddef>
#include <vector>

#include "engine/typicality.hpp"

namespace hiple::engine {

/// Class means [classes, width] of the activations; zeros, and present 0, for a class without rows.
struct ClassMeans {
  std::vector<double> means;
  std::vector<std::uint8_t> present;
};
ClassMeans class_means(std::size_t width, std::size_t classes, const Activations& activations);

/// Lower Cholesky factor [width, width] of the covariance within classes, shrunk towards a multiple of the identity with the
/// weight that Ledoit and Wolf ("A well-conditioned estimator for large-dimensional covariance matrices", 2004) estimate, and
/// a millionth at least, so that units that never fire in training have a variance too. The identity where nothing varies.
std::vector<double> covariance_factor(std::size_t width, const ClassMeans& means, const Activations& activations);

/// Solves factor * x = row for each row of `values` [rows, width], in place.
void whiten(std::size_t width, const std::vector<double>& factor, std::vector<double>& values);

}  // namespace hiple::engine
