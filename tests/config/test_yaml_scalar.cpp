#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/yaml.hpp"

namespace hiple::yaml {
namespace {

using testing::HasSubstr;

/// The one problem of reading `text` by `read`.
template <class Read>
std::string problem(const std::string& text, Read read) {
  const Node root = parse("k: " + text, "f");
  Problems problems;
  if (read(root.entries[0].value, "k", problems)) return "accepted";
  EXPECT_EQ(problems.list().size(), 1U) << text;
  return problems.list()[0].text();
}

template <class Read>
auto value(const std::string& text, Read read) {
  const Node root = parse("k: " + text, "f");
  Problems problems;
  const auto result = read(root.entries[0].value, "k", problems);
  EXPECT_TRUE(problems.empty()) << text;
  return result;
}

TEST(YamlScalar, NumbersAreStrict) {
  EXPECT_EQ(value("-12", as_integer), -12);
  EXPECT_EQ(value("0", as_integer), 0);
  EXPECT_EQ(value("1e-3", as_real), 1e-3);
  EXPECT_EQ(value("0.5", as_real), 0.5);
  EXPECT_EQ(problem("010", as_integer),
            "f:1:4: k must be a whole number: found \"010\" (write it without the leading zero, which some read as octal)");
  EXPECT_THAT(problem("010", as_real), HasSubstr("leading zero"));
  EXPECT_THAT(problem("-00.5", as_real), HasSubstr("leading zero"));
  EXPECT_THAT(problem("1_000", as_integer), HasSubstr("without \"_\""));
  EXPECT_THAT(problem("0x10", as_integer), HasSubstr("decimal number"));
  EXPECT_THAT(problem("1e3", as_integer), HasSubstr("without point or exponent"));
  EXPECT_THAT(problem("+5", as_integer), HasSubstr("without \"+\""));
  EXPECT_THAT(problem("1,5", as_real), HasSubstr("decimal point"));
  EXPECT_THAT(problem("\"5\"", as_integer), HasSubstr("remove the quotes"));
  EXPECT_THAT(problem("99999999999999999999", as_integer), HasSubstr("whole number"));
  EXPECT_THAT(problem("[1]", as_integer), HasSubstr("found a sequence"));
  for (const char* text : {".inf", "-.inf", ".nan", "nan", "inf"})
    EXPECT_THAT(problem(text, as_real), HasSubstr("finite")) << text;
}

TEST(YamlScalar, BooleansAreTrueAndFalse) {
  EXPECT_EQ(value("true", as_boolean), true);
  EXPECT_EQ(value("false", as_boolean), false);
  for (const char* text : {"yes", "y", "on", "True", "1"})
    EXPECT_THAT(problem(text, as_boolean), HasSubstr("(write true)")) << text;
  for (const char* text : {"no", "n", "off", "FALSE", "0"})
    EXPECT_THAT(problem(text, as_boolean), HasSubstr("(write false)")) << text;
}

TEST(YamlScalar, TextsAndLists) {
  EXPECT_EQ(value("no", as_text), "no");
  EXPECT_THAT(problem("null", as_text), HasSubstr("found nothing"));
  EXPECT_THAT(problem("{a: b}", as_text), HasSubstr("found a map"));
  EXPECT_EQ(value("[1984, 'a b']", as_texts), (std::vector<std::string>{"1984", "a b"}));
  EXPECT_EQ(value("[]", as_texts), std::vector<std::string>{});
  EXPECT_THAT(problem("a", as_texts), HasSubstr("(write [a])"));
  EXPECT_THAT(problem("[a, [b]]", as_texts), HasSubstr("f:1:8: an entry of k"));
}

TEST(MapReader, ReadsAndRemembers) {
  const Node root = parse("name: x\nsize: 7\nrate: 0.5\non: true\nkind: b\nwait: 1.5h\nlist: [p]\n", "f");
  Problems problems;
  MapReader map(root, "thing", problems);
  EXPECT_EQ(map.text("name"), "x");
  EXPECT_EQ(map.integer("size", 0, 7), 7);
  EXPECT_EQ(map.real("rate", 0, 1), 0.5);
  EXPECT_TRUE(map.boolean("on"));
  EXPECT_EQ(map.choice("kind", {"a", "b"}), "b");
  EXPECT_EQ(map.duration("wait"), 5400);
  EXPECT_EQ(map.texts("list"), std::vector<std::string>{"p"});
  EXPECT_EQ(map.integer("other", 0, 9, 3), 3);
  map.finish();
  EXPECT_TRUE(problems.empty());
}

TEST(MapReader, GathersEveryProblemWithItsPlace) {
  const Node root = parse("nmae: x\nsize: 8\nrate: .nan\nkind: aa\nwait: 90\n", "f");
  Problems problems;
  MapReader map(root, "thing", problems);
  map.text("name");
  map.integer("size", 0, 7);
  map.real("rate", 0, 1);
  map.choice("kind", {"ab", "c"});
  map.duration("wait");
  map.finish();
  std::vector<std::string> texts;
  for (const Problem& problem : problems.list()) texts.push_back(problem.text());
  ASSERT_EQ(texts.size(), 6U);
  EXPECT_EQ(texts[0], "f:1:1: thing lacks the key \"name\" (add it)");
  EXPECT_EQ(texts[1], "f:2:7: \"size\" of thing is 8: it must be from 0 to 7");
  EXPECT_THAT(texts[2], HasSubstr("f:3:7: \"rate\" of thing must be a number"));
  EXPECT_EQ(texts[3], "f:4:7: \"kind\" of thing is \"aa\": accepted: ab, c (did you mean \"ab\"?)");
  EXPECT_THAT(texts[4], HasSubstr("f:5:7: \"wait\" of thing must be a duration"));
  EXPECT_EQ(texts[5], "f:1:1: unknown key \"nmae\" in thing (did you mean \"name\"?)");
}

TEST(MapReader, WhatIsTooLargeIsToldSo) {
  const Node root = parse("size: 99999999999999999999\nwait: 1e300d\nlong: 10000d\n", "f");
  Problems problems;
  MapReader map(root, "thing", problems);
  map.integer("size", 0, 7);
  map.duration("wait");
  EXPECT_EQ(map.duration("long"), 864e6);
  ASSERT_EQ(problems.list().size(), 2U);
  EXPECT_THAT(problems.list()[0].text(), HasSubstr("it is too large: the largest is 9223372036854775807"));
  EXPECT_THAT(problems.list()[1].text(), HasSubstr("f:2:7: \"wait\" of thing must be a duration"));
}

TEST(MapReader, ACharacterOfValueZeroIsRefused) {
  try {
    (void)parse("output: \"a\\0b\"\n", "f");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("f:1:9: a character of value zero"));
  }
}

TEST(MapReader, NoMapIsOneProblem) {
  const Node root = parse("[a]", "f");
  Problems problems;
  MapReader map(root, "thing", problems);
  EXPECT_EQ(map.text("name"), "");
  EXPECT_EQ(map.require("more"), nullptr);
  map.finish();
  ASSERT_EQ(problems.list().size(), 1U);
  EXPECT_EQ(problems.list()[0].text(), "f:1:1: thing must be a map: found a sequence (write key: value)");
}

}  // namespace
}  // namespace hiple::yaml
