#pragma once

#include "report/picture.hpp"
#include "run/prepare.hpp"
#include "run/stored_run.hpp"

namespace hiple {

/// What every rule and law did in each case, and to whom answers went. Of more than a hundred thousand cases these many are drawn
/// by the run's seed.
report::LawUse count_law_use(const PreparedRun& run, const law::Law& law, const StoredRun& stored);

/// At most `most` cases: of those with a critical finding, of those in which something was abstained from or escalated, and of
/// the others, a quarter each, and what one kind leaves goes to the next. Each kind is drawn by the run's seed.
report::ShownCases show_cases(const PreparedRun& run, const law::Law& law, const StoredRun& stored, std::size_t most);

}  // namespace hiple
