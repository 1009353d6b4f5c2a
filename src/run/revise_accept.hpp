#pragma once

#include <functional>
#include <string>

#include "run/revise_reading.hpp"

namespace hiple {

/// Makes a proposal, which nothing speaks against, the revision in force: writes its law, derives its decisions, records it, and
/// only then lets it stand. `written`: called when "law", "decisions", "record" and "pointer" have been; may be empty. Whoever
/// calls holds the run's lock. Throws Error where an engine's files change meanwhile; then nothing is accepted.
RevisionRecord accept_revision(const RevisionReading& from, const Proposal& proposal, int threads,
                               const std::function<void(const std::string&)>& written);

}  // namespace hiple
