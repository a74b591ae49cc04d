#include "tests/layers/house_rules.h"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "tests/layers/include_rules.h"

namespace pnsim::test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The folders of the sources and all folders around them, but for `simulator`.
std::set<std::string> folders_of_sources(const std::filesystem::path& root) {
  std::set<std::string> folders;
  for (const std::string& file : source_files(root)) {
    for (auto folder = std::filesystem::path(file).parent_path(); !folder.empty();
         folder = folder.parent_path()) {
      folders.insert(folder.generic_string());
    }
  }
  folders.erase("simulator");
  return folders;
}

}  // namespace

std::vector<std::string> readme_faults(const std::filesystem::path& root) {
  std::vector<std::string> faults;
  for (const std::string& folder : folders_of_sources(root)) {
    const std::filesystem::path readme = root / folder / "README.md";
    if (!std::filesystem::is_regular_file(readme)) {
      faults.push_back(folder + ": no README.md");
      continue;
    }
    const std::size_t lines = lines_of(text_of(readme)).size();
    if (lines >= 5 && lines <= 15) continue;
    faults.push_back(folder + ": README.md has " + std::to_string(lines) +
                     " lines, expected 5 to 15");
  }
  return faults;
}

std::vector<std::string> test_name_faults(const std::filesystem::path& root) {
  static const std::regex kTest(
      R"(^(?:TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(\s*(\w+),\s*(\w+))");
  static const std::regex kSubject("[A-Z][A-Za-z0-9]*");
  static const std::regex kBehaviour("(?!(?:Of|Who|Whoever)[A-Z0-9])[A-Z][A-Za-z0-9]*");
  std::vector<std::string> faults;
  for (const std::string& file : test_files(root)) {
    const std::vector<std::string> lines = lines_of(text_of(root / file));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!lines[i].starts_with("TEST") && !lines[i].starts_with("TYPED_TEST") &&
          !lines[i].starts_with("RC_GTEST")) {
        continue;  // most lines; a regex is slow
      }
      const std::string text = lines[i] + (i + 1 < lines.size() ? lines[i + 1] : "");
      std::smatch match;
      if (!std::regex_search(text, match, kTest)) continue;
      const std::string subject = match[1], behaviour = match[2];
      if (std::regex_match(subject, kSubject) && std::regex_match(behaviour, kBehaviour)) continue;
      faults.push_back(file + ":" + std::to_string(i + 1) + ": " + subject + ", " + behaviour);
    }
  }
  return faults;
}

}  // namespace pnsim::test
