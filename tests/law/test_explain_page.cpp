#include <gtest/gtest.h>

#include "law/explain_page.hpp"

namespace hiple::law {
namespace {

TEST(Page, ShortLinesStayAsTheyAre) {
  Page page;
  page.heading("A");
  page.line(2, "b c");
  page.field(2, "d", 4, "e");
  page.heading("F");
  EXPECT_EQ(page.text(), "A\n  b c\n  d   e\n\nF\n");
}

TEST(Page, LongLinesBreakAtBlanks) {
  Page page;
  page.line(2, std::string(60, 'a') + " " + std::string(37, 'b') + " " + std::string(20, 'c'));
  EXPECT_EQ(page.text(), "  " + std::string(60, 'a') + " " + std::string(37, 'b') + "\n    " + std::string(20, 'c') + "\n");
}

TEST(Page, ALabelKeepsItsColumn) {
  Page page;
  page.field(1, "label", 8, std::string(91, 'a') + " b");
  EXPECT_EQ(page.text(), " label   " + std::string(91, 'a') + "\n         b\n");
}

TEST(Page, ALabelNeverRunsIntoTheText) {
  Page page;
  page.field(2, "just four", 9, "FALSE");
  page.field(2, "longer than that", 9, "FALSE");
  EXPECT_EQ(page.text(), "  just four  FALSE\n  longer than that  FALSE\n");
}

TEST(Page, AWordWiderThanThePageIsCut) {
  Page page;
  page.line(0, std::string(150, 'a'));
  EXPECT_EQ(page.text(), std::string(100, 'a') + "\n  " + std::string(50, 'a') + "\n");
}

TEST(Page, AVeryLongLabelTakesItsOwnLine) {
  Page page;
  page.field(2, std::string(90, 'a'), 10, "text");
  EXPECT_EQ(page.text(), "  " + std::string(90, 'a') + "\n      text\n");
}

TEST(Page, CountsCodePointsAndNeverCutsOne) {
  Page page;
  std::string wide;
  for (int i = 0; i < 101; ++i) wide += "\xc3\xbc";
  page.line(0, wide);
  EXPECT_EQ(columns_of(wide), 101U);
  EXPECT_EQ(page.text(), wide.substr(0, 200) + "\n  \xc3\xbc\n");
}

TEST(Page, EmptyTextAndLineBreaks) {
  Page page;
  page.line(2, "");
  page.line(0, "a\nb");
  EXPECT_EQ(page.text(), "\na b\n");
}

}  // namespace
}  // namespace hiple::law
