#include "evidence/evidence_sample.hpp"
#include "evidence/import.hpp"
#include "feeding.hpp"
#include "targets.hpp"

namespace hiple::fuzz {

void feed_import(std::string_view input) {
  static const evidence::Terms terms = evidence::sample_terms();
  static const std::vector<std::uint64_t> ids = {3, 7, 9};
  const evidence::ImportContext context{terms, ids, *parse_date("2026-06-30")};
  refusing([&] {
    Problems problems;
    const auto import = read_import(file_with("labs.csv", input), context, problems);
    problems.throw_if_any();
    for (const evidence::CaseRecord& record : import.cases) {
      check(record.date <= context.as_of, "nothing is known of a later day");
      check(record.reliability > 0 && record.reliability <= 1, "reliability lies over 0 and is at most 1");
      const ColumnSchema* subject = terms.find(record.about);
      check(subject != nullptr, "evidence is about something that there is");
      check(record.value.empty() || evidence::read_value(*subject, record.value, record.unit).number.has_value(),
            "its value can be read");
    }
    for (const evidence::RuleRecord& record : import.rules)
      check(record.held <= record.cases, "a rule does not hold in more cases than there were");
    evidence::Store store;
    append(store, {"now", import.file, import.sha256, 0, 0, {}}, import.cases, import.rules);
    const evidence::Standings standings(store, terms, {.as_of = context.as_of}, "store");
    check(standings.problems().empty() && standings.unknown().empty(), "what was imported can be looked up");
  });
}

}  // namespace hiple::fuzz
