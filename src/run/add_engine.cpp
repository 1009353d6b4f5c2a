#include "run/add_engine.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "report/status_file.hpp"
#include "run/add_engine_versions.hpp"
#include "run/build_record.hpp"
#include "run/lock.hpp"
#include "run/open_directory.hpp"
#include "run/settled.hpp"
#include "run/stored_run.hpp"

namespace hiple {

namespace {

namespace fs = std::filesystem;

constexpr const char* record_name = "growth.json";

void check_finished(const RunDirectory& directory) {
  const Place place{directory.root().string()};
  if (!fs::exists(directory.status()))
    throw InputError(place, "holds a run that is not finished", "an engine joins a run that has decided",
                     "finish it with `hiple run`, or with `hiple integrate`");
  const report::StatusRecord status = report::read_status(directory.status());
  if (status.state == "complete") return;
  std::string why = status.reason;
  for (const auto& [engine, reason] : status.missing) why += (why.empty() ? "" : "; ") + engine + ": " + reason;
  throw InputError(place, "holds a run that is " + status.state, why, "finish it with `hiple run`, and add the engine then");
}

/// The run as its decisions were made, with the table of the new one: its law is not read from where it stood, where a person may
/// have written the new one since.
PreparedRun run_as_it_was(const PreparedRun& run, const RunConfig& held, const RunDirectory& directory) {
  RunConfig config = held;
  config.data = run.config.data;
  auto engines = describe_engines(config, run.schema);
  const law::Decisions decisions = law::read_decisions(directory.decisions());
  auto law =
      law::Law::parse(decisions.law_text, directory.decisions().string() + ":/law/text", run.schema, engines, config.as_of);
  return PreparedRun{std::move(config), run.schema, std::move(engines), std::move(law), {}, {}, run.evidence};
}

/// What decisions rest on besides law and engines.
void check_same_grounds(const PreparedRun& run, const law::Decisions& before, const RunDirectory& directory) {
  if (run.law.evidence() != before.evidence)
    throw InputError(run.config.evidence.place, "evidence was added since the run decided",
                     "what it changes would pass for a change by the engine that joins",
                     "decide with it first: `hiple integrate " + directory.root().string() + "`");
  if (run.law.closed_by() != before.closed_by)
    throw InputError(run.config.gate_report_place, "the partition was opened or closed since the run decided",
                     "that changes every answer, whatever joins",
                     "decide with it first: `hiple integrate " + directory.root().string() + "`");
}

/// Throws InputError where versions/next is an attempt at something else.
void check_same_attempt(const RunDirectory& next, const Joining& joining, const RunConfig& wanted) {
  if (!fs::exists(next.root())) return;
  const Place place{next.root().string()};
  const auto refuse = [&](const std::string& why) {
    throw InputError(place, "holds an attempt at something else that was interrupted", why,
                     "repeat that one, or give --fresh to forget it");
  };
  const fs::path file = next.root() / record_name;
  if (!fs::exists(file)) return;
  Joining held;
  try {
    const auto json = nlohmann::json::parse(read_file(file));
    held.added = json.at("added").get<std::vector<std::string>>();
    held.retrained = json.at("retrained").get<std::string>();
  } catch (const nlohmann::json::exception& error) {
    refuse(error.what());
  }
  if (held != joining) refuse("it trains other engines");
  if (!next.holds_run()) return;
  const auto changed = differences(load_run_config(next.config()), wanted);
  if (!changed.empty()) refuse(changed.front());
}

void begin_attempt(const RunDirectory& next, const Joining& joining) {
  make_folder(next.root());
  // What a process was writing when it was ended; nobody else writes here.
  std::vector<fs::path> halves;
  for (const auto& entry : fs::recursive_directory_iterator(next.root()))
    if (entry.path().filename().string().find(".tmp.") != std::string::npos) halves.push_back(entry.path());
  for (const fs::path& half : halves) fs::remove_all(half);
  const nlohmann::ordered_json json = {{"added", joining.added}, {"retrained", joining.retrained}};
  write_file(next.root() / record_name, json.dump() + "\n");
}

EngineFiles files_of(const RunDirectory& directory, const std::string& engine) {
  const auto hash = [](const fs::path& file) { return fs::exists(file) ? sha256_file(file) : std::string(); };
  return {engine, hash(directory.checkpoint(engine)), hash(directory.judgments(engine))};
}

bool same_numbers(const std::vector<float>& a, std::size_t i, const std::vector<float>& b, std::size_t j, std::size_t width = 1) {
  if (a.empty() || b.empty()) return a.empty() == b.empty();
  for (std::size_t k = 0; k < width; ++k)
    if (std::bit_cast<std::uint32_t>(a[i * width + k]) != std::bit_cast<std::uint32_t>(b[j * width + k])) return false;
  return true;
}

/// How many cases an engine judged that it was not asked about before. Throws Error where a word that it said is another now.
std::uint64_t judged_besides(const fs::path& before, const fs::path& after) {
  const Judgments a = read_judgments(before), b = read_judgments(after);
  const auto asked = [](const Judgments& judgments, std::size_t i) {
    return judgments.status[i] != JudgmentStatus::not_asked && judgments.status[i] != JudgmentStatus::absent;
  };
  std::map<std::uint64_t, std::size_t> place;
  for (std::size_t j = 0; j < b.size(); ++j)
    if (asked(b, j)) place[b.case_id[j]] = j;
  std::uint64_t kept = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!asked(a, i)) continue;
    const auto found = place.find(a.case_id[i]);
    const std::size_t j = found == place.end() ? 0 : found->second;
    if (found == place.end() || a.status[i] != b.status[j] || a.label[i] != b.label[j] ||
        !same_numbers(a.confidence, i, b.confidence, j) || !same_numbers(a.typicality, i, b.typicality, j) ||
        !same_numbers(a.value, i, b.value, j) || !same_numbers(a.probability, i, b.probability, j, a.classes.size()))
      throw Error(after.string() + ": engine " + a.engine + " says something else of case " + std::to_string(a.case_id[i]) +
                  " than before; the run stays as it was");
    ++kept;
  }
  return place.size() - kept;
}

/// Every other engine's files, in the directory and in the version that is to come, are what they were.
void check_untouched(const std::vector<EngineFiles>& before, const RunDirectory& directory, const RunDirectory& next,
                     bool on_demand, EngineAdded& added) {
  for (const EngineFiles& files : before) {
    if (files_of(directory, files.engine) != files)
      throw Error(directory.root().string() + ": the files of engine " + files.engine +
                  " changed meanwhile; nothing is put into force");
    const EngineFiles now = files_of(next, files.engine);
    if (now == files) continue;
    if (now.checkpoint_sha256 != files.checkpoint_sha256 || !on_demand)
      throw Error(next.root().string() + ": the files of engine " + files.engine +
                  " are not those of the run; nothing is put into force");
    const std::uint64_t more = judged_besides(directory.judgments(files.engine), next.judgments(files.engine));
    added.asked.emplace_back(files.engine, more);
  }
}

/// Answers that two decisions.h5 give otherwise, of the questions that both have.
std::set<std::pair<std::uint64_t, std::string>> changed_answers(const law::Decisions& before, const law::Decisions& after) {
  std::set<std::pair<std::uint64_t, std::string>> changed;
  const auto finding = [](const law::Decisions& decisions, std::size_t question, const law::Decision& decision) {
    return decision.finding == law::no_index ? std::string() : decisions.findings[question][decision.finding];
  };
  if (before.case_id != after.case_id) throw Error("the two versions do not have the same cases");
  for (std::size_t q = 0; q < before.questions.size(); ++q) {
    const auto found = std::find(after.questions.begin(), after.questions.end(), before.questions[q]);
    if (found == after.questions.end()) continue;
    const auto p = static_cast<std::size_t>(found - after.questions.begin());
    for (std::size_t row = 0; row < before.cases(); ++row) {
      const law::Decision &a = before.at(row, q), &b = after.at(row, p);
      if (a.status != b.status || a.reason != b.reason || finding(before, q, a) != finding(after, p, b) ||
          (a.flags & law::flag::firm) != (b.flags & law::flag::firm))
        changed.emplace(before.case_id[row], before.questions[q]);
    }
  }
  return changed;
}

/// What changed in the files is what the difference of the laws accounts for, no more.
void check_accounted(const law::Decisions& before, const law::Decisions& after, const audit::LawDiff& diff) {
  std::map<std::pair<std::uint64_t, std::string>, const audit::AnswerChange*> told;
  for (const audit::AnswerChange& change : diff.changes) told[{change.case_id, change.question}] = &change;
  for (const auto& answer : changed_answers(before, after)) {
    const auto found = told.find(answer);
    if (found != told.end() && !found->second->by.empty()) continue;
    throw Error("case " + std::to_string(answer.first) + ", " + answer.second +
                ": its answer changes, and nothing that joined speaks there; nothing is put into force");
  }
}

void train(const PreparedRun& run, const RunDirectory& next, const Joining& joining, const TrainSettings& settings) {
  std::vector<std::size_t> engines;
  const auto trained = joining.trained();
  for (std::size_t i = 0; i < run.config.engines.size(); ++i)
    if (std::find(trained.begin(), trained.end(), run.config.engines[i].name) != trained.end()) engines.push_back(i);
  for (const EngineOutcome& outcome : train_alone(run, next, engines, settings)) {
    if (outcome.state == EngineOutcome::State::failed)
      throw Error("engine " + outcome.engine + " failed: " + outcome.reason + "; the run stays as it was", outcome.status);
    if (outcome.state == EngineOutcome::State::interrupted)
      throw Error("engine " + outcome.engine + ": " + outcome.reason + "; the run stays as it was, and the same command goes on",
                  ExitStatus::partial);
  }
}

/// Its summary speaks of the places where its files will be.
void name_final_places(report::Summary& summary, const fs::path& next, const fs::path& root) {
  for (auto& [what, where] : summary.files) {
    const fs::path inside = fs::path(where).lexically_relative(next);
    if (!inside.empty() && *inside.begin() != "..") where = (root / inside).string();
  }
}

/// run.yaml and build.json of the version to come. What was settled at earlier starts stays: this one has seen their outcome.
void write_records(const PreparedRun& run, const RunDirectory& next, const RunDirectory& directory) {
  auto settled = read_settled(directory.build());
  const Settled now = settle(run);
  if (settled.empty() || !settled.back().same_texts(now)) settled.push_back(now);
  write_build_record(next.build(), settled);
  RunConfig config = run.config;
  config.output = directory.root();
  write_file(next.config(), to_yaml(config));
}

void replace_path(std::string& text, const fs::path& from, const std::string& to) {
  const auto at = text.find(from.string());
  if (at != std::string::npos) text.replace(at, from.string().size(), to);
}

/// The gates that a version was settled with, where they still stand in their file.
bool has_its_gates(const RunConfig& config, const RunDirectory& version) {
  const auto settled = read_settled(version.build());
  if (config.gates.empty() || settled.empty()) return false;
  try {
    return sha256(gate::load_gates(config.gates).canonical()) == settled.back().gates;
  } catch (const InputError&) {
    return false;
  }
}

/// A version that is not in force any more keeps its law beside it: a person goes on working on the file that it came from.
void keep_law(const fs::path& folder) {
  const RunDirectory version(folder);
  const fs::path law = folder / "law.yaml", gates = folder / "gates.yaml";
  if (fs::exists(law)) return;
  RunConfig config = load_run_config(version.config());
  const bool gated = has_its_gates(config, version);
  if (gated) write_file(gates, read_file(config.gates));
  config.gates = gated ? gates : fs::path();
  if (!gated) config.gate_report.clear();
  config.law = law;
  std::string text = to_yaml(config);
  replace_path(text, fs::absolute(law), "law.yaml");  // the directory may be moved
  replace_path(text, fs::absolute(gates), "gates.yaml");
  write_file(version.config(), text);
  write_file(law, law::read_decisions(version.decisions()).law_text);
}

}  // namespace

EngineAdded add_engine(const AddEngineSettings& settings) {
  const RunDirectory directory(settings.held);
  const Lock lock(directory.lock(), "the run");
  check_finished(directory);
  EngineAdded added;
  added.joining = check_joining(settings.held, settings.wanted, settings.retrain);
  added.directory = directory.root();

  Versions versions(directory.root(), settings.wanted.engines.size());
  const RunDirectory next = versions.next();
  RunConfig config = settings.wanted;
  config.output = next.root();
  const PreparedRun run = prepare(std::move(config));
  const PreparedRun was = run_as_it_was(run, settings.held, directory);
  added.newer = check_newer_table(run, settings.held, directory, law::read_decisions(directory.decisions()).case_id,
                                  added.joining.retrained);
  const StoredRun before = read_stored_run(was, directory, run.law.columns());
  check_same_grounds(run, before.decisions, directory);
  const law::Law old_law = stored_law(was, directory, before.decisions);

  if (settings.fresh) fs::remove_all(next.root());
  check_same_attempt(next, added.joining, run.config);
  std::vector<std::string> held, shared, all;
  for (const EngineConfig& engine : settings.held.engines) held.push_back(engine.name);
  for (const EngineConfig& engine : run.config.engines) all.push_back(engine.name);
  for (const std::string& name : held)
    if (name != added.joining.retrained) shared.push_back(name);
  const auto trained = added.joining.trained();
  std::vector<EngineFiles> files;
  for (const std::string& name : shared) files.push_back(files_of(directory, name));

  added.parent =
      versions.keep(held, added.joining.retrained.empty() ? std::vector<std::string>{} : std::vector{added.joining.retrained});
  added.kept = versions.folder(added.parent);
  begin_attempt(next, added.joining);
  versions.share(shared);
  write_records(run, next, directory);
  train(run, next, added.joining, settings.run.train);
  AloneSettings alone = settings.run;
  alone.watched = [&](report::Summary& summary) {
    if (settings.watched) settings.watched(summary, run, next);
    name_final_places(summary, next.root(), directory.root());
  };
  if (const ExitStatus status = integrate_alone(run, next, 0, alone); status != ExitStatus::done)
    throw Error("the cases cannot be decided by all engines; the run stays as it was", status);

  check_untouched(files, directory, next, run.config.integrate.on_demand(), added);
  added.shared = files;
  StoredRun after = read_stored_run(run, next, old_law.columns());
  EvidenceColumns(old_law, heeded_evidence(run, old_law).get()).put_beside(after.table);
  added.diff = audit::diff_laws(old_law, before.engines(), run.law, after.engines(), after.table);
  check_accounted(before.decisions, after.decisions, added.diff);
  added.root_before = before.decisions.root;
  added.root = after.decisions.root;
  added.law_before = sha256(before.decisions.law_text);
  added.law = run.law.sha256();
  added.version = added.parent + 1;
  write_file(next.root() / record_name, to_json(added));
  if (versions.put_into_force(all, trained) != added.version) throw Error("the version is not the one that was made");
  for (std::uint64_t version = 1; version < added.version; ++version) keep_law(versions.folder(version));
  return added;
}

}  // namespace hiple
