#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/run_config.hpp"
#include "run/prepare.hpp"
#include "run/run_directory.hpp"

/// Revisions of a run's law. Each lies whole in a folder of its own, revisions/N: the law, the decisions that it made, and the
/// record of what was accepted. One link makes one of them stand: decisions.h5 is a link to the decisions of the revision in
/// force, and the law beside these is the law of the run. It changes in one rename, so that there is the old revision or the new
/// one, whatever ends the program. Without a revision decisions.h5 is a file, and the law is that of run.yaml.
namespace hiple {

/// Where the decisions are: directory.decisions() itself or, after a revision, what that is a link to. Whoever writes them writes
/// there, so that the revision stays in force.
std::filesystem::path decisions_file(const RunDirectory& directory);

/// The files of one engine, by which it is seen that a revision leaves engines alone.
struct EngineFiles {
  std::string engine, checkpoint_sha256, judgments_sha256;  ///< empty: there is no such file
  bool operator==(const EngineFiles&) const = default;
};
std::vector<EngineFiles> engine_files(const PreparedRun& run, const RunDirectory& directory);

/// revisions/N/revision.json.
struct RevisionRecord {
  std::uint64_t number = 0, parent = 0;
  std::string time;                           ///< UTC, of the acceptance
  std::string proposal, rule, kind, summary;  ///< what was accepted, and of which rule
  std::vector<std::string> changed;           ///< ids of the rules that differ from the parent's
  std::string law_sha256, parent_law_sha256;  ///< Law::sha256()
  std::string evidence;                       ///< head of the evidence that it rests on
  std::string root, parent_root;              ///< of the decisions
  std::uint64_t cases = 0, derived_again = 0, answers_changed = 0;
  std::filesystem::path base_law;    ///< that of run.yaml, which the first revision was made from
  std::string base_sha256;           ///< law_files_sha256() of it
  std::vector<EngineFiles> engines;  ///< the same before and after
};

/// The revision in force; 0: none.
std::uint64_t current_revision(const RunDirectory& directory);

/// Throws InputError: no such revision, or its record is damaged.
RevisionRecord read_revision(const RunDirectory& directory, std::uint64_t number);
void write_revision(const RunDirectory& directory, const RevisionRecord& record);

/// The revisions that lead to the one in force, the first one first.
std::vector<RevisionRecord> revisions_in_force(const RunDirectory& directory);

/// A number that no revision has had, whether or not it was accepted.
std::uint64_t next_revision(const RunDirectory& directory);

/// Puts the law of the revision in force in the place of the one that run.yaml names. Throws InputError where that one was
/// changed since revisions were made from it: which of the two was meant is not known.
void follow_revision(RunConfig& config);

/// SHA-256 of law.yaml, and of critical.yaml where it names one, as they are written.
std::string law_files_sha256(const std::filesystem::path& law);

/// Makes a revision stand: in one step, durable once it returns. 0: none, as before the first one.
void make_current(const RunDirectory& directory, std::uint64_t number);

/// Keeps what was decided before the first revision as revisions/0.
void keep_original(const RunDirectory& directory);

}  // namespace hiple
