# `cpack` in the build folder makes a Debian package of what `cmake --install` installs. The libraries that it needs become its
# dependencies by what the programs link, in the versions of the machine that made it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The HIPLE maintainers <maintainers@hiple.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS openmpi-bin)           # the launcher
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "graphviz, slurm-client") # drawn explanations; `hiple submit`
include(CPack)
