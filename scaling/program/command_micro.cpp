#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/file.hpp"
#include "mpi/launch.hpp"
#include "mpi/session.hpp"
#include "scaling/micro/file_write.hpp"
#include "scaling/micro/memory.hpp"
#include "scaling/micro/messages.hpp"
#include "scaling/micro/multiply_add.hpp"
#include "scaling/micro/product.hpp"
#include "scaling/program/commands.hpp"
#include "scaling/record/metadata.hpp"

namespace hiple::scaling {

namespace {

struct Options {
  std::string output;
  std::string folder = ".";
  std::vector<std::string> only;
  std::int64_t largest = std::int64_t{4} << 20U;
  std::int64_t numbers = 10'000'000;
  int threads = 1;
  Effort effort;

  [[nodiscard]] bool wants(const std::string& part) const {
    return only.empty() || std::find(only.begin(), only.end(), part) != only.end();
  }
};

/// 10,000 to `largest` numbers, each ten times the one before.
std::vector<std::int64_t> array_sizes(std::int64_t largest) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = 10'000; size <= largest; size *= 10) sizes.push_back(size);
  return sizes;
}

/// 4 bytes to `largest`, each eight times the one before.
std::vector<std::int64_t> message_sizes(std::int64_t largest) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = 4; size <= largest; size *= 8) sizes.push_back(size);
  return sizes;
}

std::vector<Series> measure(const Options& options, int ranks) {
  std::vector<Series> all;
  if (options.wants("memory")) all = memory_series(array_sizes(options.numbers), options.effort, options.threads);
  if (options.wants("product")) all.push_back(multiply_add_series(options.effort));
  if (options.wants("product")) all.push_back(product_series({64, 128, 256, 512, 1024}, options.effort));
  if (options.wants("file")) all.push_back(file_write_series(options.folder, {1 << 16, 1 << 20, 1 << 24}, options.effort));
  if (ranks == 1) return all;
  for (Series& series : all) {
    for (Point& point : series.points) take_slowest(point.seconds);
  }
  if (!options.wants("messages")) return all;
  all.push_back(point_to_point_series(message_sizes(options.largest), options.effort));
  all.push_back(all_reduce_series(message_sizes(options.largest), options.effort));
  return all;
}

void write(const Options& options, const nlohmann::ordered_json& record) {
  const std::string text = record.dump(2) + "\n";
  if (options.output.empty())
    fmt::print("{}", text);
  else
    write_file(options.output, text);
}

ExitStatus run(const Options& options) {
  const auto launch = mpi::detect_launch(process_environment());
  if (launch) mpi::check_launch(*launch);
  std::optional<mpi::Session> session;
  if (launch) session.emplace();
  const int ranks = session ? session->size() : 1;
  nlohmann::ordered_json record{{"format", "hiple scaling micro"},
                                {"version", 1},
                                {"ranks", ranks},
                                {"threads", options.threads},
                                {"metadata", metadata()}};
  for (const Series& series : measure(options, ranks)) record["series"].push_back(to_json(series));
  if (!session || session->rank() == 0) write(options, record);
  return ExitStatus::done;
}

}  // namespace

void add_micro(CLI::App& app, Work& work) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("micro", "Micro-benchmarks: the ceilings that the study's figures are held against");
  command->add_option("--output", options->output, "write the JSON there; by default to standard output")->type_name("FILE");
  command->add_option("--only", options->only, "of memory, product, file, messages; by default all")
      ->delimiter(',')
      ->check(CLI::IsMember({"memory", "product", "file", "messages"}));
  command->add_option("--folder", options->folder, "where files are written; by default here")->check(CLI::ExistingDirectory);
  command->add_option("--largest", options->largest, "bytes of the largest message; on a slow link, few")
      ->check(CLI::Range(std::int64_t{4}, std::int64_t{1} << 30U));
  command->add_option("--numbers", options->numbers, "in the largest array of a memory benchmark, which has up to four of them")
      ->check(CLI::Range(std::int64_t{10'000}, std::int64_t{1'000'000'000}))
      ->capture_default_str();
  command->add_option("--threads", options->threads, "that share a memory benchmark")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("--repetitions", options->effort.repetitions, "measurements a size")->check(CLI::Range(5, 1000));
  command->add_option("--seconds", options->effort.seconds, "length of a measurement")->check(CLI::PositiveNumber);
  command->footer(
      "Alone: memory bandwidth (of one thread, unless told), product rate and file writing. Under mpirun or srun every rank\n"
      "measures these at the same time, and the slowest counts; then messages between two ranks, and all-reduces over all.\n\n"
      "Example: mpirun -n 2 hiple-scaling micro --only memory,messages --output two.json");
  command->callback([options, &work] { work = [options] { return run(*options); }; });
}

}  // namespace hiple::scaling
