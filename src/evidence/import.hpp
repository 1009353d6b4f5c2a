#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "evidence/store.hpp"
#include "evidence/terms.hpp"

namespace hiple::evidence {

/// What a file of evidence is checked against.
struct ImportContext {
  const Terms& terms;
  std::span<const std::uint64_t> case_ids;  ///< of the run's table, ascending
  std::int32_t as_of = 0;                   ///< the run's day: nothing can be known of a later one
};

/// The records of one file.
struct Import {
  std::string file, sha256;
  std::vector<CaseRecord> cases;
  std::vector<RuleRecord> rules;
};

/// Reads a CSV file with a header, its columns in any order. About cases:
///
///     case,about,value,unit,source,date,reliability
///     17,TSH,7.2,mU/L,laboratory north,2026-03-01,0.99
///     17,state,hypo,,dr. lee,2026-03-02,0.9
///
/// About rules and laws, in another file:
///
///     rule,cases,held,source,date,reliability
///     F-1,120,113,"registry, 2025",2026-01-15,1
///
/// Every problem goes to `problems`, with FILE:LINE:COL: a header that is neither, unknown cases, columns, questions and rules,
/// values that cannot be, units that cannot be converted, dates after the run's day, reliability outside (0, 1], no source, more
/// held than cases. Reading stops after 20 problems.
Import read_import(const std::filesystem::path& path, const ImportContext& context, Problems& problems);

/// A record that says the same as one that was there before, of the store or of a file.
struct Duplicate {
  std::string origin, first;  ///< "labs.csv:17"
};

/// Takes those records out that the store, or an earlier one of the imports, holds already.
std::vector<Duplicate> remove_duplicates(const Store& store, std::vector<Import>& imports);

}  // namespace hiple::evidence
