// The examples of docs/law.md are laws, not pictures of laws.
#include <gtest/gtest.h>

#include <regex>

#include "base/error.hpp"
#include "base/file.hpp"
#include "condition/condition.hpp"
#include "law/law.hpp"
#include "temporary_folder.hpp"

namespace hiple::law {
namespace {

std::string page() { return read_file(std::filesystem::path(HIPLE_SOURCE_DIR) / "docs/law.md"); }

/// The `number`-th block of YAML, from 0.
std::string block(std::size_t number) {
  const std::string text = page(), fence = "```yaml\n";
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= number; ++i) begin = text.find(fence, begin) + fence.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

ColumnSchema column(const std::string& name, ColumnType type, const std::string& unit = {}) {
  ColumnSchema schema;
  schema.name = name;
  schema.type = type;
  schema.unit = unit;
  return schema;
}

TEST(Docs, TheLawInAPageIsALaw) {
  const TemporaryFolder folder;
  write_file(folder.path() / "law.yaml", block(0));
  write_file(folder.path() / "critical.yaml", block(1));
  Schema schema;
  schema.columns = {column("TSH", ColumnType::real, "mU/L"), column("FTI", ColumnType::real),
                    column("T3", ColumnType::real, "nmol/L"), column("on_thyroxine", ColumnType::boolean)};
  const std::vector<EngineDescription> engines = {{"hypo", {"none", "F", "G"}}, {"hyper", {"none", "A"}}, {"nti", {"none", "K"}}};
  const Law law = Law::load(folder.path() / "law.yaml", schema, engines, 20000);
  EXPECT_EQ(law.questions(), (std::vector<std::string>{"illness", "state"}));
  EXPECT_EQ(law.critical(), std::vector<std::string>{"state.hyper"});
}

condition::Scope scope_of_the_table(condition::Vocabulary& vocabulary) {
  using condition::Kind;
  condition::Scope scope;
  scope.vocabulary = &vocabulary;
  const auto add = [&](const std::string& name, Kind kind, const std::string& unit = {},
                       const std::vector<std::string>& values = {}) {
    scope.columns[name] = {.index = scope.columns.size(), .kind = kind, .unit = unit, .values = values};
  };
  add("TSH", Kind::real, "mU/L");
  add("TBG", Kind::real);
  add("x", Kind::real);
  add("y", Kind::real);
  add("sex", Kind::text, "", {"F", "M"});
  add("site", Kind::text, "", {"east", "west", "north"});
  add("pregnant", Kind::boolean);
  add("born", Kind::date);
  add("torque", Kind::real, "N.m");
  add("rotational_speed", Kind::real, "rpm");
  scope.evidence["TSH"] = {.index = scope.columns.size(), .kind = Kind::real, .unit = "mU/L", .values = {}};
  scope.evidence["state"] = {.index = scope.columns.size() + 1, .kind = Kind::text, .unit = "", .values = {"hypo", "none"}};
  scope.engines["hypo"] = {.index = 0, .classes = {"F", "G", "failure"}, .group = ""};
  scope.panels["root"] = {"hypo"};
  scope.findings["thyroid_panel.state"] = {.index = 0, .findings = {"hypo", "none"}};
  return scope;
}

TEST(Docs, TheConditionsInTheTableAreConditions) {
  const std::string text = page(),
                    section = text.substr(text.find("## Conditions"), text.find("## Truth") - text.find("## Conditions"));
  condition::Vocabulary vocabulary;
  const condition::Scope scope = scope_of_the_table(vocabulary);
  const std::regex row(R"(\| [^|]* \| ([^|]*) \|)"), code("`([^`]*)`");
  std::size_t read = 0;
  for (auto line = std::sregex_iterator(section.begin(), section.end(), row); line != std::sregex_iterator(); ++line) {
    const std::string cell = (*line)[1];
    if ((*line)[0].str().starts_with("| logic")) continue;
    for (auto each = std::sregex_iterator(cell.begin(), cell.end(), code); each != std::sregex_iterator(); ++each) {
      const std::string condition = (*each)[1];
      if (condition == "==") continue;
      EXPECT_NO_THROW(condition::Condition(condition, scope, Place{})) << condition;
      ++read;
    }
  }
  EXPECT_EQ(read, 21U);
}

}  // namespace
}  // namespace hiple::law
