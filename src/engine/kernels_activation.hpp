#pragma once

#include <cstdint>

#include "engine/network_layout.hpp"

namespace hiple::engine {

/// values = activation(values + bias), for a matrix [rows, width] row by row and a bias [width]. GELU's error function has an
/// error below 2e-7 (Abramowitz and Stegun 7.1.26).
void add_bias_activate(Activation activation, const float* bias, float* values, std::int64_t rows, std::int64_t width);

/// The same in training: `slope` [rows, width] holds the dropout factors (`masked`) or nothing; values = activation(values +
/// bias) * factor, slope = activation'(values + bias) * factor.
void add_bias_activate_training(Activation activation, bool masked, const float* bias, float* values, float* slope,
                                std::int64_t rows, std::int64_t width);

/// values += bias.
void add_bias(const float* bias, float* values, std::int64_t rows, std::int64_t width);

/// gradient *= slope; sums [width] = the column sums of the new gradient, row after row.
void multiply_by_slope(const float* slope, float* gradient, float* sums, std::int64_t rows, std::int64_t width);

/// sums [width] = the column sums, row after row.
void sum_columns(const float* values, float* sums, std::int64_t rows, std::int64_t width);

}  // namespace hiple::engine
