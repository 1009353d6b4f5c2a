#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gate/engine_sets.hpp"
#include "gate/gates_config.hpp"
#include "law/decision.hpp"
#include "law/law.hpp"
#include "table/table.hpp"

namespace hiple::gate {

/// The right answers and what else somebody annotated, row after row as the decisions are.
struct Truth {
  std::vector<bool> known_question;       ///< whether gates.yaml says where the answers stand
  std::vector<std::uint16_t> gold, also;  ///< [cases, questions]: indices into Decisions::findings[question], or no_index
  EngineSets needed;                      ///< where `needed_columns` are given
  EngineSets home;                        ///< where `home` is given
  std::vector<bool> annotated;            ///< of each row, where one of these is given: all of it is there
  std::vector<std::uint64_t> cluster;     ///< of each row, where a cluster column is given
};

/// Throws Error where the table's cases are not those of the decisions; InputError where a case has no cluster.
Truth read_truth(const GatesConfig& config, const law::Decisions& decisions, const Table& table);

/// What the figures need to know of a law.
struct LawFacts {
  std::map<std::string, std::vector<std::string>> covered_by;  ///< of each critical "question.finding", itself included
  std::map<std::string, std::string> defaults;                 ///< of each question; empty where there is none

  struct Panel {
    std::string name;
    std::size_t level = 0;             ///< 0 is the root
    std::vector<std::string> engines;  ///< its own and those of panels below
  };
  std::vector<Panel> panels;  ///< the root first, a panel before those in it
};
LawFacts facts_of(const law::Law& law);

}  // namespace hiple::gate
