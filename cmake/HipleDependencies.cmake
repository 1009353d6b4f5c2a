# Every third party is found here, once, and has one name for the folder that knows it.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(nlohmann_json REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost REQUIRED)
find_package(MPI REQUIRED COMPONENTS C)
find_package(hwy REQUIRED CONFIG)

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

# CUDA and NCCL are found or done without; ON refuses to go on without them.
set(HIPLE_HAS_CUDA FALSE)
if(NOT HIPLE_CUDA STREQUAL "OFF")
  find_package(CUDAToolkit QUIET)
  if(CUDAToolkit_FOUND)
    set(HIPLE_HAS_CUDA TRUE)
  elseif(HIPLE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "HIPLE_CUDA=ON, but no CUDA Toolkit was found. Set CUDAToolkit_ROOT, or choose HIPLE_CUDA=AUTO.")
  endif()
endif()
message(STATUS "CUDA: ${HIPLE_HAS_CUDA} (HIPLE_CUDA=${HIPLE_CUDA})")
