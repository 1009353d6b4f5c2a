# `cmake --install` and find_package(hiple) for other projects.
include(CMakePackageConfigHelpers)
get_property(libraries GLOBAL PROPERTY HIPLE_LIBRARIES)
install(TARGETS ${libraries} EXPORT hiple ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT hiple FILE hiple-targets.cmake NAMESPACE hiple:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hiple)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hiple FILES_MATCHING PATTERN "*.hpp")
configure_package_config_file(cmake/hiple-config.cmake.in ${PROJECT_BINARY_DIR}/hiple-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hiple)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hiple-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hiple-config.cmake ${PROJECT_BINARY_DIR}/hiple-config-version.cmake
  cmake/HipleLibraryDependencies.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hiple)
