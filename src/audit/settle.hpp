#pragma once

#include <string>
#include <vector>

#include "law/explain_subject.hpp"
#include "law/settlement.hpp"

namespace hiple::audit {

/// What would settle each question that was not decided and waits for something. Values are tried around every threshold that the
/// law compares them with; an engine that has judged but was not consulted has its own word only. At most three at once are
/// tried.
std::vector<law::Settlement> settle(const law::Subject& subject);

/// As the last part of an explanation; empty where every question is decided.
std::string settle_text(const std::vector<law::Settlement>& settlements);

}  // namespace hiple::audit
