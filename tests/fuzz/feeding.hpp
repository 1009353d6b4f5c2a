#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.hpp"

/// What the feeds share.
namespace hiple::fuzz {

/// Throws std::logic_error where a promise is broken.
void check(bool holds, const std::string& promise);

/// A file with this content, in a folder of the process's own. The next call with the same name replaces it.
std::filesystem::path file_with(const std::string& name, std::string_view content);

/// Every problem of a refusal has a place and says what is wrong.
void check_refusal(const InputError& refusal);

/// Calls `read`, which may refuse.
template <class Read>
void refusing(const Read& read) {
  try {
    read();
  } catch (const InputError& refusal) {
    check_refusal(refusal);
  }
}

/// The result of `read`, which must not refuse: the input was made by us.
template <class Read>
auto accepting(const std::string& promise, const Read& read) {
  try {
    return read();
  } catch (const Error& refusal) {
    check(false, promise + ": " + refusal.what());
    throw;
  }
}

}  // namespace hiple::fuzz
