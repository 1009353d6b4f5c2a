#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/excerpt.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

class Excerpt : public testing::Test {
 protected:
  std::string of(const std::string& content, std::size_t line, std::size_t column) const {
    std::ofstream(file, std::ios::binary) << content;
    return excerpt({file.string(), line, column});
  }
  TemporaryFolder folder;
  std::filesystem::path file = folder.path() / "run.yaml";
};

TEST_F(Excerpt, ShowsTheLineWithACaretUnderTheColumn) {
  EXPECT_EQ(of("a: 1\ntrain: {epoch: 60}\n", 2, 9), "  2 | train: {epoch: 60}\n    |         ^\n");
  EXPECT_EQ(of("a: 1", 1, 5), "  1 | a: 1\n    |     ^\n") << "right behind the last character";
}

TEST_F(Excerpt, CountsCharactersAndNotBytes) {
  EXPECT_EQ(of("größe: x\n", 1, 10), "  1 | größe: x\n    |        ^\n");
  EXPECT_EQ(of("größe: x\n", 1, 8), "  1 | größe: x\n    |      ^\n");
}

TEST_F(Excerpt, ATabOrAControlCharacterIsABlank) { EXPECT_EQ(of("\ta:\x1b[31m b\r\n", 1, 4), "  1 |  a: [31m b\n    |    ^\n"); }

TEST_F(Excerpt, OfALongLineWhatStandsAround) {
  const std::string text = of(std::string(500, 'a') + "b" + std::string(500, 'c'), 1, 501);
  const auto end = text.find('\n');
  ASSERT_NE(end, std::string::npos);
  EXPECT_LT(end, 130U);
  EXPECT_EQ(text[text.find('^') - end - 1], 'b') << text;
  EXPECT_EQ(text.substr(6, 5), "... a");
  EXPECT_EQ(text.substr(end - 5, 5), "c ...");
}

TEST_F(Excerpt, NothingWhereThereIsNothingToShow) {
  EXPECT_EQ(of("a: 1\n", 0, 0), "");
  EXPECT_EQ(of("a: 1\n", 3, 1), "");
  EXPECT_EQ(of("a: 1\n", 1, 6), "");
  EXPECT_EQ(of("a\xff: 1\n", 1, 1), "") << "no UTF-8";
  EXPECT_EQ(of("a\xe2\x82", 1, 1), "") << "cut within a character";
  EXPECT_EQ(excerpt({folder.path().string(), 1, 1}), "") << "a folder";
  EXPECT_EQ(excerpt({(folder.path() / "none").string(), 1, 1}), "");
}

TEST_F(Excerpt, EachProblemHasItsOwnUpToANumber) {
  std::ofstream(file) << "a\nb\n";
  const std::vector<Problem> problems = {{{file.string(), 1, 1}, "first", "", ""}, {{file.string(), 2, 1}, "second", "", ""}};
  const std::string name = file.string();
  EXPECT_EQ(text_with_excerpts(problems), name + ":1:1: first\n  1 | a\n    | ^\n" + name + ":2:1: second\n  2 | b\n    | ^\n");
  EXPECT_EQ(text_with_excerpts(problems, 1), name + ":1:1: first\n  1 | a\n    | ^\n" + name + ":2:1: second\n");
}

}  // namespace
}  // namespace hiple
