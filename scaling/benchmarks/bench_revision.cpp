// What deciding again after a revision costs beside deciding everything, as JSON on standard output.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/build_info.hpp"
#include "base/date.hpp"
#include "base/error.hpp"
#include "law/columnar_kernels.hpp"
#include "law/cone.hpp"
#include "law/decide_again.hpp"
#include "scaling/benchmarks/benchmark.hpp"
#include "scaling/benchmarks/law_workload.hpp"

namespace hiple::scaling {
namespace {

using Json = nlohmann::json;

struct Options {
  LawShape shape;
  std::size_t cases = 1000000, repeat = 5;
  double share = 0.01;
  int threads = 1;
};

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

/// The workload's law with one more rule, over a column that it does not read; in its second version the threshold has moved.
law::Law law_of(const Options& options, const Schema& schema, int version) {
  const std::string rule =
      fmt::format("  - {{id: LIMIT, when: 'load > {}', then: q0.f1, version: {}}}\n", version == 1 ? 10 : 12, version);
  return law::Law::parse(workload_law(options.shape) + rule, "workload.yaml", schema, {}, 0);
}

/// `load` is over 10 in a share of the cases: side by side, or spread evenly over the table.
void add_load(Table& table, double share, bool together) {
  std::vector<double> load(table.rows(), 0);
  const auto touched = static_cast<std::size_t>(share * static_cast<double>(table.rows()));
  for (std::size_t i = 0; i < touched; ++i) load[together ? i : i * table.rows() / touched] = 11 + static_cast<double>(i % 3);
  table.columns.back().values = std::move(load);
}

Json measure(const Options& options, const law::Law& before, const law::Law& after, const Table& table) {
  const law::DecideOptions decide_options{.threads = options.threads, .inputs_sha256 = std::string(64, '0')};
  const law::Decisions old = law::decide(before, table, {}, decide_options);
  const law::Leaves leaves(old, options.threads);
  std::vector<double> full, cone, again;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < options.repeat; ++i) {
    law::Decisions whole, derived, copy = old;
    law::Leaves changing = leaves;
    std::vector<std::uint32_t> touched;
    full.push_back(seconds_of([&] { whole = law::decide(after, table, {}, decide_options); }));
    cone.push_back(seconds_of([&] { touched = law::cone_of(before, after, table, {}, options.threads); }));
    again.push_back(
        seconds_of([&] { derived = law::decide_again(after, std::move(copy), changing, touched, table, {}, decide_options); }));
    if (derived.root != whole.root || derived.decisions != whole.decisions) throw Error("the cone gave other decisions");
    rows = touched.size();
  }
  const double all = median(full), part = median(cone) + median(again);
  return {{"cone_cases", rows},
          {"full_seconds", full},
          {"cone_seconds", cone},
          {"again_seconds", again},
          {"median_full_seconds", all},
          {"median_cone_seconds", median(cone)},
          {"median_again_seconds", median(again)},
          {"ratio", part / all}};
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("What deciding again after a revision costs beside deciding everything, as JSON on standard output");
  app.add_option("--cases", options.cases, "cases in memory")->capture_default_str();
  app.add_option("--share", options.share, "of the cases, that the revision touches")
      ->capture_default_str()
      ->check(CLI::Range(1e-9, 1.0));
  app.add_option("--rules", options.shape.rules, "rules")->capture_default_str();
  app.add_option("--columns", options.shape.columns, "columns that they read")->capture_default_str();
  app.add_option("--atoms", options.shape.atoms, "different comparisons")->capture_default_str();
  app.add_option("--repeat", options.repeat, "measurements of each, of which the median counts")->capture_default_str();
  app.add_option("--threads", options.threads, "that decide")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  Schema schema = workload_schema(options.shape);
  ColumnSchema load;
  load.name = "load";
  schema.columns.push_back(load);
  Table table = workload_table(options.shape, options.cases);
  table.schema = schema;
  table.columns.emplace_back().cells.assign(table.rows(), Cell::known);
  const law::Law before = law_of(options, schema, 1), after = law_of(options, schema, 2);
  Json result = {
      {"format", "hiple bench revision"},
      {"version", 1},
      {"program", software()},
      {"compiler", build_info().compiler},
      {"created", utc_now()},
      {"instruction_set", law::columnar::instruction_set()},
      {"cases", options.cases},
      {"threads", options.threads},
      {"law", {{"rules", options.shape.rules + 1}, {"atoms", options.shape.atoms}, {"columns", options.shape.columns + 1}}}};
  for (const bool together : {false, true}) {
    add_load(table, options.share, together);
    result[together ? "together" : "spread"] = measure(options, before, after, table);
  }
  std::cout << result.dump(1) << '\n';
  return 0;
}

}  // namespace
}  // namespace hiple::scaling

int main(int argc, char** argv) { return hiple::scaling::run_benchmark(hiple::scaling::run, argc, argv); }
