#include "base/error.hpp"

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
  if (!problems_.empty()) throw InputError(problems_);
}

}  // namespace hiple
