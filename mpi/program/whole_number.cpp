#include "mpi/program/whole_number.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

namespace hiple::program {

CLI::Option* add_whole_number(CLI::App& command, const std::string& name, std::uint64_t& value, const std::string& help) {
  const CLI::App* program = &command;
  while (program->get_parent() != nullptr) program = program->get_parent();
  const auto read = [&value, name, program](const std::string& text) {
    const auto number = parse_unsigned(text);
    if (!number)
      throw InputError(Place{program->get_name()}, name + " is \"" + text + "\"",
                       "it must be a whole number from 0 to 18446744073709551615, without sign or leading zeros",
                       "write a number such as 12");
    value = *number;
  };
  return command.add_option_function<std::string>(name, read, help);
}

}  // namespace hiple::program
