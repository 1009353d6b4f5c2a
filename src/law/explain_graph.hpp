#pragma once

#include <string>

#include "law/explain_subject.hpp"
#include "law/settlement.hpp"

namespace hiple::law {

/// The derivation of one case in the language of `dot` (graphviz): see Derivation::graph(). Rules that are silent and bear on
/// nothing are left out.
std::string explain_graph(const Subject& subject, const std::vector<Settlement>& settlements);

}  // namespace hiple::law
