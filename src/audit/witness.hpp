#pragma once

#include "audit/domain.hpp"
#include "law/given_case.hpp"

namespace hiple::audit {

/// Probabilities of an engine's classes that fit their domains, add up to 1 and make `label` the largest; nothing where there
/// are none.
std::optional<std::vector<float>> settle_probabilities(const std::vector<Domain>& domains, const Variables& variables,
                                                       std::size_t engine, std::size_t label, std::size_t classes);

/// round: the roundest number that there is room for; tight: next to the threshold, where a mistake in it would show.
enum class Values { round, tight };

/// A case with values out of the domains. What no domain asks for is missing, and an engine that none asks for is not available.
law::GivenCase make_witness(const law::Law::Model& law, const Variables& variables, const std::vector<Domain>& domains,
                            Values values = Values::round);

/// The number with the fewest decimals between two, nearest to 0.
double round_number(double low, double high);

}  // namespace hiple::audit
