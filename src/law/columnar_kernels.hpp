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

/// out[i] gets a bit for each of the tile's values: value `op` constants[i]. Values that are no numbers compare as FALSE.
template <class T>
void compare_with_constants(const T* values, Comparison op, std::span<const T> constants, std::uint64_t* const* out);

/// Value by value.
void compare_pairs(const double* a, Comparison op, const double* b, std::uint64_t* out);

/// Where a value is a finite number.
void find_finite(const double* values, std::uint64_t* out);

/// One gate: planes are numbered from `planes` on, one after the other.
struct Instruction {
  enum class Kind : std::uint8_t { both, either, without, complement, mean, cite };
  Kind kind = Kind::both;
  std::uint32_t to = 0;  ///< a plane; of `cite` a question
  std::uint32_t a = 0;   ///< a plane; of `mean` its number
  std::uint32_t b = 0;   ///< a plane; of `mean` the plane of FALSE; of `cite` a record
};

/// Runs gates up to the first that is no plane's logic, and returns how many were run.
std::size_t run_gates(std::span<const Instruction> instructions, std::uint64_t* planes);

/// For every case of `plane` that `done` does not have yet: rules[case] = record; then it is in `done`.
void cite(const std::uint64_t* plane, std::uint64_t* done, std::uint32_t record, std::uint32_t* rules);

/// The name of the instruction set in use, "AVX2".
std::string instruction_set();
/// Those that this machine and this build have, the best first.
std::vector<std::string> instruction_sets();
/// Uses one of these from now on, in all threads; to measure and to compare. Throws Error where there is no such set.
void use_instruction_set(const std::string& name);

}  // namespace hiple::law::columnar
