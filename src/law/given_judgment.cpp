#include "law/given_judgment.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace hiple::law {

namespace {

constexpr double sum_tolerance = 1e-3;
constexpr float usual_typicality = 0.5F;
const std::vector<std::string> attributes = {"label", "confidence", "typicality", "probability", "value", "status"};

class JudgmentReader {
 public:
  JudgmentReader(const EngineDescription& engine, Problems& problems) : engine_(engine), problems_(problems) {}

  std::unique_ptr<Judgments> run(const yaml::Node& node) {
    if (node.kind == yaml::Node::Kind::null || (node.is_scalar() && node.text == "unavailable")) return nullptr;
    auto judgments = make_judgment(engine_, JudgmentStatus::judged);
    if (node.is_scalar())
      judgments->status = {read_status(node, {"abstained", "invalid", "unavailable"})};
    else if (!node.is_map())
      problems_.add(node.place, "the judgment of " + engine_.name + " must be a map or a word", "found " + node.description(),
                    "write its probabilities by class, `abstained`, `invalid` or `unavailable`");
    else if (is_in_full(node))
      read_in_full(node, *judgments);
    else
      read_probabilities(node, *judgments);
    return judgments;
  }

 private:
  [[nodiscard]] bool is_in_full(const yaml::Node& node) const {
    const auto contains = [](const auto& list, const std::string& text) {
      return std::find(list.begin(), list.end(), text) != list.end();
    };
    return engine_.classes.empty() || std::any_of(node.entries.begin(), node.entries.end(), [&](const yaml::Entry& entry) {
             return !contains(engine_.classes, entry.key) && contains(attributes, entry.key);
           });
  }

  JudgmentStatus read_status(const yaml::Node& node, const std::vector<std::string>& words) {
    if (std::find(words.begin(), words.end(), node.text) == words.end())
      problems_.add(node.place, "\"" + node.text + "\" is no judgment", {}, suggestion(node.text, words));
    if (node.text == "abstained") return JudgmentStatus::abstained;
    return node.text == "invalid" ? JudgmentStatus::invalid : JudgmentStatus::judged;
  }

  float read_fraction(const yaml::Node& node, const std::string& what) {
    const auto value = yaml::as_real(node, what, problems_);
    if (value && (*value < 0 || *value > 1)) problems_.add(node.place, what + " is outside [0, 1]");
    return static_cast<float>(value.value_or(0));
  }

  std::optional<std::size_t> read_class(const std::string& name, const Place& place) {
    const auto found = std::find(engine_.classes.begin(), engine_.classes.end(), name);
    if (found != engine_.classes.end()) return static_cast<std::size_t>(found - engine_.classes.begin());
    problems_.add(place, "\"" + name + "\" is no class of the engine \"" + engine_.name + "\"", {},
                  suggestion(name, engine_.classes));
    return std::nullopt;
  }

  /// The label is the largest, the first of equals.
  void read_probabilities(const yaml::Node& node, Judgments& judgments) {
    const std::size_t before = problems_.list().size();
    double sum = 0;
    for (const yaml::Entry& entry : node.entries) {
      const float value = read_fraction(entry.value, "a probability");
      if (const auto number = read_class(entry.key, entry.place)) judgments.probability[*number] = value;
      sum += static_cast<double>(value);
    }
    if (problems_.list().size() == before && std::abs(sum - 1) > sum_tolerance)
      problems_.add(node.place, "the probabilities of " + engine_.name + " add up to " + format_real(sum),
                    "they must add up to 1");
    const auto best = std::max_element(judgments.probability.begin(), judgments.probability.end());
    judgments.label = {static_cast<std::uint16_t>(best - judgments.probability.begin())};
    judgments.confidence = {*best};
  }

  void read_in_full(const yaml::Node& node, Judgments& judgments) {
    yaml::MapReader reader(node, "the judgment of " + engine_.name, problems_);
    if (const auto* status = reader.find("status")) judgments.status = {read_status(*status, {"judged", "abstained", "invalid"})};
    if (const auto* typicality = reader.find("typicality")) judgments.typicality = {read_fraction(*typicality, "a typicality")};
    if (judgments.status[0] == JudgmentStatus::judged && engine_.classes.empty()) {
      const auto* value = reader.require("value");
      if (value != nullptr) judgments.value = {static_cast<float>(yaml::as_real(*value, "a value", problems_).value_or(0))};
    } else if (judgments.status[0] == JudgmentStatus::judged) {
      read_classes(reader, judgments);
    }
    reader.finish();
  }

  /// Without `probability` the label has the confidence, and the other classes share the rest.
  void read_classes(yaml::MapReader& reader, Judgments& judgments) {
    const auto* probability = reader.find("probability");
    const auto* label = probability == nullptr ? reader.require("label") : reader.find("label");
    const auto* confidence = reader.find("confidence");
    if (probability != nullptr && probability->is_map())
      read_probabilities(*probability, judgments);
    else if (probability != nullptr)
      problems_.add(probability->place, "`probability` must be a map", {}, "write the probabilities by class");
    if (label != nullptr) {
      judgments.label = {static_cast<std::uint16_t>(read_class(label->text, label->place).value_or(0))};
      judgments.confidence = {probability != nullptr ? judgments.probability[judgments.label[0]] : 1};
    }
    if (confidence != nullptr) judgments.confidence = {read_fraction(*confidence, "a confidence")};
    if (probability != nullptr) return;
    const auto others = static_cast<float>(engine_.classes.size() - 1);
    judgments.probability.assign(engine_.classes.size(), others > 0 ? (1 - judgments.confidence[0]) / others : 0);
    judgments.probability[judgments.label[0]] = judgments.confidence[0];
  }

  const EngineDescription& engine_;
  Problems& problems_;
};

}  // namespace

std::unique_ptr<Judgments> make_judgment(const EngineDescription& engine, JudgmentStatus status) {
  auto judgments = std::make_unique<Judgments>();
  judgments->engine = engine.name;
  judgments->classes = engine.classes;
  judgments->case_id = {1};
  judgments->typicality = {usual_typicality};
  judgments->status = {status};
  if (engine.classes.empty()) {
    judgments->value = {0};
  } else {
    judgments->label = {0};
    judgments->confidence = {0};
    judgments->probability.assign(engine.classes.size(), 0);
  }
  return judgments;
}

std::unique_ptr<Judgments> read_given_judgment(const EngineDescription& engine, const yaml::Node& node, Problems& problems) {
  return JudgmentReader(engine, problems).run(node);
}

}  // namespace hiple::law
