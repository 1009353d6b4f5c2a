#include "audit/mutants.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace hiple::audit {

using condition::Kind;
using condition::Node;
using condition::Op;

namespace {

std::optional<Op> boundary_of(Op op) {
  switch (op) {
    case Op::less:
      return Op::less_equal;
    case Op::less_equal:
      return Op::less;
    case Op::greater:
      return Op::greater_equal;
    case Op::greater_equal:
      return Op::greater;
    default:
      return std::nullopt;
  }
}

/// Changes a tree in place, keeps a copy, and changes it back.
class Maker {
 public:
  explicit Maker(Node root) : root_(std::move(root)) {}

  std::vector<Mutant> run() {
    visit(root_);
    return std::move(mutants_);
  }

 private:
  void keep(std::string change) { mutants_.push_back({root_, std::move(change)}); }

  void visit(Node& node) {
    if (node.op == Op::conjunction || node.op == Op::disjunction) swap_connectives(node);
    if (is_connective(node)) {
      for (Node& operand : node.operands) visit(operand);
      return;
    }
    if (const auto other = boundary_of(node.op)) {
      const std::string before = print(node);
      const Op op = std::exchange(node.op, *other);
      keep(before + " becomes " + print(node));
      node.op = op;
    }
    if (node.op == Op::in_interval) move_ends(node);
    move_thresholds(node);
  }

  /// `a and b and c` becomes `(a or b) and c` and `a and (b or c)`.
  void swap_connectives(Node& node) {
    const Node whole = node;
    const bool is_and = node.op == Op::conjunction;
    const std::string words = is_and ? "`and` becomes `or`" : "`or` becomes `and`";
    for (std::size_t i = 0; i + 1 < whole.operands.size(); ++i) {
      Node pair = whole;
      pair.op = is_and ? Op::disjunction : Op::conjunction;
      pair.operands = {whole.operands[i], whole.operands[i + 1]};
      const std::string between =
          words + " between (" + print(whole.operands[i]) + ") and (" + print(whole.operands[i + 1]) + ")";
      if (whole.operands.size() == 2) {
        node = pair;
      } else {
        node.operands.erase(node.operands.begin() + static_cast<std::ptrdiff_t>(i));
        node.operands[i] = pair;
      }
      keep(between);
      node = whole;
    }
  }

  void move_ends(Node& node) {
    const std::string before = print(node);
    for (bool* end : {&node.closed_low, &node.closed_high}) {
      *end = !*end;
      keep(before + " becomes " + print(node));
      *end = !*end;
    }
  }

  void move_thresholds(Node& node) {
    const bool compares = boundary_of(node.op).has_value() || node.op == Op::equal || node.op == Op::not_equal;
    if (!compares && node.op != Op::in_interval && node.op != Op::within) return;
    const std::string text = print(node);
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      Node& operand = node.operands[i];
      const bool negative = operand.op == Op::minus && operand.operands[0].op == Op::number;
      Node& literal = negative ? operand.operands[0] : operand;
      if (literal.op != Op::number && !(literal.op == Op::text && literal.kind == Kind::date)) continue;
      const Node& other = node.operands[i == 0 ? 1 : 0];
      for (const bool up : {true, false}) {
        const double before = literal.value;
        literal.value = next_threshold(before, other, up != negative);
        keep(text + ": " + print(operand) + " one step " + (up ? "up" : "down"));
        literal.value = before;
      }
    }
  }

  Node root_;
  std::vector<Mutant> mutants_;
};

void find_atoms(const Node& node, Path& path, std::vector<Path>& atoms) {
  if (!is_connective(node)) {
    if (node.op != Op::boolean) atoms.push_back(path);
    return;
  }
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    path.push_back(i);
    find_atoms(node.operands[i], path, atoms);
    path.pop_back();
  }
}

bool is_whole(const Node& node) { return node.kind == Kind::integer || node.op == Op::count || node.kind == Kind::date; }

bool is_float(const Node& node) {
  return node.op == Op::minimum || node.op == Op::maximum || node.op == Op::mean ||
         (node.op == Op::attribute && node.kind == Kind::real);
}

}  // namespace

bool is_connective(const Node& node) {
  return node.op == Op::conjunction || node.op == Op::disjunction || node.op == Op::negation;
}

double next_threshold(double value, const Node& other, bool up) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (is_whole(other)) {
    const double floor = std::floor(value), ceil = std::ceil(value);
    return floor == ceil ? value + (up ? 1 : -1) : up ? ceil : floor;
  }
  if (is_float(other)) {
    constexpr float far = std::numeric_limits<float>::infinity();
    return static_cast<double>(std::nextafter(static_cast<float>(value), up ? far : -far));
  }
  return std::nextafter(value, up ? infinity : -infinity);
}

std::vector<Mutant> mutants_of(const Node& root) { return Maker(root).run(); }

std::vector<Path> atoms_of(const Node& root) {
  std::vector<Path> atoms;
  Path path;
  find_atoms(root, path, atoms);
  return atoms;
}

const Node& at(const Node& root, const Path& path) {
  const Node* node = &root;
  for (const std::size_t step : path) node = &node->operands.at(step);
  return *node;
}

Node with_constant(const Node& root, const Path& path, bool value) {
  Node copy = root;
  Node* node = &copy;
  for (const std::size_t step : path) node = &node->operands.at(step);
  Node constant;
  constant.op = Op::boolean;
  constant.kind = Kind::boolean;
  constant.number = value ? 1 : 0;
  *node = constant;
  return copy;
}

}  // namespace hiple::audit
