#include "evidence/evidence_sample.hpp"
#include "feeding.hpp"
#include "h5_edits.hpp"
#include "targets.hpp"

namespace hiple::fuzz {

namespace {

evidence::Store sound_store() {
  using evidence::says;
  return evidence::store_of({says(3, "TSH", "7.2", "north", "2026-01-31", "mU/L", 0.9), says(7, "state", "hypo", "lee"),
                             says(7, "state", "none", "may"), says(9, "sick", "", "lee", "2026-02-01")},
                            {{"F-1", 120, 113, "registry", *parse_date("2026-01-15"), 1, 2}});
}

}  // namespace

void feed_evidence(std::string_view input) {
  static const EditedFile file("evidence.h5", [](const auto& path) { write_store(path, sound_store()); });
  static const evidence::Terms terms = evidence::sample_terms();
  refusing([&] {
    const evidence::Store store = evidence::read_store(file.changed(input));
    const evidence::Filter filter{.as_of = *parse_date("2026-06-30")};
    const evidence::Standings standings(store, terms, filter, "evidence.h5");
    for (const Problem& problem : standings.problems().list()) check(!problem.place.file.empty(), "a problem has a place");
    for (const auto& [about, list] : standings.all()) {
      for (const evidence::Standing& standing : list) {
        for (const std::size_t record : standing.records) (void)store.origin_of_case(record);
      }
    }
    for (const auto& rule : evidence::rule_standings(store, filter)) {
      for (const std::size_t record : rule.records) (void)store.origin_of_rule(record);
    }
    check(as_it_was(store, store.head()) == store, "a store is found again by its head");
  });
}

}  // namespace hiple::fuzz
