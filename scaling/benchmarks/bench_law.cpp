// Decisions a second of laws of several sizes, as JSON on standard output.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/build_info.hpp"
#include "base/date.hpp"
#include "base/error.hpp"
#include "law/columnar.hpp"
#include "law/columnar_kernels.hpp"
#include "law/decide_leaves.hpp"
#include "law/decision_stream.hpp"
#include "law/evaluate.hpp"
#include "scaling/benchmarks/benchmark.hpp"
#include "scaling/benchmarks/law_workload.hpp"
#include "table/slice.hpp"
#include "table/table_writer.hpp"

namespace hiple::scaling {
namespace {

using Json = nlohmann::json;

struct Options {
  LawShape shape;
  std::size_t cases = 1000000, scalar_cases = 20000, judged_cases = 1000000, engines = 6;
  std::size_t stream_cases = 0;
  std::size_t repeat = 5;
  bool processor_time = false;  ///< this process's processor time, which other programs on the machine disturb less
  std::vector<std::size_t> sizes = {200, 1000, 10000};
  std::string instruction_set;
  std::filesystem::path sample;  ///< where to write a small law for other programs
  std::size_t sample_cases = 5000;
  std::filesystem::path folder = std::filesystem::temp_directory_path();
};

/// Seconds on the clock that was asked for.
double now(bool processor_time) {
  if (processor_time) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds of each call, and their median.
template <class Function>
Json measure(const Options& options, std::size_t cases, Function&& function) {
  std::vector<double> seconds;
  for (std::size_t i = 0; i < options.repeat; ++i) {
    const double start = now(options.processor_time);
    function();
    seconds.push_back(now(options.processor_time) - start);
  }
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  const double median = sorted[sorted.size() / 2];
  return {{"seconds", seconds},
          {"median_seconds", median},
          {"cases", cases},
          {"cases_per_second", static_cast<double>(cases) / median}};
}

law::Law load(const LawShape& shape) {
  return law::Law::parse(workload_law(shape), "workload.yaml", workload_schema(shape), {}, 0);
}

/// Everything but the hash of the inputs, which belongs to the table and is measured by itself.
law::DecideOptions options_of(int threads) { return {.threads = threads, .inputs_sha256 = std::string(64, '0')}; }

Json measure_memory(const Options& options) {
  const law::Law law = load(options.shape);
  const Table table = workload_table(options.shape, options.cases);
  Json result;
  law::Decisions decisions;
  const auto decide = [&](int threads) { decisions = law::decide(law, table, {}, options_of(threads)); };
  result["decide"] = measure(options, options.cases, [&] { decide(1); });
  result["root"] = decisions.root;
  if (!options.processor_time) {  // which counts both threads
    result["decide_2_threads"] = measure(options, options.cases, [&] { decide(2); });
    result["threads_ratio"] =
        result["decide"]["median_seconds"].get<double>() / result["decide_2_threads"]["median_seconds"].get<double>();
  }

  const law::Inputs inputs(law.model(), table, {});
  const law::ColumnarLaw columnar(law.model());
  const auto size = columnar.size();
  result["circuit"] = {{"gates", size.gates}, {"leaves", size.leaves}, {"planes", size.planes}};
  result["evaluate"] = measure(options, options.cases, [&] {
    law::ColumnarEvaluator evaluator(columnar, inputs);
    const std::size_t most = law::ColumnarEvaluator::most_cases, questions = options.shape.questions;
    for (std::size_t begin = 0; begin < options.cases; begin += most)
      evaluator.decide(begin, std::min(most, options.cases - begin),
                       {decisions.decisions.data() + begin * questions, decisions.rounds.data() + begin, nullptr});
  });
  std::string root;
  result["root_hash"] = measure(options, options.cases, [&] { root = law::root_hash(decisions); });
  result["inputs_hash"] = measure(options, options.cases, [&] { (void)slice_sha256(table, law.columns()); });

  law::Evaluator scalar(law.model(), inputs);
  const std::size_t few = std::min(options.scalar_cases, options.cases);
  result["scalar"] = measure(options, few, [&] {
    for (std::size_t row = 0; row < few; ++row) scalar.run(row);
  });
  return result;
}

/// The same atoms under more and more rules.
Json measure_sizes(const Options& options) {
  Json result = Json::array();
  for (const std::size_t rules : options.sizes) {
    LawShape shape = options.shape;
    shape.rules = rules;
    const std::size_t cases = std::max<std::size_t>(4096, options.cases * 200 / std::max<std::size_t>(200, rules));
    const law::Law law = load(shape);
    const Table table = workload_table(shape, cases);
    const Json compile = measure(options, 1, [&] { (void)law::ColumnarLaw(law.model()); });
    const law::Inputs inputs(law.model(), table, {});
    const law::ColumnarLaw columnar(law.model());
    law::Decisions decisions = law::names_of(law, {});
    decisions.case_id = table.case_id;
    decisions.decisions.resize(cases * shape.questions);
    decisions.rounds.resize(cases);
    Json entry = measure(options, cases, [&] { (void)law::decide_leaves(columnar, inputs, 1, decisions); });
    entry["rules"] = rules;
    entry["compile_seconds"] = compile["median_seconds"];
    entry["nanoseconds_per_case_and_rule"] =
        1e9 * entry["median_seconds"].get<double>() / static_cast<double>(cases) / static_cast<double>(rules);
    result.push_back(entry);
  }
  return result;
}

/// From judgments files to a decisions file, both in the disk cache.
Json measure_files(const Options& options) {
  const auto engines = workload_engines(options.engines);
  const LawShape shape{.rules = options.shape.rules, .atoms = 0, .columns = 1};
  const Schema schema = workload_schema(shape);
  const law::Law law = law::Law::parse(judgments_law(shape.rules, options.engines), "judgments.yaml", schema, engines, 0);
  const Table table = workload_table(shape, options.judged_cases);
  const std::filesystem::path folder = options.folder / fmt::format("hiple-bench-law-{}", getpid());
  std::filesystem::create_directories(folder);
  for (std::size_t i = 0; i < engines.size(); ++i)
    write_judgments(folder / (engines[i].name + ".h5"), workload_judgments(engines[i], options.judged_cases, 10 + i));
  Json result = measure(options, options.judged_cases, [&] {
    std::vector<Judgments> judgments;
    for (const auto& engine : engines) judgments.push_back(read_judgments(folder / (engine.name + ".h5")));
    std::vector<law::EngineJudgments> words;
    for (std::size_t i = 0; i < engines.size(); ++i) words.push_back({engines[i].name, &judgments[i], {}, {}});
    law::write_decisions(folder / "decisions.h5", law::decide(law, table, words, options_of(1)));
  });
  result["engines"] = options.engines;
  std::filesystem::remove_all(folder);
  return result;
}

/// A table that does not fit in memory, a portion at a time, with the decisions written. The portions have the same cells under
/// other case ids, so that what is measured is not how they are made.
Json measure_stream(const Options& options) {
  const law::Law law = load(options.shape);
  constexpr std::size_t most = 64 * 4096;
  Table table = workload_table(options.shape, std::min(most, options.stream_cases));
  const std::filesystem::path path = options.folder / fmt::format("hiple-bench-law-{}.h5", getpid());
  Json result = measure(options, options.stream_cases, [&] {
    law::DecisionStream stream(law, path, {}, options_of(1));
    for (std::size_t done = 0; done < options.stream_cases; done += table.rows()) {
      for (std::size_t i = 0; i < table.rows(); ++i) table.case_id[i] = done + i + 1;
      if (options.stream_cases - done >= table.rows()) {
        stream.append(table, {});
      } else {
        Table rest = workload_table(options.shape, options.stream_cases - done);
        for (std::size_t i = 0; i < rest.rows(); ++i) rest.case_id[i] = done + i + 1;
        stream.append(rest, {});
      }
    }
    (void)stream.finish();
  });
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  result["file_bytes"] = std::filesystem::file_size(path);
  result["peak_memory_bytes"] = 1024 * usage.ru_maxrss;
  std::filesystem::remove(path);
  return result;
}

/// A small law whose every question has one rule, as other programs can evaluate it too: law.yaml and table.csv in the folder,
/// and how often each rule is TRUE.
Json measure_sample(const Options& options) {
  const LawShape shape{.rules = 20, .atoms = 24, .columns = 8, .questions = 20, .missing = 0};
  const law::Law law = load(shape);
  const Table table = workload_table(shape, options.sample_cases);
  std::ofstream(options.sample / "law.yaml") << workload_law(shape);
  const auto writer = write_csv_table(options.sample / "table.csv", table.schema);
  writer->append(table);
  writer->finish();
  law::Decisions decisions;
  Json result = measure(options, options.sample_cases, [&] { decisions = law::decide(law, table, {}, options_of(1)); });
  const law::Inputs inputs(law.model(), table, {});
  law::Evaluator scalar(law.model(), inputs);
  result["scalar"] = measure(options, options.sample_cases, [&] {
    for (std::size_t row = 0; row < options.sample_cases; ++row) scalar.run(row);
  });
  for (std::size_t question = 0; question < decisions.questions.size(); ++question) {
    std::size_t count = 0;
    for (std::size_t row = 0; row < decisions.cases(); ++row) {
      const law::Decision& decision = decisions.at(row, question);
      if (decision.status == law::Status::decide && decisions.findings[question][decision.finding] != "f0") ++count;
    }
    result["true"][decisions.questions[question]] = count;
  }
  return result;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Decisions a second of laws of several sizes, as JSON on standard output");
  app.add_option("--cases", options.cases, "cases in memory")->capture_default_str();
  app.add_option("--rules", options.shape.rules, "rules")->capture_default_str();
  app.add_option("--atoms", options.shape.atoms, "different comparisons")->capture_default_str();
  app.add_option("--questions", options.shape.questions, "questions that the rules answer")->capture_default_str();
  app.add_option("--missing", options.shape.missing, "share of cells that are missing")->capture_default_str();
  app.add_option("--scalar-cases", options.scalar_cases, "cases for the evaluator that takes one after the other")
      ->capture_default_str();
  app.add_option("--judged-cases", options.judged_cases, "cases in files; 0: none")->capture_default_str();
  app.add_option("--engines", options.engines, "engines that judged them")->capture_default_str();
  app.add_option("--stream-cases", options.stream_cases, "cases decided in portions, before all else; 0: none")
      ->capture_default_str();
  app.add_option("--sizes", options.sizes, "numbers of rules; 0: none")->delimiter(',')->capture_default_str();
  app.add_option("--repeat", options.repeat, "measurements of each, of which the median counts")->capture_default_str();
  app.add_flag("--processor-time", options.processor_time, "measure on the processor's clock instead of the wall's");
  app.add_option("--instruction-set", options.instruction_set, "one of those that the output lists");
  app.add_option("--sample", options.sample, "a folder: writes a small law and its cases there, for other programs, and no more");
  app.add_option("--sample-cases", options.sample_cases, "how many")->capture_default_str();
  app.add_option("--folder", options.folder, "for files; they are removed")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (!options.instruction_set.empty()) law::columnar::use_instruction_set(options.instruction_set);
  std::erase(options.sizes, 0U);
  Json result = {{"format", "hiple bench law"},
                 {"version", 1},
                 {"program", software()},
                 {"compiler", build_info().compiler},
                 {"build_type", build_info().build_type},
                 {"flags", build_info().flags},
                 {"created", utc_now()},
                 {"clock", options.processor_time ? "processor" : "wall"},
                 {"instruction_set", law::columnar::instruction_set()},
                 {"instruction_sets", law::columnar::instruction_sets()},
                 {"law",
                  {{"rules", options.shape.rules},
                   {"atoms", options.shape.atoms},
                   {"columns", options.shape.columns},
                   {"questions", options.shape.questions},
                   {"missing", options.shape.missing}}}};
  if (!options.sample.empty()) {
    result.erase("law");
    result["sample"] = measure_sample(options);
    std::cout << result.dump(1) << '\n';
    return 0;
  }
  if (options.stream_cases > 0) result["stream"] = measure_stream(options);  // first, for the peak is of the whole program
  if (options.cases > 0) result["memory"] = measure_memory(options);
  result["sizes"] = measure_sizes(options);
  if (options.judged_cases > 0) result["files"] = measure_files(options);
  std::cout << result.dump(1) << '\n';
  return 0;
}

}  // namespace
}  // namespace hiple::scaling

int main(int argc, char** argv) { return hiple::scaling::run_benchmark(hiple::scaling::run, argc, argv); }
