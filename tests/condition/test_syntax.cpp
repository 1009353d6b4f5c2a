#include <gtest/gtest.h>

#include "condition_sample.hpp"

namespace hiple::condition {
namespace {

std::string canonical(const std::string& text) {
  return print(parse_syntax(text, [](std::size_t offset) { return Place{"x", 1, offset + 1}; }));
}

std::string problem(const std::string& text) {
  try {
    (void)canonical(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Syntax, CanonicalTexts) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"TSH>6[mU/L]and FTI<=65", "TSH > 6 [mU/L] and FTI <= 65"},
      {"  ( a ) ", "a"},
      {"(a and b) and (c and d)", "a and b and c and d"},
      {"a or (b and c)", "a or b and c"},
      {"(a or b) and c", "(a or b) and c"},
      {"not (a and b)", "not (a and b)"},
      {"not a and b", "not a and b"},
      {"not (x < 1)", "not x < 1"},
      {"x in[1,2)", "x in [1, 2)"},
      {"x in ( 1 [K] , y+1 ]", "x in (1 [K], y + 1]"},
      {"x in {1,-2, \"a\"}", "x in {1, -2, \"a\"}"},
      {"(a - b) - c > a - (b - c)", "a - b - c > a - (b - c)"},
      {"(a * b) / (c * d) > -(a + b)", "a * b / (c * d) > -(a + b)"},
      {"a - -1 > - - 2", "a - -1 > 2"},
      {"x>1.50e0", "x > 1.5"},
      {"x > 6.0", "x > 6.0"},
      {"x > 1e300", "x > 1e+300"},
      {R"(e . probability [ "a\"b\\" ]>=.1e0)", ""},
      {R"(e.probability["a\"b\\"] >= 1.0e-1)", R"(e.probability["a\"b\\"] >= 0.1)"},
      {"count( root ,each.label==\"p\")>=2", "count(root, each.label == \"p\") >= 2"},
      {"mean(root.confidence)>.5", ""},
      {"within(x,y,0.5)or agree(p)or known(`air temperature`)", "within(x, y, 0.5) or agree(p) or known(`air temperature`)"},
      {"`plain` > 1 and `in` > 2", "plain > 1 and `in` > 2"},
      {"age > 1 and age(born) > 18 and min > 3", "age > 1 and age(born) > 18 and min > 3"},
      {"a\n  or\tb", "a or b"},
  };
  for (const auto& [text, wanted] : texts) {
    if (wanted.empty()) {
      EXPECT_NE(problem(text), "accepted") << text;
      continue;
    }
    EXPECT_EQ(canonical(text), wanted);
    EXPECT_EQ(canonical(wanted), wanted) << "it is not its own canonical text";
  }
}

TEST(Syntax, ProblemsAndTheirPlaces) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"", "x:1:1: the condition is empty"},
      {"a >", "x:1:4: a value is missing before the end"},
      {"a > 1 b", "x:1:7: there is something after the end"},
      {"a = 1", "x:1:3: = is no operator"},
      {"a > 1 && b", "x:1:7: the character \"&\" cannot stand here"},
      {"a > 'b'", "x:1:5: texts stand in double quotes"},
      {"a > \"b", "x:1:5: a closing \" is missing"},
      {"a < b < c", "x:1:7: comparisons cannot be chained"},
      {"a not in {1}", "x:1:3: `not` cannot stand here"},
      {"a in 5", "x:1:6: a set or an interval is missing"},
      {"a in {b}", "x:1:7: a set holds literals only"},
      {"a in {}", "x:1:7: a value is missing before \"}\""},
      {"(a > 1", "x:1:7: \")\" is missing before the end"},
      {"a > 010", "x:1:5: 010 begins with a zero"},
      {"a > 6mU", "x:1:6: a letter follows the number 6"},
      {"a > 6 [furlong]", "x:1:8: [furlong] is no unit"},
      {"a > 6 [K", "x:1:7: a closing ] is missing"},
      {"a > 1e999", "x:1:5: 1e999 is out of range"},
      {"a > 9007199254740993", "x:1:5: 9007199254740993 is too large"},
      {"a > 1.", "x:1:5: a digit is missing"},
      {"foo(a) > 1", "x:1:1: there is no function foo()"},
      {"cuont(root, a) > 1", "did you mean \"count\"?"},
      {"e.probability >= 1", "x:1:15: the class is missing"},
      {"e.label[\"a\"] == 1", "x:1:1: only .probability takes a class"},
      {"\u00e9 > 1", "x:1:1: the character \"\u00e9\" cannot stand here"},
  };
  for (const auto& [text, wanted] : texts) {
    EXPECT_NE(problem(text).find(wanted), std::string::npos) << text << "\n  " << problem(text);
  }
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST(Syntax, DepthIsBoundedWhateverNests) {
  constexpr std::size_t deep = 100'000;
  for (const std::string& text :
       {repeated("(", deep) + "a" + repeated(")", deep), repeated("not ", deep) + "a", repeated("- ", deep) + "a > 1",
        "a" + repeated(" + a", deep) + " > 1", repeated("count(p, ", deep), repeated("within(", deep),
        repeated("(", 190) + "a" + repeated("+ a)", 190) + repeated(" + a", 190) + " > 1"})
    EXPECT_NE(problem(text).find("nested too deeply"), std::string::npos) << text.substr(0, 40);
}

TEST(Syntax, LongChainsOfAndAndOrAreFlat) {
  const std::string text = "a" + repeated(" and a", 20'000) + repeated(" or a and b", 20'000);
  EXPECT_EQ(canonical(text), text);
}

}  // namespace
}  // namespace hiple::condition
