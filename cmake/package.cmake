# cpack -G DEB: two Debian packages, pnsim and libpnsim-dev.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pnsim)
set(CPACK_PACKAGE_VENDOR "the pnsim authors")
# As Debian's tools name who packages. The domain .invalid is reserved: mail to it reaches nobody.
set(maintainer "the pnsim authors <pnsim@pnsim.invalid>")
if(NOT "$ENV{DEBEMAIL}" STREQUAL "" AND NOT "$ENV{DEBFULLNAME}" STREQUAL "")
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(CPACK_PACKAGE_CONTACT "${maintainer}" CACHE STRING "Maintainer of the packages")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_COMPONENTS_ALL programs development)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# Whatever the umask of who builds.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME pnsim)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION
"Petri-net performance model of GPU kernels
pnsim predicts the time of a CUDA kernel from its profile, and says where the
cycles go. No GPU is needed: profiles, device facts and measured times of an
NVIDIA H200 come with it. experiment compares predictions with measured times.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpnsim-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "pnsim (= ${PROJECT_VERSION}), libboost-dev, nlohmann-json3-dev, libpugixml-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"Petri-net performance model of GPU kernels: libraries and headers
The C++20 libraries behind pnsim, for programs that predict kernels themselves:
find_package(pnsim) gives pnsim::analysis and what it needs.")
include(CPack)
