#pragma once

#include <cublasLt.h>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

#include "engine/device_product.hpp"

namespace hiple::engine::cuda {

/// The functions of cuBLASLt that we call. The library is opened when an engine first trains on a device, and not linked: it has
/// half a gigabyte, and the programs must start where it is not installed.
struct CublasLt {
  /// Opens libcublasLt once. Throws Error where it or a function is not to be had, with what to do.
  static const CublasLt& library();

  decltype(&cublasLtCreate) create;
  decltype(&cublasLtDestroy) destroy;
  decltype(&cublasLtGetStatusString) text;
  decltype(&cublasLtGetVersion) version;
  decltype(&cublasLtMatmul) multiply;
  decltype(&cublasLtMatmulAlgoGetHeuristic) choose;
  decltype(&cublasLtMatmulDescCreate) create_description;
  decltype(&cublasLtMatmulDescDestroy) destroy_description;
  decltype(&cublasLtMatmulDescSetAttribute) set_description;
  decltype(&cublasLtMatmulPreferenceCreate) create_preference;
  decltype(&cublasLtMatmulPreferenceDestroy) destroy_preference;
  decltype(&cublasLtMatmulPreferenceSetAttribute) set_preference;
  decltype(&cublasLtMatrixLayoutCreate) create_layout;
  decltype(&cublasLtMatrixLayoutDestroy) destroy_layout;

  /// Throws Error with the call and the library's own words.
  void check(cublasStatus_t problem, const std::string& what) const;
};

/// A product whose way of computing is chosen, and which can be computed again and again.
struct Product {
  template <class Handle>
  using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, cublasStatus_t (*)(Handle)>;

  device::ProductShape shape;
  Owned<cublasLtMatmulDesc_t> description{nullptr, nullptr};
  Owned<cublasLtMatrixLayout_t> a{nullptr, nullptr}, b{nullptr, nullptr}, d{nullptr, nullptr};
  cublasLtMatmulAlgo_t algorithm{};
};

/// cuBLASLt on the current device, with a workspace in its memory. Products are those of single precision, without TF32, and
/// equal bit by bit from run to run: sums that are split are put together in a fixed order.
class Blas {
 public:
  /// `workspace`: [bytes] in the device's memory, which outlives this.
  Blas(void* workspace, std::size_t bytes);
  /// Throws Error where the library has no way to compute it.
  [[nodiscard]] Product prepare(const device::ProductShape& shape) const;
  void multiply(const Product& product, const device::ProductData& data, cudaStream_t stream) const;

 private:
  const CublasLt& library_;
  Product::Owned<cublasLtHandle_t> handle_{nullptr, nullptr};
  void* workspace_;
  std::size_t bytes_;
};

}  // namespace hiple::engine::cuda
