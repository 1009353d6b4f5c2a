#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "config/yaml.hpp"

namespace hiple::yaml {
namespace {

using testing::HasSubstr;

/// The message with which a text is refused.
std::string refusal(std::string_view text) {
  try {
    parse(text, "f");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Yaml, KeepsPositionsOfKeysAndValues) {
  const Node root = parse("a: 1\nb:\n  - {c: 'x y', d: [p, q]}\n", "f");
  ASSERT_TRUE(root.is_map());
  EXPECT_EQ(root.entries[0].place.text(), "f:1:1");
  EXPECT_EQ(root.entries[0].value.place.text(), "f:1:4");
  const Node& item = root.entries[1].value.items[0];
  EXPECT_EQ(item.entries[0].key, "c");
  EXPECT_EQ(item.entries[0].place.text(), "f:3:6");
  EXPECT_EQ(item.entries[0].value.text, "x y");
  EXPECT_TRUE(item.entries[0].value.quoted);
  EXPECT_EQ(item.entries[1].value.items[1].place.text(), "f:3:23");
}

TEST(Yaml, PlaceOfACharacterInsideAText) {
  const Node root = parse("plain: a > b\nquoted: 'a > b'\nblock: |\n  a >\n   b\n", "f");
  EXPECT_EQ(root.entries[0].value.place_of(2).text(), "f:1:10");
  EXPECT_EQ(root.entries[1].value.place_of(2).text(), "f:2:12");
  EXPECT_EQ(root.entries[2].value.text, "a >\n b\n");
  EXPECT_EQ(root.entries[2].value.place_of(2).text(), "f:4:5");
  EXPECT_EQ(root.entries[2].value.place_of(5).text(), "f:5:4");
  EXPECT_EQ(root.entries[0].value.place_of(99).text(), "f:1:13");
}

TEST(Yaml, ScalarsStayTexts) {
  const Node root = parse("[010, no, 1_000, .inf, 0x10, ~, \"\"]", "f");
  EXPECT_EQ(root.items[0].text, "010");
  EXPECT_EQ(root.items[1].text, "no");
  EXPECT_EQ(root.items[5].kind, Node::Kind::null);
  EXPECT_TRUE(root.items[6].is_scalar());
}

TEST(Yaml, RefusesDuplicateKeysAllAtOnce) {
  EXPECT_EQ(refusal("a: 1\nb: {c: 1, c: 2}\na: 3\n"),
            "f:2:11: the key \"c\" a second time: it already stands in line 2 (keep one of them)\n"
            "f:3:1: the key \"a\" a second time: it already stands in line 1 (keep one of them)");
}

TEST(Yaml, RefusesWhatIsNoDocument) {
  EXPECT_THAT(refusal(""), HasSubstr("f: the file is empty"));
  EXPECT_THAT(refusal("# nothing\n"), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal("~"), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal("a: 1\n---\nb: 2\n"), HasSubstr("a second document"));
  EXPECT_THAT(refusal("a: [1, 2\nb: 3"), HasSubstr("f:2:"));
  EXPECT_THAT(refusal("a: 'x"), HasSubstr("no YAML"));
  EXPECT_THAT(refusal("a:\n\t- x"), HasSubstr("no YAML"));
  EXPECT_THAT(refusal("? [a, b]\n: 1\n"), HasSubstr("a key that is a sequence"));
  EXPECT_THAT(refusal("a: !!int 3"), HasSubstr("f:1:4: the tag"));
  EXPECT_THAT(refusal("a: \xff"), HasSubstr("f:1: a byte that is no UTF-8"));
  EXPECT_THAT(refusal(std::string("a: b\0", 5)), HasSubstr("no UTF-8"));
  EXPECT_THROW(load("/no/such/file"), InputError);
}

TEST(Yaml, AliasesWorkWithinBounds) {
  const Node root = parse("a: &x {p: 1}\nb: *x\n", "f");
  EXPECT_EQ(root.entries[1].value.entries[0].value.text, "1");
  EXPECT_THAT(refusal("a: *x"), HasSubstr("no YAML"));
  EXPECT_THAT(refusal("a: &x [*x]"), HasSubstr("an alias inside what it stands for"));
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 0; k < 9; ++k) bomb += ", " + before;
    bomb += "]\n";
  }
  EXPECT_THAT(refusal(bomb), HasSubstr("too large"));
}

TEST(Yaml, DeepNestingIsAnErrorNotACrash) {
  EXPECT_THAT(refusal(std::string(100000, '[')), HasSubstr("nested too deeply"));
  std::string dashes;
  for (int i = 0; i < 20000; ++i) dashes += "- ";
  EXPECT_THAT(refusal(dashes + "x"), HasSubstr("nested too deeply"));
  const std::string open(50, '['), closed(50, ']');
  EXPECT_EQ(refusal(open + open + closed + closed), "accepted");
  // What an alias stands for is as deep as if it were written out.
  const std::string stairs = "a: &a " + open + closed + "\nb: &b " + open;
  EXPECT_EQ(refusal(stairs.substr(0, stairs.size() - 1) + "*a" + closed.substr(1)), "accepted");
  EXPECT_THAT(refusal(stairs + "*a" + closed), HasSubstr("f:2:57: the document is nested too deeply"));
}

TEST(Yaml, ManyEqualKeysAreToldInTimeThatGrowsWithThem) {
  std::string twice;
  for (int copy = 0; copy < 2; ++copy)
    for (int i = 0; i < 100'000; ++i) twice += "k" + std::to_string(i) + ": 1\n";
  EXPECT_THAT(refusal(twice), HasSubstr("f:200000:1: the key \"k99999\" a second time: it already stands in line 100000"));
}

TEST(Yaml, Utf8IsChecked) {
  EXPECT_EQ(invalid_utf8("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"), std::nullopt);
  EXPECT_EQ(invalid_utf8("ab\xc3"), 2U);
  EXPECT_EQ(invalid_utf8("\xc0\xaf"), 0U) << "overlong";
  EXPECT_EQ(invalid_utf8("\xed\xa0\x80"), 0U) << "surrogate";
  EXPECT_EQ(invalid_utf8("\xf4\x90\x80\x80"), 0U) << "over U+10FFFF";
  EXPECT_EQ(invalid_utf8("\xe2\x28\xa1"), 0U);
}

}  // namespace
}  // namespace hiple::yaml
