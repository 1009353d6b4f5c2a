#include "engine/cublas_lt.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/error.hpp"

namespace hiple::engine::cuda {

namespace {

using device::Epilogue;
using device::ProductShape;

/// The library of the toolkit that we were built with, from where the dynamic linker looks, else from the toolkit's own folder.
void* open_library() {
  const std::string name = "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR);
  for (const std::string& path : {name, std::string(HIPLE_CUDA_LIBRARIES) + "/" + name})
    if (void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  throw Error(
      fmt::format("{} cannot be opened: {}. Training on a device needs it: put the folder of the CUDA libraries on "
                  "LD_LIBRARY_PATH, or write \"device: cpu\"",
                  name, ::dlerror()));
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) throw Error(fmt::format("libcublasLt has no function {}", name));
}

CublasLt load() {
  void* library = open_library();  // stays open: its functions are called until the end
  CublasLt all{};
  find(library, "cublasLtCreate", all.create);
  find(library, "cublasLtDestroy", all.destroy);
  find(library, "cublasLtGetStatusString", all.text);
  find(library, "cublasLtGetVersion", all.version);
  find(library, "cublasLtMatmul", all.multiply);
  find(library, "cublasLtMatmulAlgoGetHeuristic", all.choose);
  find(library, "cublasLtMatmulDescCreate", all.create_description);
  find(library, "cublasLtMatmulDescDestroy", all.destroy_description);
  find(library, "cublasLtMatmulDescSetAttribute", all.set_description);
  find(library, "cublasLtMatmulPreferenceCreate", all.create_preference);
  find(library, "cublasLtMatmulPreferenceDestroy", all.destroy_preference);
  find(library, "cublasLtMatmulPreferenceSetAttribute", all.set_preference);
  find(library, "cublasLtMatrixLayoutCreate", all.create_layout);
  find(library, "cublasLtMatrixLayoutDestroy", all.destroy_layout);
  return all;
}

cublasLtEpilogue_t epilogue_of(Epilogue epilogue) {
  switch (epilogue) {
    case Epilogue::none:
      return CUBLASLT_EPILOGUE_DEFAULT;
    case Epilogue::bias:
      return CUBLASLT_EPILOGUE_BIAS;
    case Epilogue::bias_relu:
      return CUBLASLT_EPILOGUE_RELU_BIAS;
    case Epilogue::bias_relu_mask:
      return CUBLASLT_EPILOGUE_RELU_AUX_BIAS;
    case Epilogue::relu_gradient:
      return CUBLASLT_EPILOGUE_DRELU;
    case Epilogue::bias_gradient:
      return CUBLASLT_EPILOGUE_BGRADB;
  }
  return CUBLASLT_EPILOGUE_DEFAULT;
}

bool has_mask(const ProductShape& shape) {
  return shape.epilogue == Epilogue::bias_relu_mask || shape.epilogue == Epilogue::relu_gradient;
}

bool has_bias(const ProductShape& shape) { return shape.epilogue != Epilogue::none && shape.epilogue != Epilogue::relu_gradient; }

Product::Owned<cublasLtMatrixLayout_t> layout(const CublasLt& library, std::int64_t rows, std::int64_t columns,
                                              std::int64_t stride) {
  cublasLtMatrixLayout_t made = nullptr;
  library.check(
      library.create_layout(&made, CUDA_R_32F, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns), stride),
      "cublasLtMatrixLayoutCreate");
  return {made, library.destroy_layout};
}

template <class Value>
void set(const CublasLt& library, const Product& product, cublasLtMatmulDescAttributes_t attribute, const Value& value) {
  library.check(library.set_description(product.description.get(), attribute, &value, sizeof(value)),
                "cublasLtMatmulDescSetAttribute");
}

template <class Value>
void prefer(const CublasLt& library, cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute,
            const Value& value) {
  library.check(library.set_preference(preference, attribute, &value, sizeof(value)), "cublasLtMatmulPreferenceSetAttribute");
}

}  // namespace

const CublasLt& CublasLt::library() {
  static const CublasLt loaded = load();
  return loaded;
}

void CublasLt::check(cublasStatus_t problem, const std::string& what) const {
  if (problem != CUBLAS_STATUS_SUCCESS) throw Error(fmt::format("cuBLASLt {}: {}: {}", version(), what, text(problem)));
}

Blas::Blas(void* workspace, std::size_t bytes) : library_(CublasLt::library()), workspace_(workspace), bytes_(bytes) {
  cublasLtHandle_t made = nullptr;
  library_.check(library_.create(&made), "cublasLtCreate");
  handle_ = {made, library_.destroy};
}

Product Blas::prepare(const ProductShape& shape) const {
  Product product;
  product.shape = shape;
  cublasLtMatmulDesc_t description = nullptr;
  library_.check(library_.create_description(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate");
  product.description = {description, library_.destroy_description};
  set(library_, product, CUBLASLT_MATMUL_DESC_TRANSA, shape.transposed_a ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(library_, product, CUBLASLT_MATMUL_DESC_TRANSB, shape.transposed_b ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(library_, product, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue_of(shape.epilogue));
  // The choice may look at where bias and mask lie: for now, somewhere as well aligned as they will be.
  if (has_bias(shape)) set(library_, product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, workspace_);
  if (has_mask(shape)) {
    set(library_, product, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, workspace_);
    set(library_, product, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, shape.mask_stride());
  }
  product.a = shape.transposed_a ? layout(library_, shape.k, shape.m, shape.stride_a)
                                 : layout(library_, shape.m, shape.k, shape.stride_a);
  product.b = shape.transposed_b ? layout(library_, shape.n, shape.k, shape.stride_b)
                                 : layout(library_, shape.k, shape.n, shape.stride_b);
  product.d = layout(library_, shape.m, shape.n, shape.stride_d);

  cublasLtMatmulPreference_t made = nullptr;
  library_.check(library_.create_preference(&made), "cublasLtMatmulPreferenceCreate");
  const Product::Owned<cublasLtMatmulPreference_t> preference(made, library_.destroy_preference);
  constexpr std::uint32_t schemes = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE, aligned = 64;
  prefer(library_, made, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<std::uint64_t>(bytes_));
  prefer(library_, made, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, schemes);
  prefer(library_, made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, shape.alignment_a);
  prefer(library_, made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, aligned);
  prefer(library_, made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, aligned);
  prefer(library_, made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, aligned);
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  library_.check(library_.choose(handle_.get(), product.description.get(), product.a.get(), product.b.get(), product.d.get(),
                                 product.d.get(), made, 1, &best, &found),
                 fmt::format("no way to compute a product of [{}, {}] by [{}, {}] with epilogue {}", shape.m, shape.k, shape.k,
                             shape.n, static_cast<int>(epilogue_of(shape.epilogue))));
  if (found == 0) library_.check(CUBLAS_STATUS_NOT_SUPPORTED, "cublasLtMatmulAlgoGetHeuristic");
  product.algorithm = best.algo;
  return product;
}

void Blas::multiply(const Product& product, const device::ProductData& data, cudaStream_t stream) const {
  constexpr float one = 1, zero = 0;
  if (has_bias(product.shape)) set(library_, product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, data.bias);
  if (has_mask(product.shape)) set(library_, product, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, data.mask);
  library_.check(
      library_.multiply(handle_.get(), product.description.get(), &one, data.a, product.a.get(), data.b, product.b.get(), &zero,
                        data.d, product.d.get(), data.d, product.d.get(), &product.algorithm, workspace_, bytes_, stream),
      "cublasLtMatmul");
}

}  // namespace hiple::engine::cuda
