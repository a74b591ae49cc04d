# cmake -D PROGRAM=build/pnsim -D PAGE=build/pnsim.1 -P manual.cmake
# Writes the program's manual page, and PAGE.gz, which has the same bytes for the same page.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}: found exit code ${result}, expected 0")
  endif()
endfunction()

run(${PROGRAM} manual OUTPUT_FILE ${PAGE})
run(gzip -9 -n -c ${PAGE} OUTPUT_FILE ${PAGE}.gz)
