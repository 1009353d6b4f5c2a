#pragma once

#include "report/picture.hpp"
#include "run/stored_run.hpp"

namespace hiple {

/// What evidence says of the rules of a run, the revisions of its law that are in force, and answers that they changed, of which
/// at most `most_answers` are listed. Throws InputError where a file of them is damaged.
report::RevisionsPicture look_at_revisions(const PreparedRun& run, const RunDirectory& directory, StoredRun stored,
                                           std::size_t most_answers);

}  // namespace hiple
