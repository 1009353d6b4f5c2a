#pragma once

#include <functional>
#include <map>
#include <optional>

#include "condition/condition.hpp"
#include "law/columnar_truth.hpp"
#include "law/model.hpp"

namespace hiple::law::columnar {

/// A panel's answer to a question, as conditions one level up read it.
struct SlotAnswer {
  std::vector<Plane> decided;  ///< of each finding of the question
  Plane firm = nowhere;
  Causes causes;  ///< of the answer: where it is not decided, or not firm
};

/// Turns conditions into planes. What it makes agrees case by case with condition::evaluate().
class Conditions {
 public:
  Conditions(const Law::Model& law, const Logic& logic) : law_(law), logic_(logic), slots_(law.slots.size()) {}

  Proposition read(const condition::Node& node, bool careful);
  /// Evidence about a question's finding: where it says each, and where its sources differ.
  struct Heeded {
    std::vector<Plane> says;
    Plane differs = nowhere;
  };
  Heeded heeded(std::size_t question);
  /// What conditions read from now on; the panel of a slot is resolved before the conditions that read it.
  void set_answer(std::size_t slot, SlotAnswer answer) { slots_[slot] = std::move(answer); }

 private:
  /// A number, or a text as one plane for each text that it can be.
  struct Value {
    std::uint32_t vector = 0;
    std::optional<double> constant;
    std::map<std::uint32_t, Plane> texts;
    Known known;
  };
  struct Group {  // of an aggregate
    struct Member {
      const condition::Node* node;
      Plane counts;
      Known known;
      Proposition counted;  // of count
      Value value;          // of the others
    };
    std::vector<Member> members;
    Plane complete = everywhere;
    Causes causes;
  };

  Proposition read_chain(const condition::Node& node, bool careful);
  Proposition read_atom(const condition::Node& node, bool careful);
  Proposition read_texts(const condition::Node& node, bool careful);
  Value value(const condition::Node& node, bool careful);
  Value raw_value(const condition::Node& node, bool careful);
  Value arithmetic(const condition::Node& node, bool careful);
  Value attribute(const condition::Node& node);
  Value finding(const condition::Node& node, bool careful);
  Value text_of(std::span<const std::uint32_t> texts, std::uint32_t vector, Known known);
  Value convert(Value value, const condition::Conversion& conversion);
  Value constant(double number);
  Value unary(Vector::Kind kind, const Value& a, double number = 0);
  Known column_known(std::size_t column);
  Known engine_known(std::size_t engine, std::initializer_list<JudgmentStatus> statuses);
  Plane status(std::size_t engine, std::initializer_list<JudgmentStatus> statuses);
  Plane compare(condition::Op op, const Value& a, const Value& b);
  Plane number_compare(std::uint32_t vector, condition::Op op, double constant);

  // columnar_aggregates.cpp
  Proposition read_aggregate(const condition::Node& comparison, bool careful);
  Proposition read_agree(const condition::Node& node);
  Group group(const std::vector<condition::Node>& members, bool careful);
  void find_complete(Group& group, bool disagree);
  Plane silent(std::size_t engine);
  Plane counted_is(const Group& group, bool yes);
  std::pair<Plane, Plane> count(const condition::Node& comparison, const std::vector<Group>& groups);
  std::pair<Plane, Plane> extreme(const condition::Node& comparison, const std::vector<Group>& groups);
  std::pair<Plane, Plane> mean(const condition::Node& comparison, const std::vector<Group>& groups);
  Plane bound(const condition::Node& comparison, condition::Op op, const std::vector<Group>& groups, bool low);
  std::pair<Plane, Plane> interval(condition::Op op, const std::function<Plane(condition::Op, bool)>& bound);

  const Law::Model& law_;
  const Logic& logic_;
  Circuit& circuit_ = logic_.circuit();
  std::vector<SlotAnswer> slots_;
};

}  // namespace hiple::law::columnar
