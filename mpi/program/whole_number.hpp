#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace hiple::program {

/// An option whose value is a whole number from 0 to 2^64 - 1. CLI11 itself takes -1 for the largest number, cuts off what is too
/// large and reads 010 as octal; here each is an InputError.
CLI::Option* add_whole_number(CLI::App& command, const std::string& name, std::uint64_t& value, const std::string& help);

}  // namespace hiple::program
