#include <gtest/gtest.h>

#include "base/command.hpp"
#include "submit/shell.hpp"

namespace hiple::submit {
namespace {

TEST(ShellWord, PlainWordsStayAsTheyAre) {
  EXPECT_EQ(shell_word("/srv/run-1/a_b.yaml"), "/srv/run-1/a_b.yaml");
  EXPECT_EQ(shell_word("two words"), "'two words'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(ShellWord, AShellReadsItBackAsItWas) {
  for (const char* text : {"", " ", "it's", "a \"b\" c", "$(touch x)", "`id`", "a\nb", "-n", "*", "~", "a;b&c|d>e<f", "\\", "!",
                           "#", "''", "'\"'\"'", "\xC3\xA4 \xE2\x82\xAC", "{a,b}", "a=b"}) {
    const auto result = run_command({"bash", "-c", "printf %s " + shell_word(text)});
    EXPECT_EQ(result.status, 0) << text;
    EXPECT_EQ(result.output, text);
  }
}

TEST(OutputPath, APercentSignStandsForItself) { EXPECT_EQ(output_path("/a/100 %j/"), "/a/100 %%j/"); }

TEST(Plain, WhatSbatchReadsWithoutQuotes) {
  for (const char* text : {"main", "gpu,cpu", "a100&nvlink", "proj:x@y", "[rack1|rack2]", "2G"})
    EXPECT_TRUE(is_plain(text)) << text;
  for (const char* text : {"", "a b", "a'b", "a\"b", "a#b", "a\\b", "a$b", "a\nb", "a;b", "\xC3\xA4"})
    EXPECT_FALSE(is_plain(text)) << text;
}

}  // namespace
}  // namespace hiple::submit
