#include <gtest/gtest.h>

#include <fstream>

#include "law_sample.hpp"
#include "temporary_folder.hpp"

namespace hiple::law {
namespace {

std::string problem(const LawSample& sample) {
  try {
    (void)sample.law();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

LawSample with(std::vector<std::string> rules, const std::string& more = {}) {
  LawSample sample;
  sample.engines = {"e", "f"};
  sample.rules = std::move(rules);
  sample.more = more;
  return sample;
}

void expect(const LawSample& sample, const std::string& wanted) {
  EXPECT_NE(problem(sample).find(wanted), std::string::npos) << wanted << "\n" << sample.text() << problem(sample);
}

TEST(Loader, RulesThatAreWrong) {
  const std::vector<std::pair<std::string, std::string>> rules = {
      {"id: A, when: 'aa > 0', then: q.X", "law.yaml:5:20: there is no column \"aa\""},
      {"id: A, when: 'a > 0', then: q.W", "law.yaml:5:34: the question \"q\" has no finding \"W\""},
      {"id: A, when: 'a > 0', then: r.X", "there is no question \"r\" (did you mean \"q\"?)"},
      {"id: A, when: 'a > 0', then: X", "write question.finding"},
      {"id: A, then: q.X", "the rule A lacks the key \"when\""},
      {"when: 'a > 0', then: q.X", "an entry of `rules` has no id"},
      {"id: A, when: 'a > 0', then: q.X, panel: kid", "there is no panel \"kid\""},
      {"id: A, when: 'a > 0', then: q.X, statsu: accepted", "unknown key \"statsu\" in the rule A (did you mean \"status\"?)"},
      {"id: A, when: 'a > 0', then: q.X, status: good", "accepted: proposed, verified, accepted, suspended, retired"},
      {"id: A, when: 'a > 0', then: q.X, version: 0", "it must be from 1 to"},
      {"id: A, when: 'a > 0', then: q.X, valid: {from: 2026-02-30}", "\"2026-02-30\" is no date"},
      {"id: A, when: 'a > 0', then: q.X, valid: {from: 2026-02-02, to: 2026-02-01}", "ends before it begins"},
      {"id: A, when: 'a > 0', then: q.X, because: 'a is {aa}'", "law.yaml:5:55: there is no column \"aa\""},
      {"id: A, when: 'a > 0', then: q.X, because: 'a is {a'", "a closing } is missing"},
      {"id: A, when: 'a > 0', then: q.X, overrides: [B]", "A overrides \"B\", which is no rule"},
      {"id: A, when: 'a > 0', then: q.X, evidence: [{supports: true}]", "lacks the key \"source\""},
      {"id: A, when: 'a > 0', then: q.X, tests: {fires: [7]}", "a case must be a map"},
      {"id: A, when: 'a > 0', then: q.X, when: 'b > 0'", "when"},
      {"id: A, when: [a], then: q.X", "a condition must be a text"},
  };
  for (const auto& [rule, wanted] : rules) expect(with({rule}), wanted);
}

TEST(Loader, AnEmptyTextIsNotTakenForNothing) {
  LawSample sample = with({"id: A, when: 'a > 0', then: q.X"}, "critical: {critical: 1, findings: [{finding: ''}]}");
  expect(sample, "\"\" is no finding (write question.finding)");
  sample.more = "critical: ''";
  expect(sample, "`critical` names no file that exists");
  sample.more = "critical: nowhere.yaml";
  expect(sample, "`critical` names no file that exists: nowhere.yaml");
  sample.more.clear();
  sample.questions = "[{name: q, findings: [X], default: ''}]";
  expect(sample, "the default of the question q is empty");
}

TEST(Loader, OverridesThatAreWrong) {
  const std::string a = "id: A, when: 'a > 0', then: q.X";
  expect(with({a + ", overrides: [B]", "id: B, when: 'b > 0', then: q.X"}), "A overrides B, a rule for the same finding");
  LawSample two = with({a + ", overrides: [B]", "id: B, when: 'b > 0', then: s.U"});
  two.questions = "[{name: q, findings: [X]}, {name: s, findings: [U]}]";
  expect(two, "A overrides B, a rule of another question");
  expect(with({a + ", overrides: [B]", "id: B, when: 'b > 0', then: q.Y, overrides: [C]",
               "id: C, when: 'c > 0', then: q.Z, overrides: [A]"}),
         "overrides go in a circle: A > B > C > A");
  EXPECT_EQ(problem(with({a + ", overrides: [B]", "id: B, status: retired, when: 'b > 0', then: q.Y, overrides: [A]"})),
            "accepted");
}

TEST(Loader, IdsAreUniqueOverRulesLawsAndLinks) {
  const std::string a = "id: A, when: 'a > 0', then: q.X";
  expect(with({a, a}), "the id \"A\" is used twice in `rules`: first at law.yaml:5:");
  expect(with({a}, "laws: [{id: A, escalate: q, when: 'a > 0'}]"), "the id \"A\" is used twice");
  expect(with({a}, "links: [{id: A, from: e, to: f, when: 'true'}]"), "the id \"A\" is used twice");
  LawSample fallback = with({"id: q.default, when: 'a > 0', then: q.X"});
  expect(fallback.with_default(), "the id \"q.default\" is used twice");
}

TEST(Loader, FramesThatAreWrong) {
  const std::vector<std::pair<std::string, std::string>> frames = {
      {"incompatible: [[q.X, q.Y]]", "these findings are of one question"},
      {"incompatible: [[q.X]]", "must be two findings"},
      {"panels: [{name: kid, members: [e]}]", "no panel is called \"root\""},
      {"panels: [{name: root, members: [e]}, {name: kid, members: [f]}]", "the panel \"kid\" is not under the root"},
      {"panels: [{name: root, members: [k]}, {name: k, members: [j]}, {name: j, members: [k]}]", "a panel has one place"},
      {"panels: [{name: root, members: [ee]}]", "there is no engine \"ee\" in this run"},
      {"panels: [{name: root, members: [e, thyroids]}, {name: thyroid, members: [f]}]",
       "there is no engine and no panel \"thyroids\" in this run (did you mean \"thyroid\"?)"},
      {"panels: [{name: root, members: [e]}, {name: f, members: []}]", "has the name of an engine"},
      {"panels: [{name: root, members: [k]}, {name: k, members: [e], answers: [r]}]", "there is no question \"r\""},
      {"independence: [[e]]", "fewer than two engines"},
      {"independence: [[e, f], [f, e]]", "in two groups"},
      {"laws: [{id: L, when: 'a > 0'}]", "needs one of forbid, require and escalate"},
      {"laws: [{id: L, when: 'a > 0', forbid: q.X, escalate: q}]", "found 2"},
      {"laws: [{id: L, when: 'a > 0', forbid: q.W}]", "has no finding \"W\""},
      {"links: [{id: K, from: e, to: e, when: 'true'}]", "leads back to its own engine"},
      {"links: [{id: K, from: e, to: g, when: 'true'}]", "there is no engine \"g\""},
      {"route: {home: [{engines: [e]}, {when: 'a > 0', engines: [f]}]}", "is never reached"},
      {"route: {home: [{when: 'a > 0', engines: [f]}]}", "the last entry of `home` has a condition"},
      {"route: {home: [{when: 'e.judged', engines: [f]}, {engines: []}]}", "no engine can be read here"},
      {"route: {home: []}", "`home` is empty"},
      {"route: {broaden: [some]}", "\"some\" is no way to broaden"},
      {"route: {broaden: [all, all]}", "stands twice"},
      {"route: {max_rounds: 256}", "it must be from 0 to 255"},
      {"critical: {critical: 1, findings: [{finding: q.W}]}", "has no finding \"W\""},
      {"critical: {critical: 1, findings: [{finding: q.X}, {finding: q.X}]}", "is listed twice"},
      {"critical: {critical: 1, findings: [{finding: q.X, suspect: 'z > 1'}]}", "there is no column \"z\""},
      {"critical: {critical: 2, findings: []}", "it must be 1"},
      {"critical: nowhere.yaml", "nowhere.yaml"},
      {"schema: nowhere.yaml", "the law's schema cannot be read"},
      {"lawz: []", "unknown key \"lawz\" in the law (did you mean \"law"},
  };
  for (const auto& [more, wanted] : frames) expect(with({}, more), wanted);
}

TEST(Loader, QuestionsThatAreWrong) {
  const std::vector<std::pair<std::string, std::string>> questions = {
      {"[]", "the law asks no question"},
      {"[{name: q}]", "lacks the key \"findings\""},
      {"[{name: q, findings: []}]", "has no findings"},
      {"[{name: q, findings: [X, X]}]", "lists the finding \"X\" twice"},
      {"[{name: q, findings: [X], default: Z}]", "is no finding of the question q"},
      {"[{name: q.r, findings: [X]}]", "cannot be a question's name"},
      {"[{name: q, findings: [X]}, {name: q, findings: [Y]}]", "is used twice in `questions`"},
  };
  for (const auto& [text, wanted] : questions) {
    LawSample sample;
    sample.questions = text;
    expect(sample, wanted);
  }
  LawSample pair;
  pair.questions = "[{name: q, findings: [none, X], default: none}, {name: s, findings: [U]}]";
  pair.more = "incompatible: [[q.none, s.U]]";
  expect(pair, "is a default");
}

TEST(Loader, AllProblemsInOneGo) {
  const LawSample sample =
      with({"id: A, when: 'aa > 0', then: q.X", "id: B, when: 'a >', then: q.Y", "id: C, when: 'a > 0', then: q.W"},
           "laws: [{id: L, when: 'bb > 0', forbid: q.X}]");
  try {
    (void)sample.law();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 4U) << error.what();
  }
}

TEST(Loader, FilesBesideTheLaw) {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder.path() / name) << text; };
  write("schema.yaml", "schema: 1\n");
  write("other.yaml", "schema: 2\n");
  write("critical.yaml", "critical: 1\nfindings:\n  - {finding: q.X, covered_by: [q.Y], to: endo, suspect: 'a > 0'}\n");
  LawSample sample;
  sample.rules = {"id: A, when: 'a > 0', then: q.X"};
  sample.more = "schema: schema.yaml\ncritical: critical.yaml";
  write("law.yaml", sample.text());
  Schema schema = LawSample::schema();
  schema.file = folder.path() / "schema.yaml";
  const Law law = Law::load(folder.path() / "law.yaml", schema, {}, 20000);
  EXPECT_EQ(law.critical(), (std::vector<std::string>{"q.X"}));
  EXPECT_EQ(law.covered_by("q.X"), (std::vector<std::string>{"q.X", "q.Y"}));
  schema.file = folder.path() / "other.yaml";
  EXPECT_THROW((void)Law::load(folder.path() / "law.yaml", schema, {}, 20000), InputError);
  write("critical.yaml", "critical: 1\nfindings:\n  - {finding: q.W}\n");
  schema.file = folder.path() / "schema.yaml";
  try {
    (void)Law::load(folder.path() / "law.yaml", schema, {}, 20000);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("critical.yaml:3:15"), std::string::npos) << error.what();
  }
}

TEST(Loader, WhatALawTells) {
  LawSample sample;
  sample.engines = {"f", "e"};
  sample.with_default().rules = {"id: A, when: 'a > 0 and e.label == \"p\"', then: q.X, because: 'since {b} and {e.confidence}'"};
  sample.more = "laws: [{id: L, escalate: q, when: 'known(c)'}]";
  const Law law = sample.law();
  EXPECT_EQ(law.columns(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(law.questions(), (std::vector<std::string>{"q"}));
  EXPECT_EQ(law.findings()[0], (std::vector<std::string>{"X", "none"}));
  EXPECT_EQ(law.default_of("q"), "none");
  EXPECT_EQ(law.default_of("z"), "");
  ASSERT_EQ(law.model().records.size(), 3U);
  EXPECT_EQ(law.model().records[0].id, "A");
  EXPECT_EQ(law.model().records[1].id, "L");
  EXPECT_EQ(law.model().records[2].id, "q.default");
  EXPECT_EQ(law.model().engines[0].name, "e");
  EXPECT_EQ(law.model().rules[0].because.size(), 4U);
}

}  // namespace
}  // namespace hiple::law
