#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "report/chart.hpp"
#include "report/html.hpp"

namespace hiple::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(Html, TextIsNeverMarkup) {
  EXPECT_EQ(Html::text("<b a=\"1\" c='2'>&").markup(), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
  EXPECT_EQ(html("<i title=\"{}\">{}</i>", "\" onload=\"x", "<script>").markup(),
            "<i title=\"&quot; onload=&quot;x\">&lt;script&gt;</i>");
}

TEST(Html, MarkupIsNotEscapedTwice) { EXPECT_EQ(html("<p>{}</p>", html("<b>{}</b>", "&")).markup(), "<p><b>&amp;</b></p>"); }

TEST(Html, BracesInAValueAreText) { EXPECT_EQ(html("{}", "{0} {{script}}").markup(), "{0} {{script}}"); }

TEST(Html, KeepsUtf8AndLinesAndShowsWhatIsNeither) {
  EXPECT_EQ(Html::text("Über\nalle").markup(), "Über\nalle");
  EXPECT_EQ(Html::text(std::string_view("a\0\x1b\xff z", 6)).markup(), "a\\x00\\x1b\\xff z");
}

TEST(Shortened, CountsCharactersNotBytes) {
  EXPECT_EQ(shortened("äöüß", 4), "äöüß");
  EXPECT_EQ(shortened("äöüßx", 4), "äöü…");
  EXPECT_EQ(shortened("", 4), "");
}

TEST(ShareText, SaysNothingThatIsNotSo) {
  EXPECT_EQ(share_text(0, 0), "n/a");
  EXPECT_EQ(share_text(0, 10), "0.00 %");
  EXPECT_EQ(share_text(1, 1000000), "< 0.01 %");
  EXPECT_EQ(share_text(999999, 1000000), "> 99.99 %");
  EXPECT_EQ(share_text(10, 10), "100.00 %");
}

TEST(Table, HeadsItsRowsAndColumns) {
  Ids ids;
  const std::string table =
      table_html(ids, html("what"), {{"name"}, {"n", Column::Kind::number}}, {{{Html::text("a<b")}, count_cell(1234)}}).markup();
  EXPECT_THAT(table, HasSubstr("<th scope=\"col\">name</th>"));
  EXPECT_THAT(table, HasSubstr("<th scope=\"row\">a&lt;b</th>"));
  EXPECT_THAT(table, HasSubstr("<td class=\"number\" data-key=\"1234\">1 234</td>"));
  EXPECT_THAT(table, HasSubstr("<caption id=\"table-1\">what</caption>"));
  EXPECT_THAT(table, Not(HasSubstr("sortable")));
}

TEST(Table, AskedForMoreRowsItCanBeSorted) {
  Ids ids;
  const std::vector<std::vector<Cell>> rows(11, std::vector<Cell>{count_cell(1)});
  EXPECT_THAT(table_html(ids, html("what"), {{"n"}}, rows).markup(), HasSubstr("sortable"));
}

TEST(Chart, WithoutAPointThereIsNone) {
  Ids ids;
  EXPECT_THAT(chart_html(ids, {"t", "d", {"x"}, {"y"}, {}}).markup(), IsEmpty());
  EXPECT_THAT(chart_html(ids, {"t", "d", {"x"}, {"y"}, {{"nothing", Look::solid, {{0.5, std::nan("")}}}}}).markup(), IsEmpty());
  EXPECT_THAT(
      chart_html(ids, {"t", "d", {"x"}, axis_of("y", {0, -1}, true), {{"no logarithm", Look::solid, {{0.5, 0}}}}}).markup(),
      IsEmpty());
  // A line to compare with is nothing of its own.
  EXPECT_THAT(chart_html(ids, {"t", "d", {"x"}, {"y"}, {{"chance", Look::faint, {{0, 0}, {1, 1}}}}}).markup(), IsEmpty());
}

TEST(Chart, PutsPointsWhereTheyBelong) {
  Ids ids;
  const std::string chart =
      chart_html(ids, {"a <title>", "d", {"x", 0, 10}, {"y", 1, 100, true}, {{"s", Look::solid, {{0, 1}, {5, 10}, {10, 100}}}}})
          .markup();
  // From 54 to 328 across, from 182 up to 10.
  EXPECT_THAT(chart, HasSubstr("d=\"M54.0 182.0 L191.0 96.0 L328.0 10.0\""));
  EXPECT_THAT(chart, HasSubstr("<title id=\"chart-1-title\">a &lt;title&gt;</title>"));
}

TEST(Chart, AxisHoldsEveryNumberAndIsNeverEmpty) {
  for (const bool logarithmic : {false, true}) {
    for (const auto& values : std::vector<std::vector<double>>{{}, {3}, {1e-9, 1e9}, {std::nan(""), 2, 2}}) {
      const Axis axis = axis_of("a", values, logarithmic);
      EXPECT_LT(axis.low, axis.high);
      EXPECT_TRUE(!logarithmic || axis.low > 0);
      for (const double value : values) {
        EXPECT_FALSE(value < axis.low);  // nor is what is no number
        EXPECT_FALSE(value > axis.high);
      }
    }
  }
}

TEST(ShareBar, OfNothingThereIsNone) {
  EXPECT_TRUE(share_bar({{"decided", 0}}).empty());
  EXPECT_THAT(
      share_bar({{"decided", 1}, {"abstained", 0}, {"escalated", 3}}).markup(),
      testing::AllOf(HasSubstr("class=\"escalated\" x=\"250.00\" y=\"0\" width=\"750.00\""), Not(HasSubstr("abstained"))));
}

}  // namespace
}  // namespace hiple::report
