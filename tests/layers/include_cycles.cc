#include "tests/layers/include_cycles.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "tests/layers/include_rules.h"

namespace pnsim::test {
namespace {

using Units = std::map<std::string, std::set<std::string>>;  // unit -> units that it includes

std::string unit_of(const std::string& file) { return file.substr(0, file.rfind('.')); }

Units read_units(const std::filesystem::path& root) {
  Units units;
  const std::vector<std::string> files = source_files(root);
  for (const std::string& file : files) units[unit_of(file)];
  for (const std::string& file : files) {
    std::istringstream text(text_of(root / file));
    for (std::string line; std::getline(text, line);) {
      const std::string header = included_header(line);
      if (header.empty() || !units.count(unit_of(header))) continue;
      if (unit_of(header) != unit_of(file)) units[unit_of(file)].insert(unit_of(header));
    }
  }
  return units;
}

// For every unit that `start` reaches: the unit before it on a shortest way. `start` itself is
// among them when it lies on a cycle.
std::map<std::string, std::string> reached_from(const Units& units, const std::string& start) {
  std::map<std::string, std::string> before;
  std::vector<std::string> queue{start};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::string unit = queue[i];
    for (const std::string& next : units.at(unit)) {
      if (before.emplace(next, unit).second && next != start) queue.push_back(next);
    }
  }
  return before;
}

std::string cycle_text(const std::map<std::string, std::string>& before, const std::string& start) {
  std::string text = start;
  for (std::string unit = before.at(start); unit != start; unit = before.at(unit)) {
    text.insert(0, unit + " -> ");
  }
  return start + " -> " + text;
}

}  // namespace

std::vector<std::string> include_cycles(const std::filesystem::path& root) {
  const Units units = read_units(root);
  std::vector<std::string> cycles;
  std::set<std::string> told;
  for (const auto& [unit, includes] : units) {
    if (told.count(unit)) continue;
    const auto reached = reached_from(units, unit);
    if (!reached.count(unit)) continue;
    for (const auto& [other, before] : reached) {
      if (reached_from(units, other).count(unit)) told.insert(other);
    }
    cycles.push_back(cycle_text(reached, unit));
  }
  return cycles;
}

}  // namespace pnsim::test
