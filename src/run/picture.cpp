#include "run/picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/build_info.hpp"
#include "base/date.hpp"
#include "base/file.hpp"
#include "config/run_config.hpp"
#include "report/status_file.hpp"
#include "run/engine_record.hpp"
#include "run/gates_run.hpp"
#include "run/lock.hpp"
#include "run/picture_cases.hpp"
#include "run/picture_revisions.hpp"
#include "run/revise_history.hpp"
#include "run/settled.hpp"

namespace hiple {

namespace {

using report::Picture;

/// How it stands, as a word, and why.
void look_at_state(const RunDirectory& directory, Picture& picture, std::optional<report::StatusRecord>& status) {
  if (std::filesystem::exists(directory.status())) {
    status = report::read_status(directory.status());
    picture.state = status->state;
    picture.reason = status->reason;
    picture.rank_seconds = status->rank_seconds;
    return;
  }
  const auto holder = read_lock(directory.lock());
  picture.state = !holder ? "not integrated" : holder->may_be_alive() ? "goes on" : "interrupted";
  if (holder) picture.reason = "it has not ended: " + holder->text();
}

void take_result(const std::filesystem::path& file, report::EnginePicture& engine) {
  if (!std::filesystem::exists(file)) return;
  const EngineResult result = read_result(file);
  engine.line.parameters = result.parameters;
  engine.line.test_rows = result.test_rows;
  engine.line.abstained = result.abstained;
  engine.line.accuracy = result.accuracy;
  engine.line.balanced_accuracy = result.balanced_accuracy;
  engine.line.rmse = result.rmse;
  engine.line.epochs = result.epochs;
  engine.line.seconds = result.seconds;
  engine.calibration_error = result.calibration_error;
}

std::string state_of(const RunDirectory& directory, const std::string& name) {
  if (const auto holder = read_lock(directory.engine_lock(name)))
    return (holder->may_be_alive() ? "training, " : "interrupted, ") + last_progress(directory.progress(name));
  return std::filesystem::exists(directory.engine(name)) ? "interrupted" : "waiting";
}

report::EnginePicture engine_picture(const RunDirectory& directory, const EngineConfig& config,
                                     const std::optional<report::StatusRecord>& status) {
  report::EnginePicture engine;
  const std::string& name = config.name;
  engine.line.name = name;
  engine.domain = config.domain;
  engine.target = config.target;
  for (const ProgressLine& line : read_progress(directory.progress(name)))
    engine.curve.push_back({line.epoch, line.training_loss, line.early_stop_loss});
  take_result(directory.result(name), engine);
  if (const auto reason = read_failure(directory.failure(name))) {
    engine.state = "failed";
    engine.line.reason = *reason;
    engine.last_lines = read_last_lines(directory.failure(name));
  } else if (std::filesystem::exists(directory.judgments(name))) {
    engine.state = "done";
    engine.line.available = true;
  } else {
    engine.state = state_of(directory, name);
  }
  if (!status) return engine;
  const auto missing =
      std::find_if(status->missing.begin(), status->missing.end(), [&](const auto& each) { return each.first == name; });
  if (missing == status->missing.end()) return engine;
  engine.line.available = false;
  engine.line.reason = missing->second;
  if (engine.state == "done") engine.state = "missing";
  return engine;
}

report::Answers count_answers(const law::Decisions& decisions, const std::vector<std::string>& critical) {
  report::Answers answers;
  answers.cases = decisions.cases();
  for (std::size_t q = 0; q < decisions.questions.size(); ++q) {
    report::QuestionAnswers& question = answers.questions.emplace_back();
    question.question = decisions.questions[q];
    for (const std::string& finding : decisions.findings[q])
      question.decided.push_back(
          {finding, 0, std::binary_search(critical.begin(), critical.end(), question.question + "." + finding)});
    for (std::size_t row = 0; row < decisions.cases(); ++row) {
      const law::Decision& decision = decisions.at(row, q);
      question.outcomes.add(decision);
      if (decision.status != law::Status::decide) continue;
      ++question.decided.at(decision.finding).count;
      if ((decision.flags & law::flag::firm) != 0) ++question.firm;
    }
  }
  for (std::size_t row = 0; row < decisions.cases() && !decisions.questions.empty(); ++row) {
    const std::uint8_t flags = decisions.at(row, 0).flags;  // the same in every question
    if ((flags & law::flag::broadened) != 0) ++answers.broadened;
    if ((flags & law::flag::capped) != 0) ++answers.capped;
  }
  return answers;
}

void count_consulted(const law::Decisions& decisions, Picture& picture) {
  for (std::size_t e = 0; e < decisions.engines.size(); ++e) {
    const auto engine = std::find_if(picture.engines.begin(), picture.engines.end(),
                                     [&](const auto& each) { return each.line.name == decisions.engines[e].name; });
    if (engine == picture.engines.end()) continue;
    for (std::size_t row = 0; row < decisions.cases(); ++row)
      engine->consulted += decisions.consulted[row * decisions.words() + e / 64] >> (e % 64) & 1U;
  }
}

/// What comes of the decisions alone, whatever became of the files that they were made from.
void look_at_decisions(const RunDirectory& directory, const PreparedRun* run, Picture& picture) {
  if (!std::filesystem::exists(directory.decisions())) {
    picture.answers.missing = "The run has made none" + (picture.reason.empty() ? "." : ": " + picture.reason);
    return;
  }
  try {
    const law::Decisions decisions = law::read_decisions(directory.decisions());
    picture.answers.content = count_answers(decisions, run == nullptr ? std::vector<std::string>() : run->law.critical());
    count_consulted(decisions, picture);
    picture.provenance.emplace_back("root of the decisions", decisions.root);
    if (!decisions.evidence.empty()) picture.provenance.emplace_back("evidence that the law heeded", decisions.evidence);
    if (!decisions.closed_by.empty()) picture.provenance.emplace_back("report that closed the gates", decisions.closed_by);
  } catch (const Error& error) {
    picture.answers.missing = error.what();
  }
}

/// What needs the very table, judgments and law that the decisions were made from.
void look_at_cases(const PreparedRun& run, const RunDirectory& directory, std::size_t most, Picture& picture) {
  try {
    const StoredRun stored = read_stored_run(run, directory);
    const law::Law law = stored_law(run, directory, stored.decisions);
    picture.law.content = count_law_use(run, law, stored);
    picture.cases.content = show_cases(run, law, stored, most);
  } catch (const Error& error) {
    picture.law.missing = picture.cases.missing = error.what();
  }
}

void look_at_evidence(const PreparedRun& run, const RunDirectory& directory, Picture& picture) {
  constexpr std::size_t most_answers = 100;
  if (!run.evidence) {
    picture.revisions.missing = "run.yaml names no evidence: nothing from outside of the engines is held against the rules.";
    return;
  }
  try {
    picture.revisions.content = look_at_revisions(run, directory, read_stored_run(run, directory), most_answers);
  } catch (const Error& error) {
    picture.revisions.missing = error.what();
  }
}

void look_at_gates(const PreparedRun& run, const RunDirectory& directory, Picture& picture) {
  if (!run.gates) {
    picture.gates.missing = "run.yaml names no gates: nothing says where the truth is, or what must hold.";
    return;
  }
  try {
    picture.gates.content = report_gates(run, directory, {.truth = {}, .cases = {}, .changed = true});
  } catch (const Error& error) {
    picture.gates.missing = error.what();
  }
}

void look_at_rest(const PreparedRun& run, const RunDirectory& directory, Picture& picture) {
  if (run.gate_state && run.gate_state->closed) picture.closed = run.gate_state->reasons;
  const auto settled = read_settled(directory.build());
  for (const auto& line : settled_lines(settled, settle(run))) picture.provenance.push_back(line);
}

}  // namespace

report::Picture take_picture(const RunDirectory& place, const PictureRequest& request) {
  if (!std::filesystem::exists(place.config()))
    throw InputError(Place{place.root().string()}, "holds no run", {}, "name the directory that `hiple run` wrote");
  RunConfig config = load_run_config(place.config());
  config.output = place.root();
  const RunDirectory directory(config);
  Picture picture;
  picture.name = config.name;
  picture.directory = place.root().string();
  std::optional<report::StatusRecord> status;
  look_at_state(directory, picture, status);
  for (const EngineConfig& engine : config.engines) picture.engines.push_back(engine_picture(directory, engine, status));
  picture.provenance = {{"this report", fmt::format("{}, {}", utc_now(), software())},
                        {"directory", std::filesystem::absolute(place.root()).lexically_normal().string()},
                        {"seed", std::to_string(config.seed)},
                        {"as of", format_date(config.as_of)},
                        {"isolation", config.isolation}};
  std::optional<PreparedRun> run;
  std::string problem;
  try {
    follow_revision(config);
    run = prepare(config);
  } catch (const Error& error) {
    problem = error.what();
  }
  look_at_decisions(directory, run ? &*run : nullptr, picture);
  if (!run) {
    picture.law.missing = picture.cases.missing = picture.gates.missing = picture.revisions.missing = problem;
  } else if (!picture.answers.content) {
    picture.law.missing = picture.cases.missing = picture.gates.missing = picture.revisions.missing = picture.answers.missing;
  } else {
    look_at_cases(*run, directory, request.cases, picture);
    look_at_evidence(*run, directory, picture);
    look_at_gates(*run, directory, picture);
    look_at_rest(*run, directory, picture);
  }
  if (std::filesystem::exists(directory.summary())) picture.summary = read_file(directory.summary());
  return picture;
}

}  // namespace hiple
