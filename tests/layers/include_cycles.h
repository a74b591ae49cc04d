// Cycles of includes between units. A unit is a header together with the sources of its name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pnsim::test {

// One shortest cycle of each set of units that include each other, sorted by its first unit:
// "simulator/net/a -> simulator/net/b -> simulator/net/a".
std::vector<std::string> include_cycles(const std::filesystem::path& root);

}  // namespace pnsim::test
