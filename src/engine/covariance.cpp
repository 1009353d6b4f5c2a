#define EIGEN_DONT_PARALLELIZE  // the sums must not depend on the number of threads

#include "engine/covariance.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "base/error_kinds.hpp"

namespace hiple::engine {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Map<Matrix>;
using ConstRows = Eigen::Map<const Matrix>;

Eigen::Index index(std::size_t value) { return static_cast<Eigen::Index>(value); }

struct Scatter {
  Matrix mean;              ///< mean over rows of x x'
  double fourth_power = 0;  ///< mean over rows of |x|^4
  double rows = 0;
};

/// Of the differences x between the rows and their class's mean.
Scatter scatter_within(std::size_t width, const ClassMeans& means, const Activations& activations) {
  Scatter scatter{Matrix::Zero(index(width), index(width)), 0, static_cast<double>(activations.classes.size())};
  constexpr std::size_t block_rows = 512;
  std::vector<double> block(block_rows * width);
  for (std::size_t first = 0; first < activations.classes.size(); first += block_rows) {
    const std::size_t rows = std::min(block_rows, activations.classes.size() - first);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto own = static_cast<std::size_t>(activations.classes[first + i]);
      double square = 0;
      for (std::size_t j = 0; j < width; ++j) {
        const double difference = activations.values[(first + i) * width + j] - means.means[own * width + j];
        block[i * width + j] = difference;
        square += difference * difference;
      }
      scatter.fourth_power += square * square;
    }
    const ConstRows differences(block.data(), index(rows), index(width));
    scatter.mean.selfadjointView<Eigen::Lower>().rankUpdate(differences.transpose());
  }
  scatter.mean = Matrix(scatter.mean.selfadjointView<Eigen::Lower>()) / scatter.rows;
  scatter.fourth_power /= scatter.rows;
  return scatter;
}

Matrix shrunk(const Scatter& scatter) {
  const auto width = static_cast<double>(scatter.mean.rows());
  const double scale = scatter.mean.trace() / width;
  Matrix identity = Matrix::Identity(scatter.mean.rows(), scatter.mean.cols());
  if (!(scale > 0)) return identity;
  const double distance = (scatter.mean - scale * identity).squaredNorm();
  const double error = (scatter.fourth_power - scatter.mean.squaredNorm()) / scatter.rows;
  constexpr double least = 1e-6;
  const double weight = distance > 0 ? std::clamp(error / distance, least, 1.0) : 1.0;
  return (1 - weight) * scatter.mean + weight * scale * identity;
}

}  // namespace

ClassMeans class_means(std::size_t width, std::size_t classes, const Activations& activations) {
  ClassMeans result{std::vector<double>(classes * width, 0.0), std::vector<std::uint8_t>(classes, 0)};
  std::vector<double> counts(classes, 0.0);
  for (std::size_t row = 0; row < activations.classes.size(); ++row) {
    const auto own = static_cast<std::size_t>(activations.classes[row]);
    ++counts.at(own);
    result.present[own] = 1;
    for (std::size_t j = 0; j < width; ++j) result.means[own * width + j] += activations.values[row * width + j];
  }
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t j = 0; j < width && counts[k] > 0; ++j) result.means[k * width + j] /= counts[k];
  }
  return result;
}

std::vector<double> covariance_factor(std::size_t width, const ClassMeans& means, const Activations& activations) {
  const Eigen::LLT<Matrix> cholesky(shrunk(scatter_within(width, means, activations)));
  if (cholesky.info() != Eigen::Success)
    throw RepeatableError("typicality: the covariance of the penultimate layer is not finite");
  const Matrix factor = cholesky.matrixL();
  return {factor.data(), factor.data() + factor.size()};
}

void whiten(std::size_t width, const std::vector<double>& factor, std::vector<double>& values) {
  const ConstRows lower(factor.data(), index(width), index(width));
  Rows rows(values.data(), index(values.size() / width), index(width));
  lower.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(rows);
}

}  // namespace hiple::engine
