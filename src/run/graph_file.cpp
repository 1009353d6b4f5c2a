#include "run/graph_file.hpp"

#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"

extern char** environ;

namespace hiple {

namespace {

void draw(const std::filesystem::path& path, const std::string& format, const std::filesystem::path& source) {
  const std::filesystem::path drawing = temporary_name(path);
  std::string program = "dot", type = "-T" + format, output = "-o" + drawing.string(), input = source.string();
  std::array<char*, 5> words = {program.data(), type.data(), output.data(), input.data(), nullptr};
  pid_t child = 0;
  const int problem = ::posix_spawnp(&child, program.c_str(), nullptr, nullptr, words.data(), environ);
  if (problem != 0)
    throw InputError(Place{path.string()}, "cannot be drawn: `dot` cannot be started", std::generic_category().message(problem),
                     "install graphviz, or name a file that ends in .dot");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::filesystem::remove(drawing);
    throw Error(path.string() + ": `dot` failed to draw it");
  }
  publish_file(drawing, path);
}

}  // namespace

void write_graph(const std::filesystem::path& path, const std::string& graph) {
  const std::string ending = path.extension().string();
  const std::array<const char*, 4> known = {".dot", ".svg", ".pdf", ".png"};
  if (std::find(known.begin(), known.end(), ending) == known.end())
    throw InputError(Place{path.string()}, "is no name for a graph", "its ending names the format",
                     "use .svg, .pdf, .png or .dot");
  if (ending == ".dot") return write_file(path, graph);
  const std::filesystem::path source = temporary_name(path);
  write_file(source, graph);
  try {
    draw(path, ending.substr(1), source);
  } catch (...) {
    std::filesystem::remove(source);
    throw;
  }
  std::filesystem::remove(source);
}

}  // namespace hiple
