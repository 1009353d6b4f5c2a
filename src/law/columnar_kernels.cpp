#include "law/columnar_kernels.hpp"

#include <hwy/cache_control.h>

#include <cstring>
#include <limits>

#include "base/error.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "law/columnar_kernels.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set; it comes after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hiple::law::columnar::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <Comparison op, class V>
HWY_INLINE auto compare(V a, V b) {
  if constexpr (op == Comparison::equal) return hn::Eq(a, b);
  if constexpr (op == Comparison::less) return hn::Lt(a, b);
  if constexpr (op == Comparison::greater) return hn::Gt(a, b);
  constexpr bool is_real = hwy::IsFloat<hn::TFromV<V>>();  // Highway orders only these both ways
  if constexpr (op == Comparison::less_equal && is_real) return hn::Le(a, b);
  if constexpr (op == Comparison::greater_equal && is_real) return hn::Ge(a, b);
  if constexpr (op == Comparison::less_equal && !is_real) return hn::Not(hn::Gt(a, b));
  if constexpr (op == Comparison::greater_equal && !is_real) return hn::Not(hn::Lt(a, b));
}

template <class D, class M>
HWY_INLINE std::uint64_t bits_of(D d, M mask) {
  alignas(8) std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

/// One word: predicate(i) is the mask of the vector that begins at value i.
template <class D, class Predicate>
HWY_INLINE void store_word(D d, Predicate&& predicate, std::uint64_t* to) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  // A mask is at least eight bits in a register of its own, and goes to memory as it is. Brought together in another register
  // first, it takes three times the instructions.
  auto* bytes = reinterpret_cast<std::uint8_t*>(to);
  for (std::size_t i = 0; i < 64; i += hn::MaxLanes(d)) hn::StoreMaskBits(d, predicate(i), bytes + i / 8);
#else
#if HWY_TARGET == HWY_AVX2
  if constexpr (sizeof(hn::TFromD<D>) == 2) {
    // Bits come off bytes in one go, so two masks are joined to one of bytes first.
    const hn::FixedTag<std::uint8_t, 32> d8;
    const auto bytes = [&](std::size_t i) HWY_ATTR { return hn::BitCast(d8, hn::VecFromMask(d, predicate(i))); };
    const auto half = [&](std::size_t i)
                          HWY_ATTR { return bits_of(d8, hn::MaskFromVec(hn::ConcatEven(d8, bytes(i + 16), bytes(i)))); };
    *to = half(0) | half(32) << 32;
    return;
  }
#endif
  const std::size_t lanes = hn::Lanes(d);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 64; i += lanes) word |= bits_of(d, predicate(i)) << i;
  *to = word;
#endif
}

template <class D, class V>
HWY_INLINE auto is_finite(D d, V v) {
  return hn::Le(hn::Abs(v), hn::Set(d, std::numeric_limits<double>::max()));
}

/// Asks for what will be read next, at the same place, so that the memory works while the processor does.
HWY_INLINE void ask_for(const void* next, std::size_t offset, std::size_t bytes) {
  if (next == nullptr) return;
  for (std::size_t at = offset; at < offset + bytes; at += 64) hwy::Prefetch(static_cast<const std::byte*>(next) + at);
}

#if HWY_TARGET == HWY_AVX2
// AVX2 has masks of 64-bit lanes only as vectors, and taking four bits at a time off them costs more than the comparisons. Eight
// masks are blended into one vector of bytes, and 32 bits are taken at once. For the bits to come out in order, the lower half of
// vector v holds cases 2v and 2v + 1 and the upper half those 16 further on.
template <class T>
struct Eight {
  static constexpr hn::FixedTag<T, 4> d{};
  hn::Vec<hn::FixedTag<T, 4>> values[8];
  HWY_INLINE explicit Eight(const T* at) {
    const hn::Half<decltype(d)> half;
    for (std::size_t v = 0; v < 8; ++v) values[v] = hn::Combine(d, hn::LoadU(half, at + 16 + 2 * v), hn::LoadU(half, at + 2 * v));
  }
  template <class Predicate>
  HWY_INLINE std::uint32_t bits(Predicate&& predicate) const {
    const hn::FixedTag<std::uint8_t, 32> d8;
    const hn::FixedTag<std::uint16_t, 16> d16;
    const hn::FixedTag<std::uint32_t, 8> d32;
    const auto mask = [&](std::size_t v) HWY_ATTR { return hn::BitCast(d32, hn::VecFromMask(d, predicate(values[v]))); };
    const auto four = [&](std::size_t v) HWY_ATTR {
      const auto even = hn::BitCast(d16, hn::OddEven(mask(v + 1), mask(v))),
                 odd = hn::BitCast(d16, hn::OddEven(mask(v + 3), mask(v + 2)));
      return hn::BitCast(d8, hn::OddEven(odd, even));
    };
    // Bytes of a lane now belong to vectors 0 4 2 6 1 5 3 7.
    HWY_ALIGN static constexpr std::uint8_t order[32] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15,
                                                         0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
    const auto bytes = hn::TableLookupBytes(hn::OddEven(four(4), four(0)), hn::Load(d8, order));
    return static_cast<std::uint32_t>(bits_of(d8, hn::MaskFromVec(bytes)));
  }
};

template <class T>
HWY_INLINE void tests_of_eight(const T* values, const Test<T>* all, std::size_t count, const void* next) {
  using Kind = typename Test<T>::Kind;
  for (std::size_t word = 0; word < tile_words; ++word) {
    ask_for(next, 64 * word * sizeof(T), 64 * sizeof(T));
    for (std::size_t half = 0; half < 2; ++half) {
      const Eight<T> eight(values + 64 * word + 32 * half);
      for (const Test<T>& test : std::span(all, count)) {
        const auto constant = hn::Set(eight.d, test.constant);
        std::uint32_t bits = 0;
        if (test.kind == Kind::greater)
          bits = eight.bits([&](auto v) HWY_ATTR { return hn::Gt(v, constant); });
        else if (test.kind == Kind::equal)
          bits = eight.bits([&](auto v) HWY_ATTR { return hn::Eq(v, constant); });
        else if constexpr (std::is_same_v<T, double>)
          bits = eight.bits([&](auto v) HWY_ATTR { return is_finite(eight.d, v); });
        const std::uint64_t wanted = test.negated ? ~bits : bits;
        test.plane[word] = half == 0 ? wanted : test.plane[word] | wanted << 32;
      }
    }
  }
}
#endif

template <class T>
void tests(const T* values, const Test<T>* all, std::size_t count, const void* next) {
  using Kind = typename Test<T>::Kind;
#if HWY_TARGET == HWY_AVX2
  if constexpr (sizeof(T) == 8) return tests_of_eight(values, all, count, next);
#endif
  const hn::CappedTag<T, 64> d;
  for (std::size_t word = 0; word < tile_words; ++word) {
    const T* at = values + 64 * word;
    ask_for(next, 64 * word * sizeof(T), 64 * sizeof(T));
    for (const Test<T>& test : std::span(all, count)) {
      const auto constant = hn::Set(d, test.constant);
      std::uint64_t* to = test.plane + word;
      if (test.kind == Kind::greater)
        store_word(
            d, [&](std::size_t i) HWY_ATTR { return hn::Gt(hn::LoadU(d, at + i), constant); }, to);
      else if (test.kind == Kind::equal)
        store_word(
            d, [&](std::size_t i) HWY_ATTR { return hn::Eq(hn::LoadU(d, at + i), constant); }, to);
      else if constexpr (std::is_same_v<T, double>)
        store_word(
            d, [&](std::size_t i) HWY_ATTR { return is_finite(d, hn::LoadU(d, at + i)); }, to);
      if (test.negated) *to = ~*to;
    }
  }
}

// HWY_EXPORT wants plain names.
void tests_f64(const double* v, const Test<double>* all, std::size_t n, const void* next) { tests(v, all, n, next); }
void tests_f32(const float* v, const Test<float>* all, std::size_t n, const void* next) { tests(v, all, n, next); }
void tests_i64(const std::int64_t* v, const Test<std::int64_t>* all, std::size_t n, const void* next) { tests(v, all, n, next); }
void tests_i32(const std::int32_t* v, const Test<std::int32_t>* all, std::size_t n, const void* next) { tests(v, all, n, next); }
void tests_u16(const std::uint16_t* v, const Test<std::uint16_t>* all, std::size_t n, const void* next) {
  tests(v, all, n, next);
}
void tests_u8(const std::uint8_t* v, const Test<std::uint8_t>* all, std::size_t n, const void* next) { tests(v, all, n, next); }

template <Comparison op>
void pairs_with(const double* a, const double* b, std::uint64_t* out) {
  const hn::CappedTag<double, 64> d;
  for (std::size_t word = 0; word < tile_words; ++word, a += 64, b += 64)
    store_word(
        d, [&](std::size_t i) HWY_ATTR { return compare<op>(hn::LoadU(d, a + i), hn::LoadU(d, b + i)); }, out + word);
}

void pairs(const double* a, Comparison op, const double* b, std::uint64_t* out) {
  switch (op) {
    case Comparison::equal:
      return pairs_with<Comparison::equal>(a, b, out);
    case Comparison::less:
      return pairs_with<Comparison::less>(a, b, out);
    case Comparison::less_equal:
      return pairs_with<Comparison::less_equal>(a, b, out);
    case Comparison::greater:
      return pairs_with<Comparison::greater>(a, b, out);
    case Comparison::greater_equal:
      return pairs_with<Comparison::greater_equal>(a, b, out);
  }
}

std::size_t gates(const Instruction* instructions, std::size_t count, std::uint64_t* planes) {
  const hn::CappedTag<std::uint64_t, tile_words> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t at = 0; at < count; ++at) {
    const Instruction& gate = instructions[at];
    const std::uint64_t *a = planes + tile_words * gate.a, *b = planes + tile_words * gate.b;
    std::uint64_t* to = planes + tile_words * gate.to;
    switch (gate.kind) {
      case Instruction::Kind::both:
        for (std::size_t i = 0; i < tile_words; i += lanes) hn::Store(hn::And(hn::Load(d, a + i), hn::Load(d, b + i)), d, to + i);
        break;
      case Instruction::Kind::either:
        for (std::size_t i = 0; i < tile_words; i += lanes) hn::Store(hn::Or(hn::Load(d, a + i), hn::Load(d, b + i)), d, to + i);
        break;
      case Instruction::Kind::without:
        for (std::size_t i = 0; i < tile_words; i += lanes)
          hn::Store(hn::AndNot(hn::Load(d, b + i), hn::Load(d, a + i)), d, to + i);
        break;
      case Instruction::Kind::complement:
        for (std::size_t i = 0; i < tile_words; i += lanes) hn::Store(hn::Not(hn::Load(d, a + i)), d, to + i);
        break;
      case Instruction::Kind::mean:
        return at;
    }
  }
  return count;
}

void gather(const std::uint64_t* const* planes, std::size_t count, std::uint8_t* bytes) {
  const hn::CappedTag<std::uint8_t, 64> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < tile_cases; i += lanes) {
    auto gathered = hn::Zero(d);
    for (std::size_t p = 0; p < count; ++p) {
      const std::uint64_t bits = planes[p][i / 64] >> (i % 64);
      const auto here = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
      gathered = hn::Or(gathered, hn::IfThenElseZero(here, hn::Set(d, static_cast<std::uint8_t>(1U << p))));
    }
    hn::StoreU(gathered, d, bytes + i);
  }
}

const char* target() { return hwy::TargetName(HWY_TARGET); }

}  // namespace hiple::law::columnar::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hiple::law::columnar {

HWY_EXPORT(tests_f64);
HWY_EXPORT(tests_f32);
HWY_EXPORT(tests_i64);
HWY_EXPORT(tests_i32);
HWY_EXPORT(tests_u16);
HWY_EXPORT(tests_u8);
HWY_EXPORT(pairs);
HWY_EXPORT(gates);
HWY_EXPORT(gather);
HWY_EXPORT(target);

template <>
void run_tests(const double* values, std::span<const Test<double>> tests, const void* next) {
  HWY_DYNAMIC_DISPATCH(tests_f64)(values, tests.data(), tests.size(), next);
}
template <>
void run_tests(const float* values, std::span<const Test<float>> tests, const void* next) {
  HWY_DYNAMIC_DISPATCH(tests_f32)(values, tests.data(), tests.size(), next);
}
template <>
void run_tests(const std::int64_t* values, std::span<const Test<std::int64_t>> tests, const void* next) {
  HWY_DYNAMIC_DISPATCH(tests_i64)(values, tests.data(), tests.size(), next);
}
template <>
void run_tests(const std::int32_t* values, std::span<const Test<std::int32_t>> tests, const void* next) {
  HWY_DYNAMIC_DISPATCH(tests_i32)(values, tests.data(), tests.size(), next);
}
template <>
void run_tests(const std::uint16_t* values, std::span<const Test<std::uint16_t>> tests, const void* next) {
  HWY_DYNAMIC_DISPATCH(tests_u16)(values, tests.data(), tests.size(), next);
}
template <>
void run_tests(const std::uint8_t* values, std::span<const Test<std::uint8_t>> tests, const void* next) {
  HWY_DYNAMIC_DISPATCH(tests_u8)(values, tests.data(), tests.size(), next);
}

void compare_pairs(const double* a, Comparison op, const double* b, std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(pairs)(a, op, b, out);
}

std::size_t run_gates(std::span<const Instruction> instructions, std::uint64_t* planes) {
  return HWY_DYNAMIC_DISPATCH(gates)(instructions.data(), instructions.size(), planes);
}

void gather_bits(std::span<const std::uint64_t* const> planes, std::uint8_t* bytes) {
  HWY_DYNAMIC_DISPATCH(gather)(planes.data(), planes.size(), bytes);
}

std::string instruction_set() { return HWY_DYNAMIC_DISPATCH(target)(); }

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  for (std::int64_t rest = targets; rest != 0; rest &= rest - 1) names.emplace_back(hwy::TargetName(rest & -rest));
  return names;
}

void use_instruction_set(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);  // all that there are
  const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  for (std::int64_t rest = targets; rest != 0; rest &= rest - 1) {
    if (name != hwy::TargetName(rest & -rest)) continue;
    hwy::SetSupportedTargetsForTest(rest & -rest);
    return;
  }
  throw Error("this machine and build lack the instruction set " + name);
}

}  // namespace hiple::law::columnar
#endif  // HWY_ONCE
