#pragma once

#include <string>
#include <vector>

#include "law/explain_subject.hpp"

namespace hiple::audit {

/// A set of things that are not known and that would settle a question.
struct Settling {
  std::vector<std::string> what;  ///< columns and engines
  std::string example;            ///< "FTI: 40 decides hypo"
  bool always = false;            ///< every value that was tried decides
};

/// For a question that was not decided for want of knowledge: the smallest sets of missing values and silent engines for which
/// some values lead to a decision. Values are tried around every threshold that the law compares them with; an engine that has
/// judged but was not consulted has its own word only. At most three at once are tried.
struct Settlement {
  std::string question;
  std::vector<Settling> sets;
  bool given_up = false;  ///< no set was found, and not all were tried
  std::size_t tried = 0;
};
std::vector<Settlement> settle(const law::Subject& subject);

/// As the last part of an explanation; empty where every question is decided.
std::string settle_text(const law::Subject& subject);

}  // namespace hiple::audit
