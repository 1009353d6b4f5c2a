#pragma once

#include <cstdint>

#include "engine/network_layout.hpp"

namespace hiple::engine {

/// A matrix row by row, `stride` numbers from row to row.
struct MatrixShape {
  std::int64_t rows = 0;
  std::int64_t width = 0;
  std::int64_t stride = 0;
};

/// values = activation(values + bias), with a bias [width]. GELU's error function has an error below 2e-7 (Abramowitz and
/// Stegun 7.1.26).
void add_bias_activate(Activation activation, const float* bias, float* values, MatrixShape shape);

/// The same in training: `slope` [rows, width], without gaps, holds the dropout factors (`masked`) or nothing;
/// values = activation(values + bias) * factor, slope = activation'(values + bias) * factor.
void add_bias_activate_training(Activation activation, bool masked, const float* bias, float* values, float* slope,
                                MatrixShape shape);

/// values += bias.
void add_bias(const float* bias, float* values, MatrixShape shape);

/// gradient *= slope [rows, width], without gaps; sums [width] = the column sums of the new gradient, row after row.
void multiply_by_slope(const float* slope, float* gradient, float* sums, MatrixShape shape);

/// sums [width] = the column sums, row after row.
void sum_columns(const float* values, float* sums, MatrixShape shape);

}  // namespace hiple::engine
