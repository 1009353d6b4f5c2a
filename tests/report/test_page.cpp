#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "report/page.hpp"

namespace hiple::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string hostile = "<img src=x onerror=\"alert('1')\">&{{script}}\xff\x01 Ω";

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

/// What tags and attributes a page is made of is its own alone: every id once, every link to one of them, nothing loaded.
void expect_sound(const std::string& page) {
  std::set<std::string> ids;
  const std::regex id(" id=\"([^\"]*)\""), link("href=\"#([^\"]*)\""), refers("aria-labelledby=\"([^\"]*)\"");
  const auto each = [&](const std::regex& pattern, const auto& use) {
    for (std::sregex_iterator at(page.begin(), page.end(), pattern), end; at != end; ++at) use((*at)[1].str());
  };
  each(id, [&](const std::string& name) { EXPECT_TRUE(ids.insert(name).second) << "twice: " << name; });
  each(link, [&](const std::string& name) { EXPECT_TRUE(ids.count(name) == 1) << "no such id: " << name; });
  each(refers, [&](const std::string& names) {
    std::istringstream words(names);
    for (std::string name; words >> name;) EXPECT_TRUE(ids.count(name) == 1) << "no such id: " << name;
  });
  for (const char* load : {"http://", "https://", "@import"}) EXPECT_EQ(count(page, load), 0U) << load;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const std::string tag = page.substr(at, page.find('>', at) - at);
    EXPECT_EQ(count(tag, " src=") + count(tag, "xlink:href="), 0U) << tag;
  }
}

Picture with_engines(std::size_t number, const std::string& name) {
  Picture picture;
  picture.name = name;
  picture.state = "complete";
  for (std::size_t i = 0; i < number; ++i) {
    EnginePicture& engine = picture.engines.emplace_back();
    engine.line.name = name + std::to_string(i);
    engine.line.available = true;
    engine.line.accuracy = 0.5;
    engine.line.balanced_accuracy = static_cast<double>(i) / static_cast<double>(number);
    engine.line.seconds = 1;
    engine.domain = engine.target = name;
    engine.state = "done";
    engine.curve = {{1, 0.5, 0.6}, {10, 0.1, 0.2}};
  }
  picture.answers.missing = picture.law.missing = picture.cases.missing = picture.gates.missing = picture.time.missing =
      picture.mpi.missing = picture.certificate.missing = picture.revisions.missing = "because of " + name;
  return picture;
}

TEST(Page, OfARunThatHasNothingSaysSoOfEveryPart) {
  Picture picture;
  picture.name = "empty";
  picture.state = "failed";
  picture.reason = "no memory";
  picture.answers.missing = picture.law.missing = picture.cases.missing = picture.gates.missing = picture.time.missing =
      picture.mpi.missing = picture.certificate.missing = picture.revisions.missing = "It failed.";
  const std::string text = page(picture);
  expect_sound(text);
  for (const char* what :
       {"decisions", "gates", "boundaries", "engines", "the time line of the ranks", "rank-seconds", "the certificate",
        "the ledger of MPI", "what rules and laws did", "what evidence says", "decisions to browse"})
    EXPECT_THAT(text, HasSubstr(std::string("<strong>Not here: ") + what + ".</strong>"));
  EXPECT_THAT(text, HasSubstr("no memory"));
  EXPECT_THAT(text, Not(HasSubstr("class=\"chart\"")));
}

TEST(Page, HostileNamesAreText) {
  Picture picture = with_engines(2, hostile);
  Answers& answers = picture.answers.content.emplace();
  answers.cases = 3;
  QuestionAnswers& question = answers.questions.emplace_back();
  question.question = hostile;
  question.outcomes.decided = 3;
  question.decided = {{hostile, 3, true}};
  picture.law.content = {3, 3, {{hostile, hostile, "rule", hostile, "accepted", 1, 2, 1, 0}}, {{hostile, 2}}};
  picture.time.content = {{{0, hostile, {{0, 1, Doing::training, hostile}}}}, hostile};
  picture.certificate.content = {hostile, {hostile}};
  picture.closed = {hostile};
  picture.provenance = {{hostile, hostile}};
  picture.summary = hostile;
  RevisionsPicture& revisions = picture.revisions.content.emplace();
  revisions.steps = {{2, 1, hostile, hostile, hostile, {hostile}, 10, 4, 3}};
  revisions.answers = {{7, hostile, hostile, hostile, hostile, true}};
  revisions.differ = 3;
  revisions.verdicts = {{hostile, hostile, hostile, "CONTRADICTED", hostile, 1, 0.9, 50, 10, 0.1, 0.4}};
  const std::string text = page(picture);
  expect_sound(text);
  EXPECT_EQ(count(text, "<img"), 0U);
  EXPECT_EQ(count(text, "alert('1')"), 0U);
  EXPECT_GT(count(text, "&amp;{{script}}"), 10U) << "what stands in a value is not filled in";
  EXPECT_EQ(count(text, "<script"), 1U);
}

TEST(Page, RevisionsAreTableAndSentence) {
  Picture picture = with_engines(1, "e");
  RevisionsPicture& revisions = picture.revisions.content.emplace();
  revisions.cases = 60;
  revisions.verdicts = {{"X-1", "x.high", "", "CONTRADICTED", "", 1, 0.9, 50, 10, 0.1, 0.4},
                        {"X-2", "x.low", "a study", "SUPPORTED", "", 3, 0.9, 70, 70, 0.93, 1}};
  EXPECT_THAT(page(picture), AllOf(HasSubstr("No revision is in force"), Not(HasSubstr("answers differ"))));
  revisions.steps = {{1, 0, "2026-03-01", "threshold", "a > 0.5", {"X-1"}, 600, 40, 30}};
  revisions.answers = {{17, "replaced", "x", "high by X-1@1", "none", true}};
  revisions.kept = 570;
  revisions.differ = 30;
  const std::string text = page(picture);
  expect_sound(text);
  EXPECT_THAT(text,
              AllOf(HasSubstr("10 of 50"), HasSubstr("CONTRADICTED"), HasSubstr("a study"), HasSubstr("60 cases with evidence"),
                    HasSubstr("a &gt; 0.5"), HasSubstr("1 of 30 answers that differ"), HasSubstr("high by X-1@1")));
}

TEST(Page, OneEngineIsShownAsItIs) {
  const std::string text = page(with_engines(1, "only"));
  expect_sound(text);
  EXPECT_EQ(count(text, "class=\"engine\""), 1U);
  EXPECT_EQ(count(text, "<details><summary>Curves"), 0U);
  EXPECT_THAT(text, HasSubstr("Losses of 2 moments"));
}

TEST(Page, OfManyEnginesTheWorstComeFirstAndTheOthersAreFolded) {
  Picture picture = with_engines(300, "e");
  picture.engines[123].line.available = false;
  picture.engines[123].state = "failed";
  picture.engines[123].line.reason = "killed";
  const std::string text = page(picture);
  expect_sound(text);
  const std::size_t fold = text.find("Curves of the other 288 engines");
  ASSERT_NE(fold, std::string::npos);
  EXPECT_EQ(count(text, "class=\"engine\""), 300U);
  EXPECT_EQ(count(text.substr(0, fold), "class=\"engine\""), 12U);
  const std::size_t cards = text.find("<div class=\"engines\">"), failed = text.find(">e123<", cards),
                    worst = text.find(">e0<", cards);
  EXPECT_LT(failed, worst);
  EXPECT_LT(worst, fold);
  EXPECT_GT(text.find(">e299<", cards), fold);
}

TEST(Page, LongNamesAreNotCutWhereTheyAreNamed) {
  const std::string name(300, 'n');
  const std::string text = page(with_engines(1, name));
  EXPECT_THAT(text, HasSubstr("<bdi class=\"name\">" + name + "0</bdi>"));
}

TEST(Page, AThousandRanksAreDrawnTogether) {
  Picture picture = with_engines(1, "e");
  TimeLine& time = picture.time.content.emplace();
  for (int rank = 0; rank < 1000; ++rank)
    time.ranks.push_back({rank, "host", {{0, 1, Doing::other, ""}, {1, 2.0 + rank, Doing::training, "e"}}});
  const std::string text = page(picture);
  expect_sound(text);
  EXPECT_THAT(text, AllOf(HasSubstr("What 1000 ranks did over time"), HasSubstr("The 8 ranks that trained longest, of 1000")));
  EXPECT_LT(count(text, "<rect class=\"training\""), 20U);
  EXPECT_LT(text.find("rank 999"), text.find("rank 998"));
}

TEST(Page, FewRanksAreDrawnOneByOne) {
  Picture picture = with_engines(1, "e");
  picture.time.content = {{{0, "h", {{0, 1, Doing::training, "e"}, {1, 4, Doing::waiting, ""}}}}, ""};
  const std::string text = page(picture);
  EXPECT_THAT(
      text,
      AllOf(HasSubstr(
                "<rect class=\"training\" x=\"0.00\" y=\"0\" width=\"250.00\" height=\"14\"><title>training e, 1.0 s</title>"),
            HasSubstr("<rect class=\"waiting\" x=\"250.00\" y=\"0\" width=\"750.00\"")));
}

TEST(Page, TellsACaseWithItsGraph) {
  Picture picture = with_engines(1, "e");
  const std::string derivation = R"({"case": 7, "inputs": {"a<b": {"value": 1.5, "unit": "mm"}, "c": {"value": null}},
    "rounds": [{"consulted": ["e0"], "added": [], "links": []}], "judgments": {"e0": {"state": "judged", "label": "<x>",
    "confidence": 0.5, "typicality": 0.25}},
    "questions": [{"question": "q", "status": "escalate", "reason": "blocked", "firm": false, "critical": true, "causes": ["c is missing"],
    "to": ["the <ward>"], "rests_on": [{"id": "L-1", "version": 1}], "rules": [{"id": "R-1", "version": 1, "finding": "q.f", "fate": "blocked",
    "when": "UNKNOWN", "stands": "UNKNOWN", "text": "is blocked", "condition": {"truth": "UNKNOWN", "text": "c < 1", "values": {"c": "missing"}}}],
    "laws": [{"id": "L-1", "truth": "TRUE", "text": "applies", "condition": {"truth": "TRUE", "text": "a < 1", "values": {}}}],
    "settled_by": null}]})";
  const std::string graph =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE svg PUBLIC \"x\" \"http://www.w3.org/x.dtd\">\n<svg width=\"10pt\" height=\"20pt\"\n "
      "viewBox=\"0 0 10 20\" xmlns=\"http://www.w3.org/2000/svg\"><!-- a --><g id=\"node1\" class=\"node\"><title>t</title><path "
      "fill=\"#c7e9c0\"/></g></svg>\n";
  picture.cases.content = {{{"critical", 2, 9}}, {{7, "critical", derivation, graph}, {8, "critical", derivation, graph}}, ""};
  const std::string text = page(picture);
  expect_sound(text);
  EXPECT_THAT(text,
              AllOf(HasSubstr("id=\"case-7\""), HasSubstr("ESCALATE"), HasSubstr("the &lt;ward&gt;"), HasSubstr("&lt;x&gt;"),
                    HasSubstr("a&lt;b"), HasSubstr("What is not known: c is missing"), HasSubstr("UNKNOWN")));
  EXPECT_THAT(text, AllOf(HasSubstr("viewBox=\"0 0 10 20\""), HasSubstr("width=\"10pt\""), HasSubstr("<g class=\"node\"><path")));
  EXPECT_LT(text.find("Because of"), text.find("law <bdi class=\"name\">L-1"));
}

TEST(Page, LetsOnlyItsOwnScriptRun) {
  const std::string text = page(with_engines(1, "e"));
  std::smatch found;
  ASSERT_TRUE(std::regex_search(text, found, std::regex("script-src 'sha256-([A-Za-z0-9+/]{43}=)'")));
}

}  // namespace
}  // namespace hiple::report
