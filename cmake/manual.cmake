# cmake -D PROGRAM=build/pnsim -D PAGE=build/pnsim.1 -P manual.cmake
# Writes the program's manual page, and PAGE.gz, which has the same bytes for the same page.
execute_process(COMMAND ${PROGRAM} manual OUTPUT_FILE ${PAGE} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} manual: found exit code ${result}, expected 0")
endif()
file(ARCHIVE_CREATE OUTPUT ${PAGE}.gz PATHS ${PAGE} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9
     MTIME "1970-01-01")
