# Where programs find models/, results/ and experiments/ (simulator/base/data_files.h).
include(GNUInstallDirs)
# Of an installation: relative to its programs, so that it can be moved as a whole.
file(RELATIVE_PATH PNSIM_DATA_FOLDER
     ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/pnsim)
# Of programs in the build folder: the repository, which may be moved together with it.
get_filename_component(build_folder ${CMAKE_BINARY_DIR} REALPATH)
get_filename_component(repository ${CMAKE_SOURCE_DIR} REALPATH)
file(RELATIVE_PATH repository ${build_folder} ${repository})
file(WRITE ${CMAKE_BINARY_DIR}/data_folder.txt "${repository}\n")
