#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/device_stepper.hpp"

namespace hiple::engine {

/// The processor in the place of a device: loops instead of kernels, and products written down as cuBLASLt's documentation says
/// what they are, summed in double precision. With it the whole step of a device, its order, its buffers and its plans, is tested
/// without one.
class HostPlatform {
 public:
  static constexpr const char* kind = "host";

  template <class Value>
  class Array {
   public:
    Array() = default;
    explicit Array(std::size_t size) : values_(size) {}
    [[nodiscard]] Value* data() { return values_.data(); }
    [[nodiscard]] const Value* data() const { return values_.data(); }
    [[nodiscard]] std::size_t size() const { return values_.size(); }

   private:
    struct alignas(64) Line {
      std::byte bytes[64];
    };
    struct Storage {
      Storage() = default;
      explicit Storage(std::size_t size) : lines((size * sizeof(Value) + sizeof(Line) - 1) / sizeof(Line)), count(size) {}
      [[nodiscard]] Value* data() { return reinterpret_cast<Value*>(lines.data()); }
      [[nodiscard]] const Value* data() const { return reinterpret_cast<const Value*>(lines.data()); }
      [[nodiscard]] std::size_t size() const { return count; }
      std::vector<Line> lines;
      std::size_t count = 0;
    };
    Storage values_;
  };
  using Product = device::ProductShape;
  using Recording = std::function<void()>;

  /// What a broken device would do; may be empty.
  std::function<void(const device::ProductShape&, const device::ProductData&)> after_product;
  std::size_t launches = 0, recordings = 0;

  [[nodiscard]] std::string name() const { return "the tests' device"; }

  template <class Value>
  [[nodiscard]] Array<Value> array(std::size_t size) {
    return Array<Value>(size);
  }
  template <class Value>
  [[nodiscard]] Array<Value> copy_of(const std::vector<Value>& values) {
    Array<Value> result(values.size());
    write(result, std::span<const Value>(values));
    return result;
  }
  template <class Value>
  void write(Array<Value>& target, std::span<const Value> values) {
    ASSERT_LE(values.size(), target.size());
    std::copy(values.begin(), values.end(), target.data());
  }
  template <class Value>
  void read(const Array<Value>& source, std::span<Value> values) {
    ASSERT_LE(values.size(), source.size());
    std::copy_n(source.data(), values.size(), values.begin());
  }
  /// Backwards: no index may count on another one's work.
  template <class Body>
  void for_each(std::size_t count, const Body& body) {
    for (std::size_t i = count; i-- > 0;) body(i);
  }
  [[nodiscard]] Product product(const device::ProductShape& shape) { return shape; }
  [[nodiscard]] Recording record(std::function<void()> work) {
    ++recordings;
    return work;
  }
  void launch(const Recording& recording) {
    ++launches;
    recording();
  }

  void multiply(const Product& s, const device::ProductData& data) {
    using device::Epilogue;
    for (std::int64_t column = 0; column < s.n; ++column) {
      for (std::int64_t row = 0; row < s.m; ++row) {
        double sum = 0;
        for (std::int64_t k = 0; k < s.k; ++k) {
          const float a = data.a[s.transposed_a ? row * s.stride_a + k : k * s.stride_a + row];
          const float b = data.b[s.transposed_b ? k * s.stride_b + column : column * s.stride_b + k];
          sum += static_cast<double>(a) * static_cast<double>(b);
        }
        data.d[column * s.stride_d + row] = with_epilogue(s, data, row, column, sum);
      }
      if (s.epilogue != Epilogue::bias_gradient) continue;
      double sum = 0;
      for (std::int64_t k = 0; k < s.k; ++k) sum += data.b[s.transposed_b ? k * s.stride_b + column : column * s.stride_b + k];
      data.bias[column] = static_cast<float>(sum);
    }
    if (after_product) after_product(s, data);
  }

 private:
  static float with_epilogue(const Product& s, const device::ProductData& data, std::int64_t row, std::int64_t column,
                             double sum) {
    using device::Epilogue;
    const bool has_bias =
        s.epilogue == Epilogue::bias || s.epilogue == Epilogue::bias_relu || s.epilogue == Epilogue::bias_relu_mask;
    if (has_bias) sum += data.bias[row];
    const std::int64_t bit = column * s.mask_stride() + row;
    auto* mask = static_cast<std::uint8_t*>(data.mask);
    const auto one = static_cast<std::uint8_t>(1U << static_cast<unsigned>(bit % 8));
    if (s.epilogue == Epilogue::bias_relu_mask)
      mask[bit / 8] = static_cast<std::uint8_t>(sum > 0 ? mask[bit / 8] | one : mask[bit / 8] & ~one);
    if (s.epilogue == Epilogue::relu_gradient && (mask[bit / 8] & one) == 0) sum = 0;
    const bool relu = s.epilogue == Epilogue::bias_relu || s.epilogue == Epilogue::bias_relu_mask;
    return static_cast<float>(relu && sum <= 0 ? 0 : sum);
  }
};

}  // namespace hiple::engine
