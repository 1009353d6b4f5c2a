#include "base/error.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "base/text.hpp"

namespace hiple {

std::string Place::text() const {
  std::string result = file;
  if (line > 0) result += ":" + std::to_string(line);
  if (line > 0 && column > 0) result += ":" + std::to_string(column);
  return result;
}

std::string Problem::text() const {
  std::string result = place.text();
  if (!result.empty()) result += ": ";
  result += what;
  if (!why.empty()) result += ": " + why;
  if (!remedy.empty()) result += " (" + remedy + ")";
  return printable(result);
}

Error::Error(const std::string& message, ExitStatus status) : std::runtime_error(message), status_(status) {}

namespace {

std::string all_lines(const std::vector<Problem>& problems) {
  std::string result;
  for (const Problem& problem : problems) result += (result.empty() ? "" : "\n") + problem.text();
  return result;
}

}  // namespace

InputError::InputError(Place place, std::string what, std::string why, std::string remedy)
    : InputError(std::vector<Problem>{{std::move(place), std::move(what), std::move(why), std::move(remedy)}}) {}

InputError::InputError(std::vector<Problem> problems)
    : Error(all_lines(problems), ExitStatus::bad_input), problems_(std::move(problems)) {}

void Problems::add(Place place, std::string what, std::string why, std::string remedy) {
  problems_.push_back({std::move(place), std::move(what), std::move(why), std::move(remedy)});
}

void Problems::add(const InputError& error) {
  problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
}

void Problems::throw_if_any() const {
  if (problems_.empty()) return;
  // Files in the order in which they were looked at; within each, from the top on.
  std::vector<std::string> files;
  const auto rank = [&](const Problem& problem) {
    const auto found = std::find(files.begin(), files.end(), problem.place.file);
    return found - files.begin();
  };
  for (const Problem& problem : problems_)
    if (rank(problem) == static_cast<std::ptrdiff_t>(files.size())) files.push_back(problem.place.file);
  std::vector<Problem> ordered = problems_;
  std::stable_sort(ordered.begin(), ordered.end(), [&](const Problem& a, const Problem& b) {
    return std::tuple(rank(a), a.place.line, a.place.column) < std::tuple(rank(b), b.place.line, b.place.column);
  });
  throw InputError(std::move(ordered));
}

}  // namespace hiple
