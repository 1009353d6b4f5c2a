#include "process/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "base/error.hpp"

namespace hiple::process {

void Descriptor::reset(int value) {
  if (value_ >= 0) ::close(value_);
  value_ = value;
}

int checked(int result, const std::string& doing) {
  if (result < 0) throw Error(doing + ": " + std::system_category().message(errno));
  return result;
}

std::pair<Descriptor, Descriptor> make_pipe() {
  std::array<int, 2> ends{};
  checked(::pipe2(ends.data(), O_CLOEXEC), "pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace hiple::process
