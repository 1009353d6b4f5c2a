#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// The loops over a tile of cases. Each has a version for every instruction set that Highway knows, chosen when the program runs;
/// all give the same bits, since they compare and combine but never round.
namespace hiple::law::columnar {

/// A plane of one tile is 64 words of 64 cases.
inline constexpr std::size_t tile_words = 64, tile_cases = 64 * tile_words;

enum class Comparison : std::uint8_t { equal, less, less_equal, greater, greater_equal };

/// A question about a value of type T, and the plane for its answers.
template <class T>
struct Test {
  enum class Kind : std::uint8_t { greater, equal, finite } kind = Kind::greater;
  bool negated = false;  ///< the plane gets where it does not hold
  T constant{};          ///< what it is compared with
  std::uint64_t* plane = nullptr;
};

/// Answers tests about each value of a tile; `next` is what will be read after it, or null. Values that are no numbers are
/// neither greater nor equal nor finite. Only doubles are tested for being finite.
template <class T>
void run_tests(const T* values, std::span<const Test<T>> tests, const void* next = nullptr);

/// Value by value. What is no number compares as FALSE.
void compare_pairs(const double* a, Comparison op, const double* b, std::uint64_t* out);

/// One gate: planes are numbered from `planes` on, one after the other.
struct Instruction {
  enum class Kind : std::uint8_t { both, either, without, complement, mean };
  Kind kind = Kind::both;
  std::uint32_t to = 0;  ///< a plane
  std::uint32_t a = 0;   ///< a plane; of `mean` its number
  std::uint32_t b = 0;   ///< a plane; of `mean` the plane of FALSE
};

/// Runs gates up to the first that is no plane's logic, and returns how many were run.
std::size_t run_gates(std::span<const Instruction> instructions, std::uint64_t* planes);

/// bytes[i] gets in bit p what planes[p] has of case i: of at most eight planes.
void gather_bits(std::span<const std::uint64_t* const> planes, std::uint8_t* bytes);

/// The name of the instruction set in use, "AVX2".
std::string instruction_set();
/// Those that this machine and this build have, the best first.
std::vector<std::string> instruction_sets();
/// Uses one of these from now on, in all threads; to measure and to compare. Throws Error where there is no such set.
void use_instruction_set(const std::string& name);

}  // namespace hiple::law::columnar
