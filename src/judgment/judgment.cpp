#include "judgment/judgment.hpp"

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "h5/h5.hpp"

namespace hiple {

namespace {

constexpr const char* format = "hiple judgments";
constexpr std::uint32_t version = 1;

bool is_status(JudgmentStatus status) { return status <= JudgmentStatus::not_asked || status == JudgmentStatus::absent; }

/// What is wrong with judgments, for the writer and the reader alike; the first fault, or nothing.
class Check {
 public:
  explicit Check(const Judgments& judgments) : judgments_(judgments) {}

  std::string fault() const {
    for (const auto part : {&Check::of_classes, &Check::of_sizes}) {
      if (std::string fault = (this->*part)(); !fault.empty()) return fault;
    }
    for (std::size_t row = 0; row < judgments_.size(); ++row) {
      if (const std::string fault = of_row(row); !fault.empty())
        return "case " + std::to_string(judgments_.case_id[row]) + ": " + fault;
    }
    return {};
  }

 private:
  std::string of_classes() const {
    if (judgments_.classes.size() >= no_label) return "more than 65534 classes";
    const std::set<std::string> unique(judgments_.classes.begin(), judgments_.classes.end());
    if (unique.size() != judgments_.classes.size()) return "a class stands twice";
    return unique.contains("") ? "a class without a name" : "";
  }

  std::string of_sizes() const {
    const std::size_t rows = judgments_.size();
    const auto differs = [&](const std::string& name, std::size_t found, std::size_t wanted) {
      return found == wanted ? ""
                             : name + " has " + std::to_string(found) + " values, but " + std::to_string(wanted) + " are needed";
    };
    const bool regression = judgments_.classes.empty();
    const std::size_t probabilities = judgments_.probability.empty() ? 0 : rows * judgments_.classes.size();
    for (const std::string& fault :
         {differs("label", judgments_.label.size(), rows), differs("confidence", judgments_.confidence.size(), rows),
          differs("typicality", judgments_.typicality.size(), rows), differs("status", judgments_.status.size(), rows),
          differs("probability", judgments_.probability.size(), probabilities),
          differs("value", judgments_.value.size(), regression ? rows : 0)}) {
      if (!fault.empty()) return fault;
    }
    return {};
  }

  std::string of_row(std::size_t row) const {
    if (row > 0 && judgments_.case_id[row] <= judgments_.case_id[row - 1]) return "the ids are not ascending";
    const JudgmentStatus status = judgments_.status[row];
    if (!is_status(status)) return "status " + std::to_string(static_cast<unsigned>(status)) + " is none";
    const bool judged = status == JudgmentStatus::judged, regression = judgments_.classes.empty();
    if (judged && !regression && judgments_.label[row] >= judgments_.classes.size())
      return "label " + std::to_string(judgments_.label[row]) + " is no class";
    if ((!judged || regression) && judgments_.label[row] != no_label) return "a label although there is none";
    if (judged && !regression && !is_probability(judgments_.confidence[row])) return "a confidence outside 0 to 1";
    if (judged && regression && !std::isfinite(judgments_.value[row])) return "a value that is not finite";
    if ((judged || status == JudgmentStatus::abstained) && !is_probability(judgments_.typicality[row]))
      return "a typicality outside 0 to 1";
    const std::size_t classes = judgments_.probability.empty() ? 0 : judgments_.classes.size();
    for (std::size_t c = 0; judged && c < classes; ++c) {
      if (!is_probability(judgments_.probability[row * classes + c])) return "a probability outside 0 to 1";
    }
    return {};
  }

  /// False for NaN too.
  static bool is_probability(float value) { return value >= 0.0F && value <= 1.0F; }

  const Judgments& judgments_;
};

std::vector<JudgmentStatus> to_status(const std::vector<std::uint8_t>& codes) {
  std::vector<JudgmentStatus> status(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) status[i] = static_cast<JudgmentStatus>(codes[i]);
  return status;
}

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

void read_attributes(const h5::Reader& file, Judgments& judgments) {
  judgments.engine = file.attribute_text("/", "engine");
  judgments.domain = file.attribute_text("/", "domain");
  judgments.level = file.attribute<std::int32_t>("/", "level");
  judgments.checkpoint_sha256 = file.attribute_text("/", "checkpoint_sha256");
  judgments.data_sha256 = file.attribute_text("/", "data_sha256");
  judgments.config_sha256 = file.attribute_text("/", "config_sha256");
  judgments.training_seconds = file.attribute<double>("/", "training_seconds");
  judgments.steps = file.attribute<std::uint64_t>("/", "steps");
  judgments.samples = file.attribute<std::uint64_t>("/", "samples");
}

}  // namespace

void write_judgments(const std::filesystem::path& path, const Judgments& judgments) {
  if (const std::string fault = Check(judgments).fault(); !fault.empty())
    throw Error(path.string() + ": judgments of engine " + judgments.engine + " are not sound: " + fault);
  h5::Writer file(path, format, version);
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
  const h5::Reader file(path, format, version);
  Judgments judgments;
  read_attributes(file, judgments);
  judgments.classes = file.read_texts("classes");
  judgments.case_id = file.read<std::uint64_t>("case_id");
  judgments.label = file.read<std::uint16_t>("label");
  judgments.confidence = file.read<float>("confidence");
  judgments.typicality = file.read<float>("typicality");
  judgments.status = to_status(file.read<std::uint8_t>("status"));
  if (file.has("probability")) {
    const auto shape = file.shape("probability");
    if (shape.size() != 2 || shape[1] != judgments.classes.size())
      throw InputError(Place{path.string()}, "probability: its columns are not the classes");
    judgments.probability = file.read<float>("probability");
  }
  if (file.has("value")) judgments.value = file.read<float>("value");
  if (const std::string fault = Check(judgments).fault(); !fault.empty())
    throw InputError(Place{path.string()}, fault, "the judgments are not sound", "make them again with `hiple judge`");
  return judgments;
}

}  // namespace hiple
