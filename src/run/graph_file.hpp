#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hiple {

/// Writes a graph in the language of `dot`: as it is where the file ends in .dot, else drawn by the program `dot` (graphviz)
/// in the format that the file's ending names: .svg, .pdf, .png. Throws InputError: another ending, or no `dot` on PATH.
void write_graph(const std::filesystem::path& path, const std::string& graph);

/// The same graphs as SVG, in one go. Throws InputError: no `dot` on PATH; Error: it failed.
std::vector<std::string> draw_graphs(const std::vector<std::string>& graphs);

}  // namespace hiple
