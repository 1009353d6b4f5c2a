#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "law/columnar.hpp"

/// On-demand judging: whom the law wants to hear about which cases, before everything is judged.
namespace hiple::law {

/// What a law asks for after so many rounds of links and rings.
struct Consultation {
  std::vector<std::vector<std::uint64_t>> unasked;  ///< of each engine of the law: ids of the cases in which it is consulted and
                                                    ///< was not asked yet (JudgmentStatus::not_asked), ascending
  std::uint64_t asked = 0;                          ///< engines consulted that were asked, over all cases
  bool goes_on = false;                             ///< some case took every one of the rounds: there may be another one

  [[nodiscard]] std::uint64_t open() const;  ///< how many judgments are asked for
};

/// Looks at the cases of `inputs` with at most `rounds` rounds, and adds to `to`. Who is consulted in a round depends on what the
/// engines of the rounds before it say: so ask with 0, 1, 2 .. rounds, and have what is asked for judged before the next. When no
/// case goes on, the judgments are all that decide() consults, and its answers are those of judging everything.
void consult(const Law& law, const ColumnarLaw& columnar, const Inputs& inputs, std::size_t rounds, Consultation& to);

/// How many judgments a law would still ask for, of a run that judged on demand: those of the first round in which it asks for
/// any; 0 where all that it consults is judged.
std::uint64_t count_unasked(const Law& law, const Table& table, const std::vector<EngineJudgments>& engines);

/// The columns that the route's home conditions read, ascending.
std::vector<std::string> home_columns(const Law& law);

/// The rows of a table for which the route makes this engine a home: what it judges before the law has asked for anything. All
/// where the law has no home, or the engine is none of the law's. Throws InputError where the table lacks a home column.
std::vector<std::uint32_t> home_rows(const Law& law, const Table& table, const std::string& engine);

}  // namespace hiple::law
