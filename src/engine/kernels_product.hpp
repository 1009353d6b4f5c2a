#pragma once

#include <cstdint>
#include <string>

namespace hiple::engine {

enum class Operand { plain, transposed };

/// A matrix of single precision, row by row, `stride` numbers from row to row.
struct MatrixView {
  const float* values = nullptr;
  std::int64_t stride = 0;
  Operand operand = Operand::plain;
};

/// C = op(A) op(B), or C += op(A) op(B) where `accumulate`, by oneDNN. op(A) is [rows, inner], op(B) [inner, columns], C
/// [rows, columns] with `stride` numbers from row to row. Equal bit by bit for the same shapes, instruction set and number of
/// threads. Throws Error with oneDNN's status.
void product(MatrixView a, MatrixView b, float* c, std::int64_t stride, std::int64_t rows, std::int64_t columns,
             std::int64_t inner, bool accumulate = false);

/// How many threads the products of the calling thread use from now on.
void use_threads(int threads);

/// Lets oneDNN compile its kernels, once a process; products allocate nothing by operator new afterwards. (oneDNN keeps one
/// block of packed operands while a product runs.)
void prepare_products();

/// The version of the library that computes products, "2.6.3".
std::string product_library_version();

}  // namespace hiple::engine
