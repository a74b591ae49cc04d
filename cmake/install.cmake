# cmake --install, find_package(pnsim) and packages.
include(CMakePackageConfigHelpers)

# Components: `programs` is what users run; `development` is for programs that use the libraries.
install(TARGETS pnsim experiment RUNTIME COMPONENT programs)
if(TARGET pnsim_recorder)  # `experiment profile` looks for it there
  install(TARGETS pnsim_recorder LIBRARY DESTINATION lib/pnsim COMPONENT programs)
endif()
set(data ${CMAKE_INSTALL_DATADIR}/pnsim)
install(DIRECTORY models results DESTINATION ${data} COMPONENT programs)
install(DIRECTORY experiments/specs experiments/documents DESTINATION ${data}/experiments
        COMPONENT programs FILES_MATCHING PATTERN "*.json")
install(DIRECTORY experiments/others DESTINATION ${data}/experiments COMPONENT programs)
# The page, where ./pnsim.sh page has built it.
install(FILES build/page/pnsim.html DESTINATION ${data} COMPONENT programs OPTIONAL)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs RENAME copyright)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)

# A program prints its own manual page. A program for another processor cannot be asked.
if(NOT CMAKE_CROSSCOMPILING)
  foreach(program pnsim experiment)
    set(page ${CMAKE_BINARY_DIR}/${program}.1)
    add_custom_command(OUTPUT ${page}.gz VERBATIM
      COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${program}> -D PAGE=${page}
              -P ${CMAKE_CURRENT_LIST_DIR}/manual.cmake
      DEPENDS ${program} ${CMAKE_CURRENT_LIST_DIR}/manual.cmake)
    list(APPEND pages ${page}.gz)
    # Whoever built the programs alone has no pages yet.
    install(CODE "
      if(NOT EXISTS \"${page}.gz\")
        execute_process(RESULT_VARIABLE result COMMAND \"${CMAKE_COMMAND}\"
          -D \"PROGRAM=$<TARGET_FILE:${program}>\" -D \"PAGE=${page}\"
          -P \"${CMAKE_CURRENT_LIST_DIR}/manual.cmake\")
        if(NOT result EQUAL 0)
          message(FATAL_ERROR \"no manual page of ${program}: found exit code \${result}\")
        endif()
      endif()
      " COMPONENT programs)
  endforeach()
  add_custom_target(manuals ALL DEPENDS ${pages})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT programs)
endif()

# Shell completion: one script a shell, for both programs.
set(completion ${CMAKE_BINARY_DIR}/completion)
foreach(PROGRAM pnsim experiment)
  configure_file(cmake/completion/bash.in ${completion}/bash/${PROGRAM} @ONLY)
  configure_file(cmake/completion/zsh.in ${completion}/zsh/_${PROGRAM} @ONLY)
  configure_file(cmake/completion/fish.in ${completion}/fish/${PROGRAM}.fish @ONLY)
endforeach()
set(share ${CMAKE_INSTALL_DATADIR})
install(DIRECTORY ${completion}/bash/ DESTINATION ${share}/bash-completion/completions
        COMPONENT programs)
install(DIRECTORY ${completion}/fish/ DESTINATION ${share}/fish/vendor_completions.d
        COMPONENT programs)
# Debian's zsh looks there below /usr, and in site-functions below /usr/local.
install(CODE "
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr$\")
    set(folder ${share}/zsh/vendor-completions)
  else()
    set(folder ${share}/zsh/site-functions)
  endif()
  file(INSTALL \"${completion}/zsh/\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/\${folder}\")
  " COMPONENT programs)

# The libraries with their headers, as pnsim::base ... pnsim::analysis.
set(libraries base net engine model analysis)
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/pnsim)
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/pnsim)
foreach(library ${libraries})
  set_target_properties(pnsim_${library} PROPERTIES EXPORT_NAME ${library})
  target_include_directories(pnsim_${library} INTERFACE $<INSTALL_INTERFACE:${headers}>)
  install(TARGETS pnsim_${library} EXPORT pnsim ARCHIVE COMPONENT development)
  install(DIRECTORY simulator/${library} DESTINATION ${headers}/simulator COMPONENT development
          FILES_MATCHING PATTERN "*.h")
endforeach()
# What is linked with instrumented libraries is linked with the sanitizer, too.
if(PNSIM_SANITIZE STREQUAL "address")
  target_link_options(pnsim_base INTERFACE $<INSTALL_INTERFACE:-fsanitize=address,undefined>)
elseif(PNSIM_SANITIZE STREQUAL "thread")
  target_link_options(pnsim_base INTERFACE $<INSTALL_INTERFACE:-fsanitize=thread>)
endif()
install(EXPORT pnsim NAMESPACE pnsim:: DESTINATION ${config} FILE pnsimTargets.cmake
        COMPONENT development)
configure_package_config_file(cmake/pnsimConfig.cmake.in ${CMAKE_BINARY_DIR}/pnsimConfig.cmake
  INSTALL_DESTINATION ${config} PATH_VARS data NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/pnsimConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/pnsimConfig.cmake ${CMAKE_BINARY_DIR}/pnsimConfigVersion.cmake
        DESTINATION ${config} COMPONENT development)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libpnsim-dev RENAME copyright
        COMPONENT development)  # which Debian wants of each package

include(cmake/package.cmake)
