#include <nlohmann/json.hpp>

#include "base/date.hpp"
#include "base/text.hpp"
#include "config/run_config.hpp"

namespace hiple {

namespace {

/// In double quotes with JSON's escapes, which YAML has too.
std::string quote(const std::string& text) { return nlohmann::json(text).dump(); }

std::string quote_all(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  quoted.reserve(texts.size());
  for (const std::string& text : texts) quoted.push_back(quote(text));
  return "[" + join(quoted, ", ") + "]";
}

/// The folder of the run may be looked at from anywhere, and may be reached through symbolic links, where "../" leads astray.
std::string quote_path(const std::filesystem::path& path) {
  return quote(std::filesystem::absolute(path).lexically_normal().string());
}

std::string split_text(const SplitConfig& split) {
  std::string text = "{";
  if (!split.column.empty()) {
    text += "column: " + quote(split.column) + ", train: " + quote_all(split.train) + ", test: " + quote_all(split.test);
    if (!split.group.empty()) text += ", group: " + quote(split.group);
  } else {
    text += "test: " + format_real(split.test_fraction) + ", stratified: " + quote(split.stratified) +
            ", group: " + quote(split.group);
  }
  return text + ", early_stop: " + format_real(split.early_stop) + ", calibration: " + format_real(split.calibration) + "}";
}

std::string convolutions_text(const ModelConfig& model) {
  std::vector<std::string> entries;
  for (const ConvolutionConfig& one : model.convolutions)
    entries.push_back("{channels: " + std::to_string(one.channels) + ", kernel: " + std::to_string(one.kernel) +
                      ", stride: " + std::to_string(one.stride) + "}");
  return "convolutions: [" + join(entries, ", ") + "], pool: " + quote(model.pool) + ", ";
}

std::string model_text(const ModelConfig& model, const std::string& type) {
  std::vector<std::string> widths;
  widths.reserve(model.hidden.size());
  for (const std::int64_t width : model.hidden) widths.push_back(std::to_string(width));
  return "{type: " + quote(type) + ", " + (model.convolutions.empty() ? "" : convolutions_text(model)) + "hidden: [" +
         join(widths, ", ") + "], activation: " + quote(model.activation) + ", dropout: " + format_real(model.dropout) +
         ", embedding: " + std::to_string(model.embedding) + "}";
}

/// How the weights come about; how often they are saved does not belong to it.
std::string optimiser_text(const TrainConfig& train) {
  return "epochs: " + std::to_string(train.epochs) + ", batch: " + std::to_string(train.batch) +
         ", optimizer: " + quote(train.optimizer) + ", lr: " + format_real(train.learning_rate) +
         ", weight_decay: " + format_real(train.weight_decay) + ", class_weight: " + quote(train.class_weight) +
         ", early_stop: " + std::to_string(train.early_stop) + ", schedule: " + quote(train.schedule) +
         ", warmup: " + std::to_string(train.warmup) + ", clip: " + format_real(train.clip);
}

std::string variables_text(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> entries;
  for (const auto& [name, value] : variables) entries.push_back(quote(name) + ": " + quote(value));
  return "{" + join(entries, ", ") + "}";
}

/// The content of the files among a command's words, wherever they lie.
std::string files_text(const CommandConfig& command) {
  std::string text;
  for (const CommandConfig::File& file : command.files) text += "file: " + file.sha256 + "\n";
  return text;
}

/// Where a program runs and for how long: its result ought not to depend on it.
std::string command_extra(const CommandConfig& command, const std::string& indent) {
  return indent + "folder: " + quote_path(command.folder) + "\n" + indent + "time_limit: " + format_real(command.time_limit) +
         "s\n";
}

/// The lines of an engine's entry that its result depends on; all but the first begin with `indent`.
std::string engine_text(const EngineConfig& engine, const std::string& train_extra, const std::string& indent) {
  std::string text = "name: " + quote(engine.name) + "\n";
  const auto line = [&](const std::string& key, const std::string& value) { text += indent + key + ": " + value + "\n"; };
  line("domain", quote(engine.domain));
  line("target", quote(engine.target));
  line("features", quote_all(engine.features));
  line("cases", quote(engine.cases));
  if (!engine.learns_also.empty()) line("learns_also", quote(engine.learns_also));
  if (engine.is_command()) {
    line("type", quote(engine.type));
    line("command", quote_all(engine.command.words));
    line("environment", variables_text(engine.command.variables));
  } else {
    line("model", model_text(engine.model, engine.type));
    line("train", "{" + optimiser_text(engine.train) + train_extra + "}");
    line("precision", quote(engine.precision));
    line("device", quote(engine.device));
  }
  line("abstain_below", format_real(engine.abstain_below));
  line("probabilities", quote(engine.probabilities));
  return text;
}

}  // namespace

std::string to_yaml(const RunConfig& config) {
  std::string text = "hiple: 1\n";
  const auto line = [&](const std::string& key, const std::string& value) { text += key + ": " + value + "\n"; };
  line("name", quote(config.name));
  line("seed", std::to_string(config.seed));
  line("as_of", format_date(config.as_of));
  text += "data:\n";
  line("  table", quote_path(config.data.table));
  line("  schema", quote_path(config.data.schema));
  line("  split", split_text(config.data.split));
  text += "engines:\n";
  for (const EngineConfig& engine : config.engines) {
    const std::string saving = ", checkpoint_every: " + std::to_string(engine.train.checkpoint_every);
    text += "  - " + engine_text(engine, saving, "    ");
    if (engine.is_command()) text += command_extra(engine.command, "    ");
  }
  line("isolation", quote(config.isolation));
  line("restarts", std::to_string(config.restarts));
  line("file_locks", quote(config.file_locks));
  line("step_limit", format_real(config.step_limit) + "s");
  if (config.time_limit > 0) line("time_limit", format_real(config.time_limit) + "s");
  line("law", quote_path(config.law));
  if (!config.gate_report.empty())
    line("gates", "{file: " + quote_path(config.gates) + ", report: " + quote_path(config.gate_report) + "}");
  else if (!config.gates.empty())
    line("gates", quote_path(config.gates));
  if (!config.evidence.file.empty())
    line("evidence", "{file: " + quote_path(config.evidence.file) +
                         ", least_reliability: " + format_real(config.evidence.least_reliability) + "}");
  line("integrate", "{deadline: " + format_real(config.integrate.deadline) +
                        "s, lost_after: " + format_real(config.integrate.lost_after) +
                        "s, quorum: " + quote(config.integrate.quorum) + ", judging: " + quote(config.integrate.judging) + "}");
  line("output", quote_path(config.output));
  return text;
}

std::string engine_identity(const RunConfig& config, const EngineConfig& engine) {
  return "seed: " + std::to_string(config.seed) + "\nas_of: " + format_date(config.as_of) +
         "\nsplit: " + split_text(config.data.split) + "\n" + engine_text(engine, {}, {}) + files_text(engine.command);
}

}  // namespace hiple
