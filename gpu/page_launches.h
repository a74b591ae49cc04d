// The launches of the profiler's page: which recorded launch each of them is, and what it
// represents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/recorded_launches.h"

namespace pnsim::gpu {

// One row of the profiler's raw page.
struct PageLaunch {
  std::string kernel;
  Extent grid{}, block{};
};

// For each row of the page the recorded launch that it is: base name, grid and block must agree. As
// many rows as can be are matched in launch order, and then the others in any order. None for a
// launch that not all timed runs made. Error 3 naming the first row where no row has a launch.
std::vector<std::optional<RecordedLaunch>> match_page(const std::vector<PageLaunch>& page,
                                                      const std::vector<RecordedLaunch>& launches,
                                                      const std::string& origin);

// What a profiled launch represents in the program.
struct StoodFor {
  double launches = 0;  // 0 for a row of the page without a launch
  double us = 0;        // their measured time

  bool operator==(const StoodFor&) const = default;
};

// How many of the `made` launches of a kind its profiled ones represent: `firsts` first launches
// (RecordedLaunch::number is 1) and `laters` other ones.
struct LaunchShare {
  double first = 0, later = 0;  // of each
};
LaunchShare launch_share(double made, double firsts, double laters);

// [row] All rows of a kind together represent all launches of the kind, equally. The first launch
// of a kind represents itself only, where the kind has another row.
std::vector<StoodFor> stood_for(const std::vector<std::optional<RecordedLaunch>>& profiled);

}  // namespace pnsim::gpu
