#pragma once

#include <memory>

#include "config/yaml.hpp"
#include "law/law.hpp"

namespace hiple::law {

/// One engine's word on case 1, as given_case.hpp describes it; null where it is not available. Problems are reported at their
/// places.
std::unique_ptr<Judgments> read_given_judgment(const EngineDescription& engine, const yaml::Node& node, Problems& problems);

/// The word of an engine that says nothing but this.
std::unique_ptr<Judgments> make_judgment(const EngineDescription& engine, JudgmentStatus status);

}  // namespace hiple::law
