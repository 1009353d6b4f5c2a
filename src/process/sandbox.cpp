#include "process/sandbox.hpp"

#include <seccomp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>
#include <set>
#include <system_error>

#include "base/error.hpp"
#include "process/descriptor.hpp"

namespace hiple::process {

namespace {

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

/// libseccomp returns the negative error number.
void check(int result, const std::string& doing) {
  if (result < 0) throw Error("seccomp: " + doing + ": " + std::system_category().message(-result));
}

Filter allow_all() {
  Filter filter(seccomp_init(SCMP_ACT_ALLOW), seccomp_release);
  if (!filter) throw Error("seccomp: no memory for a filter");
  return filter;
}

void load(const Filter& filter) { check(seccomp_load(filter.get()), "the filter was not loaded"); }

}  // namespace

void refuse_internet() {
  const Filter filter = allow_all();
  for (const int family : {AF_INET, AF_INET6}) {
    check(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 1,
                           SCMP_A0(SCMP_CMP_MASKED_EQ, 0xffffffffU, static_cast<scmp_datum_t>(family))),
          "rule for sockets");
  }
  check(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EACCES), SCMP_SYS(io_uring_setup), 0), "rule for io_uring");
  load(filter);
}

void refuse_writes() {
  const Filter filter = allow_all();
  for (const int call : {SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(pwrite64), SCMP_SYS(pwritev), SCMP_SYS(pwritev2)}) {
    check(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSPC), call, 1,
                           SCMP_A0(SCMP_CMP_GT, static_cast<scmp_datum_t>(STDERR_FILENO))),
          "rule for writes");
  }
  load(filter);
}

std::string try_internet() {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return socket.open() ? "opened" : "refused (" + std::system_category().message(errno) + ")";
}

const std::vector<std::string>& speaking_libraries() {
  static const std::vector<std::string> names = {"libmpi",  "libopen-rte", "libopen-pal", "libpmix",
                                                 "libnccl", "librccl",     "libnvshmem",  "liboshmem"};
  return names;
}

std::vector<std::string> mapped_libraries(const std::vector<std::string>& names, pid_t process) {
  std::set<std::string> found;
  std::ifstream maps("/proc/" + (process == 0 ? "self" : std::to_string(process)) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto slash = line.rfind('/');
    if (slash == std::string::npos) continue;
    const std::string file = line.substr(slash + 1);
    if (std::any_of(names.begin(), names.end(), [&](const std::string& name) { return file.starts_with(name); }))
      found.insert(file);
  }
  return {found.begin(), found.end()};
}

}  // namespace hiple::process
