#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "config/yaml.hpp"
#include "config/yaml_trace.hpp"

namespace hiple::yaml {

/// A document that shows what a file may hold, and its text, whose comments at the ends of lines describe the keys there.
struct Specimen {
  Node root;
  std::string text;
};

/// The JSON Schema (draft 2020-12) of a kind of file: of its specimens, and of what the loader asked for while it read them
/// under `trace`. A key is required where the loader required it in every map that stands at its place in a specimen, so that
/// each optional key must be absent somewhere. What follows from several keys together (a key that goes with one type of
/// engine alone, names that must agree) only the loader knows: whatever it accepts the schema accepts, not the reverse.
nlohmann::json json_schema(const std::string& title, const std::vector<Specimen>& specimens, const Trace& trace);

}  // namespace hiple::yaml
