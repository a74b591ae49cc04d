// Rules for README files and for the names of tests, and what breaks them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pnsim::test {

// Every folder that holds sources, and the folders around it, need a README.md of 5 to 15 lines:
// "simulator/net: no README.md", "gpu: README.md has 3 lines, expected 5 to 15". `simulator` itself
// needs none.
std::vector<std::string> readme_faults(const std::filesystem::path& root);

// Tests are named TEST(Subject, StatesABehaviour): words in CamelCase, no underscores, and the
// behaviour begins with neither "Of" nor "Who". "tests/net/a_test.cc:7: Net, adds_up".
std::vector<std::string> test_name_faults(const std::filesystem::path& root);

}  // namespace pnsim::test
