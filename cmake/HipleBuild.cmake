# Flags that every target shares, and the functions that a folder's CMakeLists.txt calls.
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
find_program(HIPLE_CCACHE ccache)
if(HIPLE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths below the project count as relative, so that a second checkout finds what the first one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true ${HIPLE_CCACHE})
endif()

add_library(hiple_flags INTERFACE)
# GCC 12 sees uninitialised and overlapping strings where there are none (GCC bugs 105593 and 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(hiple_flags INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
endif()
# GCC contracts a*b+c into a fused operation by default; results must not depend on whether the processor has one.
target_compile_options(hiple_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wnon-virtual-dtor -Wold-style-cast -ffp-contract=off $<$<BOOL:${HIPLE_WARNINGS_AS_ERRORS}>:-Werror>)

# What reads files that others wrote checks every index, guards its stack and measures what it copies into, in release builds too. The
# loops of the law and of the engine do without: there it costs.
add_library(hiple_hardened INTERFACE)
target_compile_options(hiple_hardened INTERFACE -D_GLIBCXX_ASSERTIONS -fstack-protector-strong
  $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=3>)
# Every program looks its functions up when it starts, and cannot be told others afterwards. Two milliseconds of `hiple`'s start.
add_link_options($<$<CONFIG:Release>:LINKER:-z,relro,-z,now>)

# hiple_library(NAME [HARDENED] [SOURCES file...] USES target...): the library of one folder, from every .cpp in it unless told otherwise.
function(hiple_library name)
  cmake_parse_arguments(arg "HARDENED" "" "SOURCES;USES;PRIVATE_USES" ${ARGN})
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS *.cpp)
  endif()
  add_library(hiple_${name} ${arg_SOURCES})
  add_library(hiple::${name} ALIAS hiple_${name})
  set_target_properties(hiple_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(hiple_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/hiple>)
  target_compile_features(hiple_${name} PUBLIC cxx_std_20)
  target_link_libraries(hiple_${name} PUBLIC ${arg_USES} PRIVATE ${arg_PRIVATE_USES} $<BUILD_INTERFACE:hiple_flags>)
  if(arg_HARDENED)
    target_link_libraries(hiple_${name} PRIVATE $<BUILD_INTERFACE:hiple_hardened>)
  endif()
  set_property(GLOBAL APPEND PROPERTY HIPLE_LIBRARIES hiple_${name})
endfunction()

# hiple_cuda_object(VARIABLE FILE): compiles FILE, kernels and their launchers only, to an object whose path VARIABLE gets: for the A100,
# for H100 and H200, and as PTX for what comes after them. A call of nvcc, not CMake's language CUDA, which whoever links the library
# would have to enable too.
function(hiple_cuda_object variable file)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${file}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${HIPLE_CCACHE} ${CUDAToolkit_NVCC_EXECUTABLE} -std=c++20 -O3 -gencode arch=compute_80,code=sm_80
      -gencode arch=compute_90,code=[sm_90,compute_90] -Werror all-warnings -Xcompiler -fPIC,-Wall,-Wextra -I ${PROJECT_SOURCE_DIR}/src
      -MD -MF ${object}.d -c ${CMAKE_CURRENT_SOURCE_DIR}/${file} -o ${object}
    DEPENDS ${file} DEPFILE ${object}.d COMMENT "Building CUDA object ${file}.o" VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set(${variable} ${object} PARENT_SCOPE)
endfunction()

# hiple_program(NAME SOURCES file... USES target...): a program in bin/.
function(hiple_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_USES} hiple_flags)
endfunction()
