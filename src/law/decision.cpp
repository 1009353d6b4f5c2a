#include "law/decision.hpp"

#include "base/error.hpp"

namespace hiple::law {

std::string name_of(Status status) {
  switch (status) {
    case Status::decide:
      return "decide";
    case Status::abstain:
      return "abstain";
    case Status::escalate:
      return "escalate";
  }
  throw Error("a status that is none: " + std::to_string(static_cast<int>(status)));
}

std::string name_of(Reason reason) {
  switch (reason) {
    case Reason::none:
      return "none";
    case Reason::law:
      return "law";
    case Reason::critical_not_excluded:
      return "critical_not_excluded";
    case Reason::conflict:
      return "conflict";
    case Reason::possible_defeater:
      return "possible_defeater";
    case Reason::blocked:
      return "blocked";
    case Reason::no_rule:
      return "no_rule";
    case Reason::contradicted_by_evidence:
      return "contradicted_by_evidence";
  }
  throw Error("a reason that is none: " + std::to_string(static_cast<int>(reason)));
}

}  // namespace hiple::law
