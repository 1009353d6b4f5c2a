#include "scaling/benchmarks/law_workload.hpp"

#include <fmt/format.h>

#include "base/philox.hpp"

namespace hiple::scaling {

namespace {

constexpr std::size_t findings = 5;  // a question; the first is its default

/// Of 48 columns 36 are real, 6 whole, 4 categories and 2 dates.
ColumnType type_of(std::size_t column) {
  const std::size_t kind = column % 8;
  if (kind == 3) return ColumnType::integer;
  if (kind == 5 && column % 16 == 5) return ColumnType::category;
  if (kind == 7 && column % 24 == 7) return ColumnType::date;
  return ColumnType::real;
}

/// Comparison `number` of a column: constants that split the cases in different shares.
std::string atom(std::size_t column, std::size_t number) {
  const std::string name = fmt::format("c{:03}", column);
  constexpr const char* operators[] = {">", "<=", ">=", "<"};
  const char* op = operators[number % 4];
  const double share = 0.05 + 0.9 * static_cast<double>(number % 17) / 17;
  switch (type_of(column)) {
    case ColumnType::integer:
      return fmt::format("{} {} {}", name, op, 10 + 80 * number / 7 % 100);
    case ColumnType::category:
      return fmt::format("{} {} \"v{}\"", name, number % 2 == 0 ? "==" : "!=", number % 8);
    case ColumnType::date:
      return fmt::format("{} {} \"20{:02}-03-01\"", name, op, number % 50);
    default:
      return fmt::format("{} {} {:.4f}", name, op, 10 * share + 0.001 * static_cast<double>(number));
  }
}

struct RuleText {
  std::size_t question, finding;
  std::string id;
};

/// The rules over a list of atoms.
std::string rules_over(const std::vector<std::string>& atoms, std::size_t rules, std::size_t questions) {
  PhiloxStream random(Philox(1, "law_workload"), 0, 0, 0);
  std::vector<std::vector<RuleText>> of_question(questions);
  std::string text = "rules:\n";
  std::size_t next = 0;
  const auto take = [&] { return atoms[(next++ * 7) % atoms.size()]; };
  for (std::size_t i = 0; i < rules; ++i) {
    const RuleText rule{i % questions, 1 + random.next_below(findings - 1), fmt::format("R-{:05}", i)};
    std::string when = fmt::format("{} and {} and ({} or {})", take(), take(), take(), take());
    if (i % 5 == 1) when = fmt::format("({} or {}) and not ({} and {})", take(), take(), take(), take());
    if (i % 5 == 3) when = fmt::format("{} and {} and {}", take(), take(), take());
    text += fmt::format("  - {{id: {}, when: '{}', then: q{}.f{}", rule.id, when, rule.question, rule.finding);
    auto& earlier = of_question[rule.question];
    if (i % 3 == 0 && !earlier.empty()) {
      const RuleText& other = earlier[random.next_below(static_cast<std::uint32_t>(earlier.size()))];
      if (other.finding != rule.finding) text += fmt::format(", overrides: [{}]", other.id);
    }
    text += "}\n";
    earlier.push_back(rule);
  }
  return text;
}

std::string head(std::size_t questions) {
  std::string text = "law: 1\nname: workload\nquestions:\n";
  for (std::size_t i = 0; i < questions; ++i) {
    text += fmt::format("  - {{name: q{}, default: f0, findings: [", i);
    for (std::size_t k = 0; k < findings; ++k) text += fmt::format("{}f{}", k == 0 ? "" : ", ", k);
    text += "]}\n";
  }
  return text;
}

template <class T, class Draw>
Column draw_column(std::size_t cases, double missing, PhiloxStream& random, Draw draw) {
  Column column;
  std::vector<T> values(cases);
  column.cells.resize(cases, Cell::known);
  const auto share = static_cast<std::uint32_t>(missing * 1000);
  for (std::size_t i = 0; i < cases; ++i) {
    if (random.next_below(1000) < share)
      column.cells[i] = Cell::missing;
    else
      values[i] = draw();
  }
  column.values = std::move(values);
  return column;
}

}  // namespace

Schema workload_schema(const LawShape& shape) {
  Schema schema;
  for (std::size_t i = 0; i < shape.columns; ++i) {
    ColumnSchema column;
    column.name = fmt::format("c{:03}", i);
    column.type = type_of(i);
    for (int k = 0; column.type == ColumnType::category && k < 8; ++k) column.values.push_back(fmt::format("v{}", k));
    schema.columns.push_back(column);
  }
  return schema;
}

std::string workload_law(const LawShape& shape) {
  std::vector<std::string> atoms;
  for (std::size_t i = 0; i < shape.atoms; ++i)
    atoms.push_back(atom(i % shape.columns, i / shape.columns + 3 * (i % shape.columns)));
  return head(shape.questions) + rules_over(atoms, shape.rules, shape.questions);
}

Table workload_table(const LawShape& shape, std::size_t cases) {
  Table table;
  table.schema = workload_schema(shape);
  for (std::size_t i = 0; i < cases; ++i) table.case_id.push_back(i + 1);
  for (std::size_t i = 0; i < shape.columns; ++i) {
    PhiloxStream random(Philox(2, "law_workload"), 0, 0, static_cast<std::uint32_t>(i));
    switch (type_of(i)) {
      case ColumnType::integer:
        table.columns.push_back(
            draw_column<std::int64_t>(cases, shape.missing, random, [&] { return std::int64_t{random.next_below(100)}; }));
        break;
      case ColumnType::category:
        table.columns.push_back(draw_column<std::int32_t>(cases, shape.missing, random,
                                                          [&] { return static_cast<std::int32_t>(random.next_below(8)); }));
        break;
      case ColumnType::date:
        table.columns.push_back(draw_column<std::int32_t>(
            cases, shape.missing, random, [&] { return static_cast<std::int32_t>(10957 + random.next_below(18000)); }));
        break;
      default:
        table.columns.push_back(
            draw_column<double>(cases, shape.missing, random, [&] { return random.next_below(100000) * 1e-4; }));
    }
  }
  return table;
}

std::vector<law::EngineDescription> workload_engines(std::size_t engines) {
  std::vector<law::EngineDescription> all;
  for (std::size_t i = 0; i < engines; ++i) all.push_back({fmt::format("e{:02}", i), {"none", "p", "q", "r"}});
  return all;
}

std::string judgments_law(std::size_t rules, std::size_t engines) {
  std::vector<std::string> atoms;
  for (std::size_t i = 0; i < engines; ++i)
    for (const char* text :
         {"label == \"p\"", "label == \"q\"", "label != \"none\"", "confidence >= 0.6", "confidence >= 0.8", "typicality > 0.05"})
      atoms.push_back(fmt::format("e{:02}.{}", i, text));
  return head(4) + rules_over(atoms, rules, 4);
}

Judgments workload_judgments(const law::EngineDescription& engine, std::size_t cases, std::uint64_t seed) {
  PhiloxStream random(Philox(seed, "law_workload"), 0, 0, 0);
  Judgments judgments;
  judgments.engine = engine.name;
  judgments.domain = "bench";
  judgments.classes = engine.classes;
  for (std::size_t i = 0; i < cases; ++i) {
    const bool judged = random.next_below(100) >= 3;
    judgments.case_id.push_back(i + 1);
    judgments.status.push_back(judged ? JudgmentStatus::judged : JudgmentStatus::abstained);
    judgments.label.push_back(judged ? static_cast<std::uint16_t>(random.next_below(4)) : no_label);
    judgments.confidence.push_back(static_cast<float>(random.next_below(1001)) / 1000);
    judgments.typicality.push_back(static_cast<float>(random.next_below(1001)) / 1000);
  }
  return judgments;
}

}  // namespace hiple::scaling
