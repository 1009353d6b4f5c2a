#include "scaling/record/metadata.hpp"

#include <mpi.h>
#include <sys/utsname.h>

#include <array>

#include "base/build_info.hpp"
#include "base/date.hpp"
#include "engine/kernels_product.hpp"
#include "engine/machine.hpp"
#include "run/host.hpp"

namespace hiple::scaling {

namespace {

/// The first line: Open MPI adds its build's date and more.
std::string mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  if (MPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) return "unknown";
  const std::string version(text.data(), static_cast<std::size_t>(length));
  return version.substr(0, version.find_first_of("\n,"));
}

std::string kernel() {
  struct utsname name {};
  return ::uname(&name) == 0 ? std::string(name.sysname) + " " + name.release : "unknown";
}

}  // namespace

nlohmann::ordered_json metadata() {
  const BuildInfo& build = build_info();
  return {{"revision", build.revision},
          {"compiler", build.compiler},
          {"flags", build.build_type + (build.flags.empty() ? "" : " " + build.flags)},
          {"host", host_name()},
          {"processor", processor_name()},
          {"kernel", kernel()},
          {"mpi", mpi_version()},
          {"onednn", engine::product_library_version()},
          {"instructions", engine::instruction_set()},
          {"started", utc_now()}};
}

}  // namespace hiple::scaling
