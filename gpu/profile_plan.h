// Selects the launches to profile, and writes the manifest that identifies each of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/point.h"

namespace pnsim::gpu {

struct ProfileItem {
  Point point;
  std::vector<std::uint32_t> passes;  // the selected passes, ascending
};

// Selects the first and the last pass; with `all_passes` every pass at the program's default
// values.
ProfileItem profile_item(const Point& point, bool all_passes = false);

// Error 2 unless the program has own kernels, from which a model can be derived.
void check_profiled(const std::string& program);

// Every point of the program's axes; the last axis varies fastest. One plan is one process, because
// starting the profiler takes longer than a launch.
std::vector<ProfileItem> profile_plan(const Program& program, const Input& input);

// One profiled launch. Its index counts the profiled launches of the process from 0: the "ID"
// column of the profiler's raw page.
struct ManifestRow {
  std::uint64_t index = 0;
  std::string kernel;
  unsigned grid = 0;          // blocks
  unsigned launch_block = 0;  // threads per block of this launch (a scan has its own)
  std::uint32_t pass = 0;
};

// {"index","program",<one key per axis>,"pass","kernel","grid","threads",
//  "input":{"distribution","seed"}}
std::string manifest_line(const Point& point, const ManifestRow& row);

}  // namespace pnsim::gpu
