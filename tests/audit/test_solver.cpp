#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "audit/full_reading.hpp"
#include "audit/solver.hpp"
#include "audit/witness.hpp"
#include "audit_sample.hpp"

namespace hiple::audit {
namespace {

using condition::Truth;

bool is_wanted(Truth truth, Want want) {
  switch (want) {
    case Want::yes:
      return truth == Truth::yes;
    case Want::no:
      return truth == Truth::no;
    case Want::not_yes:
      return truth != Truth::yes;
    case Want::not_no:
      break;
  }
  return truth != Truth::no;
}

/// One condition as the law L, and what a search for each truth finds.
class Solving {
 public:
  explicit Solving(const std::string& condition)
      : law_(sample_law("laws: [{id: L, when: '" + condition + "', escalate: q}]")),
        scopes_(law_.model()),
        variables_(law_.model()) {}

  Found find(Want want) {
    Translator translator(law_.model(), variables_);
    const Formula formula = translator.translate(root(), want);
    Solver solver(law_.model(), variables_, translator);
    const Solution solution = solver.solve({&formula});
    if (solution.found == Found::yes && !solution.unverified) {
      for (const Values values : {Values::round, Values::tight}) {
        const law::GivenCase given = make_witness(law_.model(), variables_, solution.domains, values);
        const Truth truth = FullReading(law_.model(), scopes_, given).truth(root());
        EXPECT_TRUE(is_wanted(truth, want)) << law_.model().laws[0].when.canonical() << " in " << to_yaml(law_.model(), given)
                                            << " is " << name_of(truth) << ", want " << static_cast<int>(want);
      }
    }
    return solution.found;
  }

  [[nodiscard]] Truth truth(const law::GivenCase& given) const { return FullReading(law_.model(), scopes_, given).truth(root()); }
  [[nodiscard]] const condition::Node& root() const { return law_.model().laws[0].when.root(); }
  [[nodiscard]] const law::Law::Model& model() const { return law_.model(); }

 private:
  law::Law law_;
  law::Scopes scopes_;
  Variables variables_;
};

constexpr Want wants[] = {Want::yes, Want::no, Want::not_yes, Want::not_no};

std::string found(const std::string& condition) {
  Solving solving(condition);
  std::string text;
  for (const Want want : wants) {
    const Found found = solving.find(want);
    text += found == Found::yes ? '1' : found == Found::no ? '0' : '?';
  }
  return text;
}

TEST(Solver, SaysWhatIsPossible) {
  // Whether it can be: TRUE, FALSE, not TRUE, not FALSE.
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"x > 5", "1111"},
      {"x > 10", "0111"},
      {"x >= 10", "1111"},
      {"x <= 10", "1011"},
      {"x > 5 and x < 5", "0111"},
      {"x > 5 and x <= 5.000000000000001", "1111"},
      {"n > 5 and n < 6", "0111"},
      {"known(x) or not known(x)", "1001"},
      {"known(x) and x > 3 and not known(x)", "0110"},
      {"kind == \"red\" and kind in {\"green\", \"blue\"}", "0111"},
      {"kind != \"red\" and kind != \"green\" and kind != \"blue\"", "0111"},
      {"on and not on", "0111"},
      {"n in {1, 3} and n in (1, 3)", "0111"},
      {"n in {1, 3} and n in (1, 3]", "1111"},
      {"e.label == \"p\" and e.probability[\"p\"] < 0.3", "0111"},
      {"e.label == \"p\" and e.probability[\"p\"] < 0.34", "1111"},
      {"e.probability[\"p\"] > 0.6 and e.probability[\"q\"] > 0.5", "0111"},
      {"e.label == f.label and e.label == \"p\" and f.label != \"p\"", "0111"},
      {"e.label == \"p\" and e.confidence < 0.5 and e.probability[\"p\"] > 0.5", "0111"},
      {"e.judged and not e.judged", "0111"},
      {"not e.judged and e.typicality > 0.5", "1111"},
      {"not e.judged and e.label == \"p\"", "0111"},
      {"age(seen) >= 60 and age(seen) < 60", "0111"},
      {"age(seen) == 60 and seen < \"1960-01-01\"", "0111"},  // the day is 2024-10-04
      {"age(seen) == 60 and seen > \"1964-01-01\"", "1111"},
      {"x + y > 20", "0111"},
      {"x + y >= 20", "1111"},
      {"x * y > 99 and x < 9", "0111"},
      {"x / y > 3 and y > 4", "0111"},
      {"x / y > 2 and y > 4", "1111"},
      {"within(x, y, 1) and x > 8 and y < 6", "0111"},
  };
  for (const auto& [condition, wanted] : cases) {
    EXPECT_EQ(found(condition), wanted) << condition;
  }
}

TEST(Solver, DeepNestingIsNotExpanded) {
  // As many alternatives as 2^63 when multiplied out.
  std::string condition = "on";
  for (int i = 0; i < 63; ++i) condition += " and (x > " + std::to_string(i % 9) + " or y > " + std::to_string(i % 7) + ")";
  EXPECT_EQ(found(condition + " and x < 9 and y < 8"), "1111");
  EXPECT_EQ(found(condition + " and x < 8 and y < 6"), "0111");
}

std::string random_atom(std::mt19937& random) {
  static const std::vector<std::string> atoms = {"x > 2",
                                                 "x >= 2",
                                                 "x < 5",
                                                 "x <= 5",
                                                 "x in [2, 5)",
                                                 "x in (2, 5]",
                                                 "y > 2",
                                                 "y < 5",
                                                 "n > 1",
                                                 "n == 2",
                                                 "n in {1, 3}",
                                                 "on",
                                                 "known(x)",
                                                 "known(on)",
                                                 "kind == \"red\"",
                                                 "kind in {\"red\", \"blue\"}",
                                                 "kind != \"green\"",
                                                 "e.judged",
                                                 "e.label == \"p\"",
                                                 "e.label != \"none\"",
                                                 "e.confidence >= 0.5",
                                                 "known(y)"};
  return atoms[random() % atoms.size()];
}

std::string random_condition(std::mt19937& random, int depth) {
  if (depth == 0 || random() % 4 == 0) return random_atom(random);
  if (random() % 4 == 0) return "not (" + random_condition(random, depth - 1) + ")";
  std::string text = "(" + random_condition(random, depth - 1);
  const std::string word = random() % 2 == 0 ? " and " : " or ";
  for (unsigned i = 0; i < 1 + random() % 2; ++i) text += word + random_condition(random, depth - 1);
  return text + ")";
}

/// Every case that the atoms above can tell apart.
std::vector<law::GivenCase> all_cases(const law::Law::Model& law) {
  const double below2 = std::nextafter(2.0, 0.0), above2 = std::nextafter(2.0, 9.0), below5 = std::nextafter(5.0, 0.0),
               above5 = std::nextafter(5.0, 9.0), none = -1;
  const std::vector<std::vector<double>> values = {
      {none, 0, 1},   {none, 0, 1, 2}, {none, 1, 2, 3}, {none, 0, 1}, {none, below2, 2, above2, below5, 5, above5},
      {none, 1, 3, 6}};
  const std::vector<std::string> columns = {"off", "kind", "n", "on", "x", "y"};
  const std::vector<std::string> words = {"null",
                                          "abstained",
                                          "{none: 1}",
                                          "{p: 0.4, none: 0.3, q: 0.3}",
                                          "{p: 0.6, none: 0.4}",
                                          "{q: 0.4, none: 0.3, p: 0.3}",
                                          "{q: 1}",
                                          "{none: 0.4, p: 0.3, q: 0.3}"};
  std::vector<law::GivenCase> cases;
  for (const double kind : values[1])
    for (const double n : values[2])
      for (const double on : values[3])
        for (const double x : values[4])
          for (const double y : values[5])
            for (const std::string& word : words) {
              Problems problems;
              auto given = law::read_given_case(law, yaml::parse("{e: " + word + "}", "case"), problems);
              const double cells[] = {none, kind, n, on, x, y};
              for (std::size_t i = 1; i < columns.size(); ++i) {
                const auto at = std::find(law.columns.begin(), law.columns.end(), columns[i]) - law.columns.begin();
                Column& column = given->table.columns[static_cast<std::size_t>(at)];
                if (cells[i] == none)
                  column.cells[0] = Cell::missing;
                else
                  law::set_cell(column, cells[i]);
              }
              cases.push_back(std::move(*given));
            }
  return cases;
}

TEST(Solver, AgreesWithATrialOfEveryCase) {
  std::mt19937 random(7);
  std::size_t impossible = 0;
  for (int i = 0; i < 60; ++i) {
    const std::string condition = random_condition(random, 3);
    Solving solving(condition);
    bool possible[4] = {false, false, false, false};
    static const std::vector<law::GivenCase> cases = all_cases(solving.model());
    for (std::size_t k = 0; k < cases.size(); ++k) {
      const Truth truth = solving.truth(cases[k]);
      for (std::size_t w = 0; w < 4; ++w) possible[w] = possible[w] || is_wanted(truth, wants[w]);
      if (possible[0] && possible[1] && possible[2] && possible[3]) break;
    }
    for (std::size_t w = 0; w < 4; ++w) {
      impossible += possible[w] ? 0 : 1;
      EXPECT_EQ(solving.find(wants[w]), possible[w] ? Found::yes : Found::no) << condition << ", want " << w;
    }
  }
  EXPECT_GT(impossible, 5U);
}

TEST(Witness, NumbersAreRoundOrTight) {
  EXPECT_EQ(round_number(6.000000000000001, 600), 7);
  EXPECT_EQ(round_number(-3, 5), 0);
  EXPECT_EQ(round_number(-600, -6.5), -7);
  EXPECT_EQ(round_number(0.31, 0.39), 0.31);
  EXPECT_EQ(round_number(0.301, 0.39), 0.31);
  EXPECT_EQ(round_number(2.5, 2.5), 2.5);
}

}  // namespace
}  // namespace hiple::audit
