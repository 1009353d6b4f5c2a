#include "engine/kernels_product.hpp"

#include <fmt/format.h>

#include <oneapi/dnnl/dnnl.hpp>
#include <utility>
#include <vector>

#include "base/error.hpp"

// Of the OpenMP API, whose header some compilers do not bring.
extern "C" void omp_set_num_threads(int threads);

namespace hiple::engine {

// The one source that knows oneDNN. Of its interfaces the plain matrix product is the same in versions 1 to 3, while
// descriptors are not; it allocates nothing by operator new (matmul: 5 times an execution), and on a processor without AVX-512
// matmul and inner_product call the same product inside.
void product(MatrixView a, MatrixView b, float* c, std::int64_t stride, std::int64_t rows, std::int64_t columns,
             std::int64_t inner, bool accumulate) {
  const auto letter = [](Operand operand) { return operand == Operand::plain ? 'N' : 'T'; };
  const dnnl::status status = dnnl::sgemm(letter(a.operand), letter(b.operand), rows, columns, inner, 1.0F, a.values, a.stride,
                                          b.values, b.stride, accumulate ? 1.0F : 0.0F, c, stride);
  if (status != dnnl::status::success) {
    throw Error(fmt::format("oneDNN refused a matrix product [{}, {}] x [{}, {}]: status {}", rows, inner, inner, columns,
                            static_cast<int>(status)));
  }
}

void use_threads(int threads) { omp_set_num_threads(threads); }

void prepare_products() {
  // Each kind of product has kernels of its own, made when it first runs: by shape (square, few rows or columns, one of them), by
  // how its factors lie and by whether it adds.
  constexpr std::int64_t side = 16;  // smaller products take a way round the kernels
  const std::vector<float> factor(side * side, 0.0F);
  std::vector<float> result(side * side, 0.0F);
  for (const auto& [rows, columns] : {std::pair{side, side},
                                      {side, std::int64_t{3}},
                                      {std::int64_t{3}, side},
                                      {side, std::int64_t{1}},
                                      {std::int64_t{1}, side}}) {
    for (const Operand left : {Operand::plain, Operand::transposed}) {
      for (const Operand right : {Operand::plain, Operand::transposed}) {
        for (const bool accumulate : {false, true}) {
          product({.values = factor.data(), .stride = side, .operand = left},
                  {.values = factor.data(), .stride = side, .operand = right}, result.data(), side, rows, columns, side,
                  accumulate);
        }
      }
    }
  }
}

std::string product_library_version() {
  const dnnl::version_t* version = dnnl::version();
  return fmt::format("{}.{}.{}", version->major, version->minor, version->patch);
}

}  // namespace hiple::engine
