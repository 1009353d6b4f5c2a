#include "condition/condition_sample.hpp"
#include "feeding.hpp"
#include "targets.hpp"

namespace hiple::fuzz {

namespace {

using condition::CauseSet;
using condition::Condition;
using condition::Sample;

/// What the condition says of a case of which everything is known, and of one of which nothing is.
std::string said(const Condition& condition, Sample& sample) {
  std::string result;
  for (const bool careful : {false, true}) {
    sample.is_careful = careful;
    CauseSet causes;
    result += std::string(name_of(condition.evaluate(sample, causes))) + " ";
    for (const std::string& cause : sample.vocabulary.causes.texts(causes)) result += cause + " ";
  }
  return result;
}

void compare(const Condition& one, const Condition& other, Sample& sample) {
  check(said(one, sample) == said(other, sample), "a canonical text means the same: " + one.canonical());
}

}  // namespace

void feed_condition(std::string_view input) {
  refusing([&] {
    Sample sample;
    const Condition condition = sample.read(std::string(input));
    const Condition again =
        accepting("a canonical text can be read: " + condition.canonical(), [&] { return sample.read(condition.canonical()); });
    check(again.canonical() == condition.canonical(), "a canonical text is its own: " + condition.canonical());
    compare(condition, again, sample);
    for (auto& field : sample.fields) field = {condition::Field::State::known, 1};
    for (const auto& engine : sample.scope.engines) sample.say(engine.first, 0, 0.75F);
    compare(condition, again, sample);
  });
}

}  // namespace hiple::fuzz
