#include "scaling/measure/record.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>

#include "scaling/measure/machine.hpp"

namespace hiple::scaling {

namespace {

using Json = nlohmann::ordered_json;

/// Those that the ranks there may use between them.
std::set<int> cores_of_host(const std::vector<RankReport>& reports, const std::string& host) {
  std::set<int> cores;
  for (const RankReport& report : reports)
    if (report.host == host) cores.insert(report.cores.begin(), report.cores.end());
  return cores;
}

/// Step by step the slowest rank, as long as there is a rank with such a step.
std::vector<double> slowest(const std::vector<RankReport>& reports) {
  std::vector<double> result;
  for (const RankReport& report : reports) {
    if (report.times.step.size() > result.size()) result.resize(report.times.step.size());
    for (std::size_t i = 0; i < report.times.step.size(); ++i) result[i] = std::max(result[i], report.times.step[i]);
  }
  return result;
}

/// Of every rank, or null where one did not count.
Json wire_bytes(const std::vector<RankReport>& reports) {
  Json sent = Json::array();
  for (const RankReport& report : reports) {
    if (!report.wire_bytes) return nullptr;
    sent.push_back(*report.wire_bytes);
  }
  return sent;
}

Json memory_json(const RankReport& report) {
  const Held& held = report.held;
  return {{"parameters", held.parameters},   {"gradients", held.gradients}, {"optimizer", held.optimizer},
          {"activations", held.activations}, {"exchange", held.exchange},   {"data", held.data},
          {"heap", report.heap_bytes}};
}

Json rank_json(const RankReport& report) {
  return {{"rank", report.rank},
          {"host", report.host},
          {"cores", core_list(report.cores)},
          {"step_seconds", report.times.step},
          {"compute_seconds", report.times.compute},
          {"exposed_seconds", report.times.exposed},
          {"start", report.times.start},
          {"end", report.times.end},
          {"memory_bytes", memory_json(report)}};
}

Json model_json(const RankReport& report, const RankReport::Model& model) {
  const auto first = static_cast<std::ptrdiff_t>(model.first_step), steps = static_cast<std::ptrdiff_t>(model.steps);
  const auto begin = report.times.step.begin() + first;
  return {{"name", model.name},
          {"rank", report.rank},
          {"parameters", model.parameters},
          {"steps", model.steps},
          {"seconds", std::accumulate(begin, begin + steps, 0.0)},
          {"first_loss_part", report.times.loss.at(model.first_step)},
          {"last_loss_part", report.times.loss.at(model.first_step + model.steps - 1)},
          {"weights_sha256", model.weights_sha256}};
}

/// What the strategy alone reads of the options.
Json own_options(const Setup& setup) {
  const Settings& settings = setup.settings;
  if (setup.kind->name == "pp") return {{"micro_batches", settings.micro_batches}};
  if (setup.kind->name == "moe")
    return {{"experts", settings.experts}, {"chosen", settings.chosen}, {"capacity", settings.capacity}};
  if (setup.kind->name == "localsgd") return {{"period", settings.period}};
  return Json::object();
}

}  // namespace

std::string to_bytes(const RankReport& report) {
  Json json = {{"rank", report.rank},
               {"host", report.host},
               {"cores", report.cores},
               {"step", report.times.step},
               {"compute", report.times.compute},
               {"exposed", report.times.exposed},
               {"loss", report.times.loss},
               {"start", report.times.start},
               {"end", report.times.end},
               {"memory", memory_json(report)}};
  if (report.wire_bytes) json["wire_bytes"] = *report.wire_bytes;
  json["models"] = Json::array();
  for (const RankReport::Model& model : report.models)
    json["models"].push_back({model.name, model.parameters, model.bytes, model.first_step, model.steps, model.weights_sha256});
  const auto bytes = Json::to_cbor(json);  // numbers stay as they are, and one that is not finite too
  return {bytes.begin(), bytes.end()};
}

RankReport report_from_bytes(const std::string& bytes) {
  const Json json = Json::from_cbor(bytes);
  RankReport report;
  json.at("rank").get_to(report.rank);
  json.at("host").get_to(report.host);
  json.at("cores").get_to(report.cores);
  json.at("step").get_to(report.times.step);
  json.at("compute").get_to(report.times.compute);
  json.at("exposed").get_to(report.times.exposed);
  json.at("loss").get_to(report.times.loss);
  json.at("start").get_to(report.times.start);
  json.at("end").get_to(report.times.end);
  const Json& memory = json.at("memory");
  const auto bytes_of = [&](const char* what) { return memory.at(what).get<std::uint64_t>(); };
  report.held = {.parameters = bytes_of("parameters"),
                 .gradients = bytes_of("gradients"),
                 .optimizer = bytes_of("optimizer"),
                 .activations = bytes_of("activations"),
                 .exchange = bytes_of("exchange"),
                 .data = bytes_of("data")};
  report.heap_bytes = bytes_of("heap");
  if (json.contains("wire_bytes")) report.wire_bytes = json["wire_bytes"].get<std::uint64_t>();
  for (const Json& model : json.at("models"))
    report.models.push_back({model.at(0), model.at(1), model.at(2), model.at(3), model.at(4), model.at(5)});
  return report;
}

bool is_oversubscribed(const std::vector<RankReport>& reports) {
  std::map<std::string, std::size_t> ranks;
  for (const RankReport& report : reports) ++ranks[report.host];
  return std::ranges::any_of(ranks, [&](const auto& host) { return host.second > cores_of_host(reports, host.first).size(); });
}

std::vector<double> mean_losses(const std::vector<RankReport>& reports) {
  std::map<std::string, std::vector<double>> models;  // ordered, so that the sum does not depend on who trained what
  std::size_t steps = 0;
  for (const RankReport& report : reports) {
    for (const RankReport::Model& model : report.models) {
      std::vector<double>& losses = models[model.name];
      losses.resize(model.steps);
      for (std::size_t i = 0; i < losses.size(); ++i) losses[i] += report.times.loss.at(model.first_step + i);
      steps = std::max(steps, losses.size());
    }
  }
  std::vector<double> means(steps);
  for (std::size_t i = 0; i < steps; ++i) {
    double count = 0;
    for (const auto& [name, losses] : models) {
      if (i >= losses.size()) continue;
      means[i] += losses[i];
      ++count;
    }
    means[i] /= count;
  }
  return means;
}

Json make_record(const Setup& setup, const std::vector<RankReport>& reports, const mpi::Certificate& certificate, Json metadata) {
  // Of a rank that trains something: with more ranks than engines not every one does.
  const auto trains = std::ranges::find_if(reports, [](const RankReport& report) { return !report.models.empty(); });
  const RankReport::Model& first = trains->models.front();
  Json engines = Json::array(), hosts = Json::array(), per_rank = Json::array(), binding = Json::array();
  std::set<std::string> libraries;
  double start = reports.front().times.start, end = 0, rank_seconds = 0;
  for (const RankReport& report : reports) {
    hosts.push_back(report.host);
    binding.push_back(core_list(report.cores));
    per_rank.push_back(rank_json(report));
    for (const RankReport::Model& model : report.models) engines.push_back(model_json(report, model));
    start = std::min(start, report.times.start);
    end = std::max(end, report.times.end);
    rank_seconds += report.times.end - report.times.start;
  }
  for (const mpi::Library& library : certificate.libraries)
    libraries.insert(std::filesystem::path(library.path).filename().string());
  Json straggler = nullptr;
  if (setup.straggler) straggler = Json{{"rank", setup.straggler->rank}, {"factor", setup.straggler->factor}};
  const bool buckets = setup.kind->uses_buckets && setup.settings.variant != "naive";
  return {{"format", "hiple scaling record"},
          {"version", 1},
          {"strategy", setup.kind->name},
          {"variant", setup.settings.variant.empty() ? Json(nullptr) : Json(setup.settings.variant)},
          {"ranks", setup.ranks},
          {"network", setup.network},
          {"parameters", first.parameters},
          {"gradient_bytes", first.bytes},
          {"global_batch", setup.settings.batch},
          {"batch_per_rank", setup.kind->rows(setup.settings, setup.ranks)},
          {"steps", setup.settings.steps},
          {"warmup", setup.warmup},
          {"seed", setup.seed},
          {"straggler", straggler},
          {"jitter", setup.jitter},
          {"spread", setup.settings.spread},
          {"options", own_options(setup)},
          {"engines", engines},
          {"hosts", hosts},
          {"cores", cores_of_host(reports, reports.front().host).size()},
          {"oversubscribed", is_oversubscribed(reports)},
          {"binding", binding},
          {"bucket_bytes", buckets ? Json(setup.settings.bucket_bytes) : Json(nullptr)},
          {"per_rank", per_rank},
          {"step_seconds", slowest(reports)},
          {"makespan_seconds", end - start},
          {"rank_seconds", rank_seconds},
          {"losses", mean_losses(reports)},
          {"train_calls", certificate.training.calls},
          {"train_bytes", certificate.training.bytes},
          {"wait_seconds", certificate.training.wait_seconds},
          {"seconds_in_mpi", certificate.training.seconds_in_mpi},
          {"wire_bytes", wire_bytes(reports)},
          {"libraries", libraries},
          {"certificate", Json::parse(mpi::certificate_json(certificate))},
          {"metadata", std::move(metadata)}};
}

}  // namespace hiple::scaling
