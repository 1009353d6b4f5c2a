#include "judgment/judgment.hpp"

#include <limits>

#include "base/error.hpp"
#include "h5/h5.hpp"
#include "judgment/judgment_check.hpp"
#include "judgment/judgment_stream.hpp"

namespace hiple {

namespace {

std::vector<std::uint8_t> to_codes(const std::vector<JudgmentStatus>& status) {
  std::vector<std::uint8_t> codes(status.size());
  for (std::size_t i = 0; i < status.size(); ++i) codes[i] = static_cast<std::uint8_t>(status[i]);
  return codes;
}

void write_attributes(h5::Writer& file, const Judgments& judgments) {
  file.attribute("/", "engine", judgments.engine);
  file.attribute("/", "domain", judgments.domain);
  file.attribute("/", "level", judgments.level);
  file.attribute("/", "checkpoint_sha256", judgments.checkpoint_sha256);
  file.attribute("/", "data_sha256", judgments.data_sha256);
  file.attribute("/", "config_sha256", judgments.config_sha256);
  file.attribute("/", "training_seconds", judgments.training_seconds);
  file.attribute("/", "steps", judgments.steps);
  file.attribute("/", "samples", judgments.samples);
}

}  // namespace

void write_judgments(const std::filesystem::path& path, const Judgments& judgments) {
  if (const std::string fault = fault_of(judgments); !fault.empty())
    throw Error(path.string() + ": judgments of engine " + judgments.engine + " are not sound: " + fault);
  h5::Writer file(path, judgments_format, judgments_version);
  write_attributes(file, judgments);
  file.write("classes", judgments.classes);
  file.write("case_id", judgments.case_id);
  file.write("label", judgments.label);
  file.write("confidence", judgments.confidence);
  file.write("typicality", judgments.typicality);
  const auto codes = to_codes(judgments.status);
  file.write("status", codes);
  if (!judgments.probability.empty()) file.write("probability", judgments.probability, judgments.classes.size());
  if (judgments.classes.empty()) file.write("value", judgments.value);
  file.finish();
}

Judgments read_judgments(const std::filesystem::path& path) {
  JudgmentStream stream(path);
  return stream.up_to(std::numeric_limits<std::uint64_t>::max(), stream.rows());
}

}  // namespace hiple
