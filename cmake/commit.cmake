# PNSIM_COMMIT: the commit the build was configured from; "unknown" without git.
set(PNSIM_COMMIT "unknown")
find_program(PNSIM_GIT git)
if(PNSIM_GIT AND EXISTS ${CMAKE_SOURCE_DIR}/.git)
  execute_process(COMMAND ${PNSIM_GIT} -C ${CMAKE_SOURCE_DIR} describe --always --dirty --abbrev=12
                  OUTPUT_VARIABLE PNSIM_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE
                  RESULT_VARIABLE PNSIM_GIT_RESULT ERROR_QUIET)
  if(NOT PNSIM_GIT_RESULT EQUAL 0)
    set(PNSIM_COMMIT "unknown")
  endif()
endif()
