#include "engine/kernels_product.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <oneapi/dnnl/dnnl.hpp>

#include "base/error.hpp"

namespace hiple::engine {

// The one source that knows oneDNN. Its matrix product has kept its interface from version 1 to 3, while descriptors have
// not, and on a processor without AVX-512 its matmul and inner_product primitives call the same product inside.
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

}  // namespace hiple::engine
