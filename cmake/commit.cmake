# PNSIM_COMMIT: the commit the build was configured from; "unknown" without git. A commit makes the next build
# configure anew.
set(PNSIM_COMMIT "unknown")
find_program(PNSIM_GIT git)
if(PNSIM_GIT AND EXISTS ${CMAKE_SOURCE_DIR}/.git)
  execute_process(COMMAND ${PNSIM_GIT} -C ${CMAKE_SOURCE_DIR} describe --always --dirty --abbrev=12
                  OUTPUT_VARIABLE PNSIM_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE
                  RESULT_VARIABLE PNSIM_GIT_RESULT ERROR_QUIET)
  if(NOT PNSIM_GIT_RESULT EQUAL 0)
    set(PNSIM_COMMIT "unknown")
  endif()
  execute_process(COMMAND ${PNSIM_GIT} -C ${CMAKE_SOURCE_DIR} rev-parse --path-format=absolute --git-path logs/HEAD
                  OUTPUT_VARIABLE PNSIM_GIT_LOG OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(PNSIM_GIT_LOG AND EXISTS ${PNSIM_GIT_LOG})
    set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PNSIM_GIT_LOG})
  endif()
endif()
