# The third parties of the libraries, each found once under one name. The installed package includes this file too.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(nlohmann_json REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C HL)
find_package(yaml-cpp REQUIRED)
find_package(Boost REQUIRED)
find_package(hwy REQUIRED CONFIG)
find_package(Eigen3 REQUIRED NO_MODULE)
if(NOT HIPLE_FUZZ) # what is fuzzed starts no threads, and clang's OpenMP is one package more
  find_package(OpenMP REQUIRED COMPONENTS CXX) # to tell oneDNN how many threads a rank has
endif()

if(NOT TARGET yaml-cpp::yaml-cpp) # 0.7 exports a plain name
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()

# hiple_find_library(TARGET header library): libraries without a usable package file. Debian's package file of oneDNN insists on
# OpenCL, which a CPU build does not need.
function(hiple_find_library target header library)
  string(MAKE_C_IDENTIFIER ${library} name)
  find_path(${name}_INCLUDE_DIR ${header} REQUIRED)
  find_library(${name}_LIBRARY ${library} REQUIRED)
  add_library(${target} UNKNOWN IMPORTED)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${${name}_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${${name}_INCLUDE_DIR})
endfunction()
hiple_find_library(csv::csv csv.h csv)
hiple_find_library(DNNL::dnnl oneapi/dnnl/dnnl.hpp dnnl)
hiple_find_library(Z3::z3 z3++.h z3)
hiple_find_library(seccomp::seccomp seccomp.h seccomp)
