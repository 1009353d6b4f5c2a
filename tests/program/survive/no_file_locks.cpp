// For LD_PRELOAD: a file system without locks, as a Lustre that is mounted without `flock`: fcntl refuses F_OFD_SETLK with
// ENOLCK.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>

#include <cstdarg>

namespace {

using Fcntl = int (*)(int, int, ...);

int call(int descriptor, int command, void* argument) {
  if (command == F_OFD_SETLK) {
    errno = ENOLCK;
    return -1;
  }
  static const auto original = reinterpret_cast<Fcntl>(::dlsym(RTLD_NEXT, "fcntl64"));
  return original(descriptor, command, argument);
}

}  // namespace

#define HIPLE_FCNTL(name)                                 \
  extern "C" int name(int descriptor, int command, ...) { \
    va_list list;                                         \
    va_start(list, command);                              \
    void* argument = va_arg(list, void*);                 \
    va_end(list);                                         \
    return call(descriptor, command, argument);           \
  }
#undef fcntl
#undef fcntl64
HIPLE_FCNTL(fcntl)
HIPLE_FCNTL(fcntl64)
