#include <gtest/gtest.h>

#include "audit/comments.hpp"
#include "audit/format.hpp"
#include "audit_sample.hpp"
#include "base/error.hpp"

namespace hiple::audit {
namespace {

std::string format(const std::string& text) { return format_law(text, "law.yaml").text; }

TEST(Format, OneFormForEveryOrderAndLayout) {
  const std::string one = R"y(name: s
law: 1
rules:
  - {then: q.b, id: B, when: "not (x>6)   or ( (on) )", status: accepted, version: 2, panel: root}
  - id: A
    when: 'x in [1,2.0) and kind in {"red",  "blue"}'
    title: it's a title
    then: q.a
    overrides: [D, C]
questions:
- {default: none, findings: [none, b, a], name: q}
links: [{id: X, from: e, to: f, when: "x > 1", eager: false}]
route: {max_rounds: 3, home: [{engines: [f, e]}]}
)y";
  const std::string wanted = R"y(law: 1
name: s

questions:
  - {name: q, findings: [a, b, none], default: none}

rules:
  - id: A
    title: "it's a title"
    when: 'x in [1, 2.0) and kind in {"red", "blue"}'
    then: q.a
    overrides: [C, D]
  - id: B
    when: 'not x > 6 or on'
    then: q.b
    version: 2

links:
  - id: X
    from: e
    to: f
    when: 'x > 1'

route:
  home:
    - {engines: [e, f]}
  max_rounds: 3
)y";
  EXPECT_EQ(format(one), wanted);
  EXPECT_EQ(format(wanted), wanted);
}

TEST(Format, CommentsStayWithWhatTheyStandAt) {
  const std::string text = R"y(# the whole law
law: 1 # the version
name: "a # in a text"
questions: [{name: q, findings: [a, b]}]
rules:
  # of B
  - {id: B, when: 'x > 1', then: q.b}   # behind B
  # ---- A ----
  # of A
  - id: A
    # why
    when: 'x < 1' # behind
    then: q.a
# the end
)y";
  const std::string wanted = R"y(# the whole law
law: 1 # the version
name: "a # in a text"

questions:
  - {name: q, findings: [a, b]}

rules:
  # ---- A ----
  # of A
  - id: A
    # why
    when: 'x < 1' # behind
    then: q.a
  # of B
  - id: B # behind B
    when: 'x > 1'
    then: q.b
# the end
)y";
  const Formatted formatted = format_law(text, "law.yaml");
  EXPECT_EQ(formatted.text, wanted);
  EXPECT_TRUE(formatted.lost_comments.empty());
  EXPECT_EQ(format(wanted), wanted);
}

TEST(Format, LongConditionsAreBrokenAndReadTheSame) {
  std::string condition = "x > 1";
  for (int i = 0; i < 40; ++i) condition += " and kind != \"a and b\"";
  const std::string text = "law: 1\nrules:\n  - {id: A, when: '" + condition + "', then: q.a}\n";
  const std::string formatted = format(text);
  std::size_t begin = 0;
  while (begin < formatted.size()) {
    const std::size_t end = formatted.find('\n', begin);
    EXPECT_LE(end - begin, 121U);
    begin = end + 1;
  }
  EXPECT_EQ(format(formatted), formatted);
}

TEST(Format, TheHashStaysTheSame) {
  const std::string rest =
      "rules:\n  - {then: q.b, when: 'x>6', id: B, because: \"x {x}\\n\", tests: {fires: [{x: 7.0, on: true}]}}\n"
      "  - {id: A, when: 'not (x > 6)', then: q.a, version: 3, evidence: [{source: '12', supports: true}]}\n";
  const law::Law law = sample_law(rest);
  const std::string text = format("law: 1\nname: sample\nquestions: [{name: q, findings: [none, a, b]}]\n" + rest);
  const std::string head = "law: 1\nname: sample\n\nquestions:\n  - {name: q, findings: [a, b, none]}\n\n";
  ASSERT_EQ(text.substr(0, head.size()), head);
  EXPECT_EQ(sample_law(text.substr(head.size())).sha256(), law.sha256());
}

TEST(Format, RefusesWhatIsNoLaw) {
  EXPECT_THROW(format("[1, 2]"), InputError);
  EXPECT_THROW(format("law: 1\nrules: [{id: A, when: 'x >', then: q.a}]"), InputError);
}

TEST(Comments, AreNotLookedForInsideTexts) {
  const SourceNotes notes = notes_of("a: 'x # y' # one\nb: \"\\\" # n\" \nc: it's # two\nd: |\n  # no\ne: [&x 1, *x]\nf#g: 1\n");
  std::vector<std::string> texts;
  for (const Comment& comment : notes.comments) texts.push_back(comment.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"# one", "# two"}));
  EXPECT_TRUE(notes.aliases);
  EXPECT_FALSE(notes_of("a: b & c\n").aliases);
}

}  // namespace
}  // namespace hiple::audit
