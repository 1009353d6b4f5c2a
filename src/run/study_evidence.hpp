#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "evidence/standing.hpp"
#include "law/law.hpp"
#include "table/schema.hpp"
#include "table/table.hpp"

namespace hiple {

/// A study's evidence and what it may speak of.
struct StudyEvidence {
  std::filesystem::path file;
  evidence::Terms terms;
  evidence::Filter filter;  ///< the run's day, and the least reliability of run.yaml
  evidence::Store store;
  evidence::Standings standings;
};

/// What evidence may speak of: the schema's input columns, and the law's questions, rules and laws.
evidence::Terms terms_of(const Schema& schema, const law::Law& law);

/// Reads what stands in a store. `file` names it in messages.
StudyEvidence study_evidence(const std::filesystem::path& file, evidence::Store store, const evidence::Filter& filter,
                             const Schema& schema, const law::Law& law);

/// The same study's evidence as it was when its head was `head`. Throws InputError: it never was.
StudyEvidence earlier_evidence(const StudyEvidence& evidence, const std::string& head, const Schema& schema, const law::Law& law);

/// Evidence that a law reads, beside a table: as columns "evidence.NAME", missing where there is none, invalid where its sources
/// contradict one another.
class EvidenceColumns {
 public:
  /// `evidence` may be null: then there is none, and all of it is missing. Must outlive it. Throws InputError where a record that
  /// counts cannot be read any more.
  EvidenceColumns(const law::Law& law, const StudyEvidence* evidence);

  /// The schema of a table with these columns beside its own.
  [[nodiscard]] Schema beside(Schema schema) const;
  /// Puts them beside a table's own; nothing where they are there already.
  void put_beside(Table& table) const;

 private:
  std::vector<ColumnSchema> columns_;
  const StudyEvidence* evidence_;
};

}  // namespace hiple
