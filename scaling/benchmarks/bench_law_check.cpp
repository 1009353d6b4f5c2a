// Times the static checks of a law: `hiple-bench-law-check [RULES [COLUMNS [QUESTIONS]]]`, by default 500 rules over 50 columns
// in ten questions of four findings each. Conditions are nested: `and` and `or` of twos and threes, two levels deep. Prints the
// median of five runs, with what was found.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "audit/check.hpp"
#include "base/text.hpp"

namespace {

using namespace hiple;

constexpr std::size_t repetitions = 5;

/// Four reals in [0, 100], and then a boolean, and so on.
Schema make_schema(std::size_t columns) {
  Schema schema;
  for (std::size_t i = 0; i < columns; ++i) {
    ColumnSchema& column = schema.columns.emplace_back();
    column.name = "c" + std::to_string(i);
    column.type = i % 5 == 4 ? ColumnType::boolean : ColumnType::real;
    if (column.type == ColumnType::real) {
      column.low = 0;
      column.high = 100;
    }
  }
  return schema;
}

std::string make_atom(std::mt19937& random, std::size_t columns) {
  static const char* const comparisons[] = {" > ", " >= ", " < ", " <= "};
  const std::size_t column = random() % columns;
  const std::string name = "c" + std::to_string(column);
  return column % 5 == 4 ? name : name + comparisons[random() % 4] + std::to_string(5 + random() % 90);
}

std::string make_condition(std::mt19937& random, std::size_t columns, int depth) {
  if (depth == 0) return make_atom(random, columns);
  const char* const word = random() % 3 < 2 ? " and " : " or ";
  std::vector<std::string> parts(2 + random() % 2);
  for (std::string& part : parts) part = make_condition(random, columns, depth - 1);
  return "(" + join(parts, word) + ")";
}

std::string make_law(std::size_t rules, std::size_t columns, std::size_t questions) {
  std::mt19937 random(1);
  std::string text = "law: 1\nname: bench\nquestions:\n";
  for (std::size_t i = 0; i < questions; ++i)
    text += fmt::format("  - {{name: q{}, findings: [none, a, b, c], default: none}}\n", i);
  text += "rules:\n";
  for (std::size_t i = 0; i < rules; ++i)
    text += fmt::format("  - {{id: R-{}, when: '{} and {}', then: q{}.{}}}\n", i, make_condition(random, columns, 2),
                        make_atom(random, columns), i % questions, "abc"[i / questions % 3]);
  return text;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int index, std::size_t usual) {
    const auto value = index < argc ? parse_unsigned(argv[index]) : std::nullopt;
    return value && *value > 0 ? static_cast<std::size_t>(*value) : usual;
  };
  const std::size_t rules = number(1, 500), columns = number(2, 50), questions = number(3, 10);
  const Schema schema = make_schema(columns);
  const std::string text = make_law(rules, columns, questions);
  const auto start = std::chrono::steady_clock::now();
  const law::Law law = law::Law::parse(text, "bench.yaml", schema, {}, 0);
  fmt::print("{} rules over {} columns in {} questions: read in {:.3f} s\n", rules, columns, questions, seconds_since(start));
  std::vector<double> seconds;
  audit::LawCheck found;
  for (std::size_t i = 0; i < repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    found = audit::check_law(law);
    seconds.push_back(seconds_since(begin));
  }
  std::sort(seconds.begin(), seconds.end());
  fmt::print("checked in {:.3f} s (median of {}; {:.3f} to {:.3f})\n", seconds[repetitions / 2], repetitions, seconds.front(),
             seconds.back());
  for (const auto& [check, count] : found.found) fmt::print("  {:<24} {:>8}\n", check, count);
  for (const auto& [check, count] : found.given_up) fmt::print("  not analysed: {:<10} {:>8}\n", check, count);
}
