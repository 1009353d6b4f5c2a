#pragma once

#include <filesystem>
#include <string>

namespace hiple {

/// Writes a graph in the language of `dot`: as it is where the file ends in .dot, else drawn by the program `dot` (graphviz)
/// in the format that the file's ending names: .svg, .pdf, .png. Throws InputError: another ending, or no `dot` on PATH.
void write_graph(const std::filesystem::path& path, const std::string& graph);

}  // namespace hiple
