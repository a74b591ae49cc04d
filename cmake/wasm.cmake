# The simulator as WebAssembly (preset `wasm`, built by ./pnsim.sh page). Emscripten has its own C
# library: of the system's headers it may see only those of the packages that are headers alone.
set(packages ${CMAKE_BINARY_DIR}/packages)
file(MAKE_DIRECTORY ${packages})
foreach(header boost nlohmann spdlog fmt CLI)
  if(NOT EXISTS /usr/include/${header})
    message(FATAL_ERROR "/usr/include/${header} is missing; ./pnsim.sh page installs it")
  endif()
  file(CREATE_LINK /usr/include/${header} ${packages}/${header} SYMBOLIC)
endforeach()
# Random123 refuses processors on which its authors have not tried it; our vectors try it on this one.
set(features ${packages}/Random123/features/gccfeatures.h)
if(NOT EXISTS ${features})
  file(COPY /usr/include/Random123 DESTINATION ${packages})
  file(READ ${features} text)
  string(REPLACE "!defined(__riscv)" "!defined(__riscv) && !defined(__wasm__)" text "${text}")
  file(WRITE ${features} "${text}")
endif()
add_compile_options(-isystem ${packages})
foreach(name Boost::boost nlohmann_json::nlohmann_json CLI11::CLI11 spdlog::spdlog Threads::Threads)
  add_library(${name} INTERFACE IMPORTED)
endforeach()
set(RANDOM123_INCLUDE_DIR ${packages})

# Debian's library of pugixml is for this machine: its source is compiled here.
set(pugixml ${CMAKE_SOURCE_DIR}/build/pugixml/src)
if(NOT EXISTS ${pugixml}/pugixml.cpp)
  message(FATAL_ERROR "${pugixml} holds no pugixml.cpp; ./pnsim.sh page fetches the source of Debian's pugixml")
endif()
add_library(pugixml_source STATIC ${pugixml}/pugixml.cpp)
target_include_directories(pugixml_source SYSTEM PUBLIC ${pugixml})
set(PNSIM_XML pugixml_source)

# Exceptions and SIMD of WebAssembly: every browser since 2023 and node since 17 have both.
add_compile_options(-fwasm-exceptions -msimd128 -mbulk-memory)
add_link_options(-fwasm-exceptions)
add_compile_definitions(FMT_HEADER_ONLY)
