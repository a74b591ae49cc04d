// Which room of the project may include which, and the lines that break it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim::test {

// The folders whose headers the sources of `folder` (and of the folders below it) may include. The
// longest matching folder decides. This is the table of CONTRIBUTING.md.
struct Room {
  std::string folder;
  std::vector<std::string> may_include;  // exactly these folders
};
const std::vector<Room>& rooms();

// The file between the quotes of an #include line; "" for any other line.
std::string included_header(const std::string& line);

// Every .h, .cc, .cu and .cuh below simulator, gpu and experiments of `root`, sorted; relative.
std::vector<std::string> source_files(const std::filesystem::path& root);

// The same of tests.
std::vector<std::string> test_files(const std::filesystem::path& root);

// "simulator/net/x.cc:3: includes simulator/engine/law.h, which simulator/net may not", ...
std::vector<std::string> include_faults(const std::filesystem::path& root);

// "simulator/net/x.cc: 401 lines, expected at most 400", ...
std::vector<std::string> long_files(const std::filesystem::path& root, std::size_t limit);

// The text of one file.
std::string text_of(const std::filesystem::path& path);

}  // namespace pnsim::test
