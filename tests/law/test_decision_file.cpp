#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "h5/h5.hpp"
#include "law/decision.hpp"
#include "law/sample_decisions.hpp"
#include "temporary_folder.hpp"

namespace hiple::law {
namespace {

using ::testing::HasSubstr;

class DecisionFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "decisions.h5"; }

  /// Writes `decisions` with their right root.
  void write(Decisions decisions) const {
    decisions.root = root_hash(decisions);
    write_decisions(path(), decisions);
  }

  /// Writes a file whose content `change` has altered after the root was taken, as damage or malice would.
  template <class T>
  void write_with(const std::string& data_set, const std::vector<T>& values, std::size_t columns) const {
    write(sample_decisions(3));
    const h5::Reader original(path(), "hiple decisions", 3);
    h5::Writer copy(folder_.path() / "copy.h5", "hiple decisions", 3);
    for (const char* name : {"status", "reason", "flags"}) replace<std::uint8_t>(original, copy, name, data_set, values, columns);
    replace<std::uint16_t>(original, copy, "finding", data_set, values, columns);
    replace<std::uint32_t>(original, copy, "rule", data_set, values, columns);
    for (const char* name : {"case_id", "consulted"}) replace<std::uint64_t>(original, copy, name, data_set, values, columns);
    replace<std::uint8_t>(original, copy, "rounds", data_set, values, columns);
    replace<std::uint8_t>(original, copy, "engines/available", data_set, values, columns);
    replace<std::int64_t>(original, copy, "law/rules/version", data_set, values, columns);
    for (const char* name : {"questions", "findings/binding", "findings/state", "law/text", "law/rules/id", "law/rules/sha256",
                             "engines/name", "engines/reason", "engines/sha256"}) {
      copy.write(name, original.read_texts(name));
    }
    for (const char* name : {"root", "inputs_sha256"}) copy.attribute("/", name, original.attribute_text("/", name));
    copy.attribute<std::uint64_t>("/", "cases", 3);
    copy.finish();
    std::filesystem::rename(folder_.path() / "copy.h5", path());
  }

  [[nodiscard]] std::string refusal() const {
    try {
      (void)read_decisions(path());
    } catch (const InputError& error) {
      return error.what();
    }
    return "read";
  }

 private:
  template <class T, class U>
  static void replace(const h5::Reader& original, h5::Writer& copy, const std::string& name, const std::string& data_set,
                      const std::vector<U>& values, std::size_t columns) {
    std::vector<T> content = original.read<T>(name);
    const auto shape = original.shape(name);
    std::size_t width = shape.size() == 2 ? shape[1] : 0;
    if constexpr (std::is_same_v<T, U>) {
      if (name == data_set) {
        content = values;
        width = columns;
      }
    }
    if (width == 0) copy.write<T>(name, content);
    if (width != 0) copy.write<T>(name, content, width);
  }

  TemporaryFolder folder_;
};

TEST_F(DecisionFile, ComesBackAsItWas) {
  Decisions decisions = sample_decisions(100);
  decisions.root = root_hash(decisions);
  write_decisions(path(), decisions);
  const Decisions back = read_decisions(path());
  EXPECT_EQ(back.questions, decisions.questions);
  EXPECT_EQ(back.findings, decisions.findings);
  EXPECT_EQ(back.case_id, decisions.case_id);
  EXPECT_EQ(back.decisions, decisions.decisions);
  EXPECT_EQ(back.rounds, decisions.rounds);
  EXPECT_EQ(back.consulted, decisions.consulted);
  EXPECT_EQ(back.law_text, decisions.law_text);
  EXPECT_EQ(back.inputs_sha256, decisions.inputs_sha256);
  EXPECT_EQ(back.root, decisions.root);
  ASSERT_EQ(back.rules.size(), 3U);
  EXPECT_EQ(back.rules[1].id, "F-1");
  EXPECT_EQ(back.rules[1].version, 3);
  EXPECT_EQ(back.rules[1].sha256, std::string(64, 'b'));
  ASSERT_EQ(back.engines.size(), 2U);
  EXPECT_TRUE(back.engines[0].available);
  EXPECT_FALSE(back.engines[1].available);
  EXPECT_EQ(back.engines[1].reason, "out of memory: \xc3\xbc");
}

TEST_F(DecisionFile, OfNoCase) {
  write(sample_decisions(0));
  EXPECT_EQ(read_decisions(path()).cases(), 0U);
}

TEST_F(DecisionFile, OfALawWithoutEnginesAndRules) {
  Decisions decisions = sample_decisions(4);
  decisions.engines.clear();
  decisions.consulted.clear();
  decisions.rules.clear();
  for (Decision& decision : decisions.decisions) decision.rule = no_rule_index;
  write(decisions);
  EXPECT_EQ(read_decisions(path()).decisions, decisions.decisions);
}

TEST_F(DecisionFile, OfManyEngines) {
  Decisions decisions = sample_decisions(2);
  decisions.engines.clear();
  for (int i = 100; i < 230; ++i) decisions.engines.push_back({"e" + std::to_string(i), true, "", ""});
  decisions.consulted = {1, 0, 3, 0, 1, 0};
  write(decisions);
  EXPECT_EQ(read_decisions(path()).consulted, decisions.consulted);
  decisions.consulted[2] = 4;  // engine 130 of 130
  write(decisions);
  EXPECT_THAT(refusal(), HasSubstr("an engine that is not listed"));
}

TEST_F(DecisionFile, IsNotWrittenWithoutARoot) {
  const Decisions decisions = sample_decisions(3);
  EXPECT_THROW(write_decisions(path(), decisions), Error);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(DecisionFile, IsNotReadWithAWrongRoot) {
  Decisions decisions = sample_decisions(3);
  decisions.root = std::string(64, '0');
  write_decisions(path(), decisions);
  EXPECT_THAT(refusal(), HasSubstr("root"));
}

TEST_F(DecisionFile, WithoutChangeIsTaken) {
  write_with<float>("", {}, 0);
  EXPECT_EQ(refusal(), "read");
}

TEST_F(DecisionFile, DamageIsRefused) {
  write_with<std::uint8_t>("status", {0, 1, 1, 2, 1, 3}, 2);
  EXPECT_THAT(refusal(), HasSubstr("status"));
  write_with<std::uint8_t>("reason", {0, 1, 1, 8, 2, 3}, 2);
  EXPECT_THAT(refusal(), HasSubstr("reason"));
  write_with<std::uint8_t>("flags", {0, 0, 0, 64, 0, 0}, 2);
  EXPECT_THAT(refusal(), HasSubstr("flags"));
  write_with<std::uint16_t>("finding", {2, no_index, no_index, no_index, no_index, no_index}, 2);
  EXPECT_THAT(refusal(), HasSubstr("finding"));
  write_with<std::uint32_t>("rule", {0, 0, 1, 3, 2, 2}, 2);
  EXPECT_THAT(refusal(), HasSubstr("rule"));
  write_with<std::uint32_t>("rule", {0, 0, 1, 1, 2, 2}, 1);
  EXPECT_THAT(refusal(), HasSubstr("shape"));
  write_with<std::uint64_t>("case_id", {0, 22, 11}, 0);
  EXPECT_THAT(refusal(), HasSubstr("ascending"));
  write_with<std::uint64_t>("case_id", {0, 11}, 0);
  EXPECT_THAT(refusal(), HasSubstr("2 of 3 cases"));
  write_with<std::uint64_t>("consulted", {0, 1, 4}, 1);
  EXPECT_THAT(refusal(), HasSubstr("not listed"));
  write_with<std::uint8_t>("engines/available", {0, 2}, 0);
  EXPECT_THAT(refusal(), HasSubstr("engines/available"));
}

TEST_F(DecisionFile, ContentThatTheRootDoesNotFitIsRefused) {
  write_with<std::uint8_t>("rounds", {0, 1, 3}, 0);
  EXPECT_THAT(refusal(), HasSubstr("root"));
  write_with<std::int64_t>("law/rules/version", {1, 2, 1}, 0);
  EXPECT_THAT(refusal(), HasSubstr("root"));
}

TEST_F(DecisionFile, AnOlderFormIsRefused) {
  h5::Writer(path(), "hiple decisions", 1).finish();
  EXPECT_THAT(refusal(), HasSubstr("older form"));
}

TEST_F(DecisionFile, TruncationIsRefused) {
  write(sample_decisions(100));
  std::filesystem::resize_file(path(), std::filesystem::file_size(path()) - 100);
  EXPECT_THAT(refusal(), HasSubstr(path().string()));
}

TEST_F(DecisionFile, QuestionsThatCannotBeNamesAreRefused) {
  Decisions decisions = sample_decisions(1);
  decisions.questions[0] = "a/b";
  decisions.root = root_hash(decisions);
  EXPECT_THROW(write_decisions(path(), decisions), Error);
  decisions = sample_decisions(1);
  decisions.questions.clear();
  EXPECT_THROW(write_decisions(path(), decisions), Error);
}

}  // namespace
}  // namespace hiple::law
