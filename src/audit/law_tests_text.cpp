#include "audit/law_tests_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace hiple::audit {

namespace {

using Json = nlohmann::ordered_json;

/// What no example has shown, in words.
std::vector<std::string> gaps_of(const Shown& shown) {
  std::vector<std::string> gaps;
  if (shown.examples == 0) gaps.emplace_back("no examples");
  if (!shown.fired) gaps.emplace_back("never seen to fire");
  if (!shown.silent && shown.atoms > 0) gaps.emplace_back("never seen silent");
  if (!shown.unknown && shown.can_be_unknown) gaps.emplace_back("never seen unknown");
  if (!shown.defeated && shown.can_be_defeated) gaps.emplace_back("never seen defeated");
  if (shown.examples > 0)
    for (const std::string& atom : shown.idle_atoms) gaps.push_back("nothing depends on " + atom);
  return gaps;
}

std::string coverage_text(const LawTests& tests) {
  std::size_t atoms = 0, idle = 0;
  for (const Shown& shown : tests.shown) {
    atoms += shown.atoms;
    idle += shown.idle_atoms.size();
  }
  const auto count = [&](auto has, auto can) {
    const auto seen = std::count_if(tests.shown.begin(), tests.shown.end(), [&](const Shown& s) { return can(s) && has(s); });
    const auto all = std::count_if(tests.shown.begin(), tests.shown.end(), can);
    return fmt::format("{} of {}", seen, all);
  };
  const auto any = [](const Shown&) { return true; };
  std::string text = "coverage, over rules and laws\n";
  text += "  fired      " + count([](const Shown& s) { return s.fired; }, any) + "\n";
  text += "  silent     " + count([](const Shown& s) { return s.silent; }, [](const Shown& s) { return s.atoms > 0; }) + "\n";
  text +=
      "  unknown    " + count([](const Shown& s) { return s.unknown; }, [](const Shown& s) { return s.can_be_unknown; }) + "\n";
  text +=
      "  defeated   " + count([](const Shown& s) { return s.defeated; }, [](const Shown& s) { return s.can_be_defeated; }) + "\n";
  text += fmt::format("  atoms      {} of {} were shown to matter\n", atoms - idle, atoms);
  for (const Shown& shown : tests.shown)
    for (const std::string& gap : gaps_of(shown)) text += "  " + shown.id + ": " + gap + "\n";
  return text;
}

std::string mutants_text(const LawTests& tests) {
  std::string text =
      fmt::format("mutants    {} of {} were noticed: score {:.3f}\n", tests.killed(), tests.mutants.size(), tests.score());
  for (const MutantResult& mutant : tests.mutants) {
    if (mutant.killed) continue;
    text += "  lives: " + mutant.id + ": " + mutant.change + "\n";
    if (!mutant.suggestion.empty()) text += "    would be noticed by  " + mutant.suggestion + "\n";
  }
  return text;
}

}  // namespace

std::string to_text(const LawTests& tests, const std::string& name) {
  std::string text = fmt::format("law        {}: {} examples, {} failed\n", name, tests.examples, tests.failures.size());
  for (const Failure& failure : tests.failures)
    text +=
        fmt::format("  FAILED {}: {}, `{}`: {}\n", failure.place.text(), failure.id, name_of(failure.expected), failure.found);
  text += coverage_text(tests);
  if (!tests.failures.empty()) return text + "mutants    none were made: an example fails\n";
  return text + mutants_text(tests);
}

std::string to_json(const LawTests& tests, const std::string& name) {
  Json json = {{"law", name},
               {"examples", tests.examples},
               {"failures", Json::array()},
               {"coverage", Json::array()},
               {"mutants", tests.mutants.size()},
               {"killed", tests.killed()},
               {"score", tests.score()},
               {"living", Json::array()}};
  if (!tests.failures.empty()) json["score"] = nullptr;
  for (const Failure& failure : tests.failures)
    json["failures"].push_back(
        {{"id", failure.id}, {"place", failure.place.text()}, {"expected", name_of(failure.expected)}, {"found", failure.found}});
  for (const Shown& shown : tests.shown)
    json["coverage"].push_back({{"id", shown.id},
                                {"examples", shown.examples},
                                {"fired", shown.fired},
                                {"silent", shown.silent},
                                {"unknown", shown.unknown},
                                {"defeated", shown.defeated},
                                {"atoms", shown.atoms},
                                {"idle_atoms", shown.idle_atoms},
                                {"gaps", gaps_of(shown)}});
  for (const MutantResult& mutant : tests.mutants)
    if (!mutant.killed)
      json["living"].push_back({{"id", mutant.id}, {"change", mutant.change}, {"suggestion", mutant.suggestion}});
  return json.dump(2) + "\n";
}

}  // namespace hiple::audit
