#include "simulator/model/derive/profile_pages.h"

#include <algorithm>
#include <numeric>

#include "simulator/base/json.h"
#include "simulator/model/derive/source_check.h"

namespace pnsim {
namespace {

void warn_of_unknown_opcodes(const std::string& source, ProfilePages& pages) {
  for (const ProfiledLaunch& launch : pages.launches) {
    for (const auto& [opcode, count] : launch.launch.unknown_opcodes) {
      pages.warnings.push_back(source + ": launch " + std::to_string(launch.id) + " (" +
                               launch.kernel + "): the opcode " + opcode + " is not known; its " +
                               std::to_string(count) +
                               " warp instructions count as arithmetic, class \"other\"");
    }
  }
}

// Differences occur where branches split warps: the profiler counts each metric in a run of its
// own.
void tell_differences(const std::vector<std::string>& differences, ProfilePages& pages) {
  if (differences.empty()) return;
  constexpr std::size_t kMostLines = 6;
  for (std::size_t i = 0; i < std::min(differences.size(), kMostLines); ++i) {
    pages.notes.push_back("tolerated: " + differences[i]);
  }
  if (differences.size() > kMostLines) {
    pages.notes.push_back("tolerated: " + std::to_string(differences.size() - kMostLines) +
                          " more such differences");
  }
  pages.notes.push_back(
      "where branches split warps, counts differ from one of the profiler's runs to the next: the "
      "source page's are taken");
}

}  // namespace

ProfilePages read_profile_pages(const std::string& raw, const std::string& source) {
  ProfilePages pages{read_ncu_raw(read_file(raw), raw), {}, {}};
  if (source.empty()) return pages;
  const SourceCheck check = check_against_source(pages.launches, read_file(source), source);
  tell_differences(check.differences, pages);
  add_programs(pages.launches, check.tables);
  const auto sums = std::accumulate(check.sums.begin(), check.sums.end(), std::size_t{0});
  pages.notes.push_back(source + ": " + std::to_string(sums) + " sums of " +
                        std::to_string(pages.launches.size()) + " launches equal the raw page's");
  warn_of_unknown_opcodes(source, pages);
  return pages;
}

}  // namespace pnsim
