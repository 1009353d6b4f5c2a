#include "run/graph_file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"

extern char** environ;

namespace hiple {

namespace {

/// Where the standard output of a process that is started goes: a file that it makes.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  }
  ~OutputFile() { ::posix_spawn_file_actions_destroy(&actions_); }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

void draw(const std::filesystem::path& path, const std::string& format, const std::filesystem::path& source) {
  const std::filesystem::path drawing = temporary_name(path);
  // Its option -o would take the first of several graphs alone.
  std::string program = "dot", type = "-T" + format, input = source.string();
  std::array<char*, 4> words = {program.data(), type.data(), input.data(), nullptr};
  const OutputFile output(drawing);
  pid_t child = 0;
  const int problem = ::posix_spawnp(&child, program.c_str(), output.actions(), nullptr, words.data(), environ);
  if (problem != 0) {
    std::filesystem::remove(drawing);
    throw InputError(Place{path.string()}, "cannot be drawn: `dot` cannot be started", std::generic_category().message(problem),
                     "install graphviz, or name a file that ends in .dot");
  }
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

std::vector<std::string> draw_graphs(const std::vector<std::string>& graphs) {
  std::string all;
  for (const std::string& graph : graphs) all += graph;
  const std::filesystem::path file = temporary_name(std::filesystem::temp_directory_path() / "hiple_graphs").string() + ".svg";
  write_graph(file, all);
  const std::string drawn = read_file(file);
  std::filesystem::remove(file);
  std::vector<std::string> drawings;
  const std::string end = "</svg>";
  for (std::size_t at = 0, next = drawn.find(end); next != std::string::npos; next = drawn.find(end, at)) {
    drawings.push_back(drawn.substr(at, next + end.size() - at));
    at = next + end.size();
  }
  if (drawings.size() != graphs.size()) throw Error("`dot` did not draw every graph that it was given");
  return drawings;
}

}  // namespace hiple
