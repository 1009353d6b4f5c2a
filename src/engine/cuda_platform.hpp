#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/cublas_lt.hpp"
#include "engine/cuda_check.hpp"
#include "engine/cuda_launch.hpp"

namespace hiple::engine::cuda {

/// Numbers in a device's memory, at a multiple of 256 bytes.
template <class Value>
class Array {
 public:
  static_assert(std::is_trivially_copyable_v<Value>);
  Array() = default;
  Array(void* values, std::size_t size) : values_(static_cast<Value*>(values)), size_(size) {}

  [[nodiscard]] Value* data() { return values_.get(); }
  [[nodiscard]] const Value* data() const { return values_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Release {
    void operator()(Value* values) const noexcept { cudaFree(values); }
  };
  std::unique_ptr<Value, Release> values_;
  std::size_t size_ = 0;
};

/// A sequence of kernels that is launched as one.
class Recording {
 public:
  explicit Recording(cudaGraphExec_t graph) : graph_(graph) {}
  [[nodiscard]] cudaGraphExec_t get() const { return graph_.get(); }

 private:
  struct Release {
    void operator()(cudaGraphExec_t graph) const noexcept { cudaGraphExecDestroy(graph); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Release> graph_;
};

/// One device of this process, with a stream of its own. All of an object's calls come from one thread.
class Platform {
 public:
  static constexpr const char* kind = "cuda";
  template <class Value>
  using Array = cuda::Array<Value>;
  using Product = cuda::Product;
  using Recording = cuda::Recording;

  /// Device `index` as CUDA counts the visible ones. Throws Error.
  explicit Platform(int index);
  ~Platform();
  Platform(const Platform&) = delete;
  Platform& operator=(const Platform&) = delete;

  /// "device 0 (NVIDIA H200)".
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] cudaStream_t stream() const { return stream_; }

  /// Zeros. Throws Error with the figures where the device has no room.
  template <class Value>
  [[nodiscard]] Array<Value> array(std::size_t size) {
    return {size == 0 ? nullptr : allocate(size * sizeof(Value)), size};
  }
  template <class Value>
  [[nodiscard]] Array<Value> copy_of(const std::vector<Value>& values) {
    Array<Value> result = array<Value>(values.size());
    write(result, std::span<const Value>(values));
    return result;
  }
  /// Over the first numbers of the array, behind everything that was begun.
  template <class Value>
  void write(Array<Value>& target, std::span<const Value> values) {
    if (values.empty()) return;
    check(cudaMemcpyAsync(target.data(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice, stream_), "cudaMemcpyAsync");
  }
  /// The first numbers of the array, when everything that was begun is done.
  template <class Value>
  void read(const Array<Value>& source, std::span<Value> values) {
    if (!values.empty())
      check(cudaMemcpyAsync(values.data(), source.data(), values.size_bytes(), cudaMemcpyDeviceToHost, stream_),
            "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream_), "what was begun on the device");
  }

  template <class Body>
  void for_each(std::size_t count, const Body& body) {
    if (count > 0) check(cuda::launch(body, count, stream_), "a kernel's launch");
  }
  [[nodiscard]] Product product(const device::ProductShape& shape) const { return blas_->prepare(shape); }
  void multiply(const Product& product, const device::ProductData& data) const { blas_->multiply(product, data, stream_); }

  /// What `work` begins, without doing it.
  template <class Work>
  [[nodiscard]] Recording record(const Work& work) {
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    try {
      work();
    } catch (...) {
      end_recording().reset();
      throw;
    }
    return instantiate(end_recording());
  }
  void launch(const Recording& recording) { check(cudaGraphLaunch(recording.get(), stream_), "cudaGraphLaunch"); }

 private:
  struct ReleaseGraph {
    void operator()(cudaGraph_t graph) const noexcept { cudaGraphDestroy(graph); }
  };
  using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, ReleaseGraph>;

  void* allocate(std::size_t bytes);
  Graph end_recording();
  static Recording instantiate(const Graph& graph);

  std::string name_;
  cudaStream_t stream_ = nullptr;
  Array<std::uint8_t> workspace_;
  std::optional<Blas> blas_;
};

}  // namespace hiple::engine::cuda
