#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace hiple {

/// Exit status of every HIPLE program.
enum class ExitStatus : int {
  done = 0,
  failed = 1,           ///< anything that is not listed below
  bad_input = 2,        ///< the input is wrong; nothing was started
  partial = 3,          ///< done in part: an engine is missing and decisions were made without it
  gate_not_passed = 4,  ///< a gate is not passed: what `hiple gates` ends with then
};

/// A position in a text. Lines and columns count from 1; 0 means that it is not known.
struct Place {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;

  /// "FILE:LINE:COLUMN", without the parts that are not known.
  [[nodiscard]] std::string text() const;
};

/// One thing that is wrong with the input: where, what, why it is wrong, and what to do about it.
struct Problem {
  Place place;
  std::string what;
  std::string why;
  std::string remedy;

  /// "FILE:LINE:COLUMN: what: why (remedy)", without the parts that are empty.
  [[nodiscard]] std::string text() const;
};

/// Base of all errors that HIPLE throws on purpose.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, ExitStatus status = ExitStatus::failed);
  [[nodiscard]] ExitStatus status() const { return status_; }

 private:
  ExitStatus status_;
};

/// The input is wrong (exit status 2). Holds every problem that was found, one line each in what().
class InputError : public Error {
 public:
  InputError(Place place, std::string what, std::string why = {}, std::string remedy = {});
  explicit InputError(std::vector<Problem> problems);
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// Gathers problems, so that a user sees all of them in one go.
class Problems {
 public:
  void add(Place place, std::string what, std::string why = {}, std::string remedy = {});
  /// Takes over the problems of an error that was caught.
  void add(const InputError& error);
  [[nodiscard]] bool empty() const { return problems_.empty(); }
  [[nodiscard]] const std::vector<Problem>& list() const { return problems_; }
  /// Throws InputError with all problems, if there are any.
  void throw_if_any() const;

 private:
  std::vector<Problem> problems_;
};

}  // namespace hiple
