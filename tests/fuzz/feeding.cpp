#include "feeding.hpp"

#include <fstream>
#include <stdexcept>

#include "temporary_folder.hpp"

namespace hiple::fuzz {

void check(bool holds, const std::string& promise) {
  if (!holds) throw std::logic_error("a broken promise: " + promise);
}

std::filesystem::path file_with(const std::string& name, std::string_view content) {
  static const TemporaryFolder folder;
  const auto path = folder.path() / name;
  std::ofstream stream(path, std::ios::binary);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!stream.flush()) throw std::runtime_error(path.string() + ": cannot be written");
  return path;
}

void check_refusal(const InputError& refusal) {
  check(!refusal.problems().empty(), "a refusal says what is wrong");
  for (const Problem& problem : refusal.problems()) {
    check(!problem.what.empty(), "a problem says what is wrong");
    check(!problem.place.file.empty(), "a problem has a place: " + problem.text());
  }
}

}  // namespace hiple::fuzz
