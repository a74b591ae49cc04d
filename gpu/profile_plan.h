// Which launches are profiled, and the manifest that names each of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/point.h"

namespace pnsim::gpu {

struct ProfileItem {
  Point point;
  std::vector<std::uint32_t> passes;  // the wanted ones, ascending
};

// The first and the last pass; with `all_passes` every one at the program's default values.
ProfileItem profile_item(const Point& point, bool all_passes = false);

// Error 2 unless the program has kernels of ours, of which a model can be made.
void check_profiled(const std::string& program);

// Every point of the program's axes, the last axis fastest. One plan is one process: the profiler's
// start-up costs more than a launch.
std::vector<ProfileItem> profile_plan(const Program& program, const Input& input);

// One profiled launch. Its index is its place among the profiled launches of the process, from 0:
// the "ID" column of the profiler's raw page.
struct ManifestRow {
  std::uint64_t index = 0;
  std::string kernel;
  unsigned grid = 0;          // blocks
  unsigned launch_block = 0;  // threads a block of this launch (a scan has its own)
  std::uint32_t pass = 0;
};

// {"index","program",<an axis each>,"pass","kernel","grid","threads",
//  "input":{"distribution","seed"}}
std::string manifest_line(const Point& point, const ManifestRow& row);

}  // namespace pnsim::gpu
