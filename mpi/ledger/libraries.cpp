#include "mpi/ledger/libraries.hpp"

#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace hiple::mpi {

namespace {

/// By the begin of the file's name; the first that fits.
constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kinds = {{
    {"libmpi_mpifh", "MPI for Fortran"},
    {"libmpi_usempi", "MPI for Fortran"},
    {"libmpifort", "MPI for Fortran"},
    {"libmpi", "MPI"},
    {"libpmpi", "MPI"},
    {"libopen-rte", "MPI"},
    {"libopen-pal", "MPI"},
    {"libnccl", "NCCL"},
    {"librccl", "NCCL"},
    {"libnvshmem", "SHMEM"},
    {"liboshmem", "SHMEM"},
    {"libcuda", "CUDA"},
    {"libcublas", "CUDA"},
    {"libcudnn", "CUDA"},
    {"libcusolver", "CUDA"},
    {"libcusparse", "CUDA"},
    {"libnvrtc", "CUDA"},
}};

std::string_view kind_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.find(".so") == std::string_view::npos) return {};
  for (const auto& [begin, kind] : kinds)
    if (name.starts_with(begin)) return kind;
  return {};
}

}  // namespace

std::vector<Library> libraries_in(const std::string& maps) {
  std::set<std::pair<std::string, std::string>> found;  // path, kind: a file is mapped in several parts
  for (const std::string& line : split(maps, '\n')) {
    const auto path = line.find('/');
    if (path == std::string_view::npos) continue;
    const std::string_view kind = kind_of(std::string_view(line).substr(path));
    if (!kind.empty()) found.emplace(line.substr(path), kind);
  }
  std::vector<Library> libraries;
  libraries.reserve(found.size());
  for (const auto& [path, kind] : found) libraries.push_back({kind, path});
  return libraries;
}

std::vector<Library> mapped_libraries() {
  constexpr auto file = "/proc/self/maps";
  std::ifstream stream(file);
  const std::string maps{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (maps.empty()) throw InputError(Place{file}, "cannot be read", "the libraries of this process stay unknown");
  return libraries_in(maps);
}

}  // namespace hiple::mpi
