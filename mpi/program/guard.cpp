#include "mpi/program/guard.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "base/excerpt.hpp"

namespace hiple::program {

namespace {

int end(const std::string& message, ExitStatus status, const std::function<void()>& before_message) {
  if (before_message) before_message();
  fmt::print(stderr, "{}\n", message);
  return static_cast<int>(status);
}

}  // namespace

int guard(const std::function<ExitStatus()>& work, const std::function<void()>& before_message) {
  ::signal(SIGXFSZ, SIG_IGN);  // a file over the limit is an error with a message, as a full disk is
  ::signal(SIGUSR1, SIG_IGN);  // "save" goes to all processes of a job, and those that have nothing to save must not die of it
  try {
    return static_cast<int>(work());
  } catch (const InputError& error) {
    std::string text = text_with_excerpts(error.problems());
    if (!text.empty()) text.pop_back();  // the last end of a line
    return end(text, error.status(), before_message);
  } catch (const Error& error) {
    return end(error.what(), error.status(), before_message);
  } catch (const std::bad_alloc&) {
    return end("hiple: not enough memory", ExitStatus::failed, before_message);
  } catch (const std::exception& error) {
    return end(std::string("hiple: unexpected error: ") + error.what(), ExitStatus::failed, before_message);
  } catch (...) {
    return end("hiple: unexpected error of an unknown kind", ExitStatus::failed, before_message);
  }
}

}  // namespace hiple::program
