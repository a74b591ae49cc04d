// Kernel models from the profiler's raw page and the manifest that names its launches.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/model/derive/derive.h"
#include "simulator/model/derive/source_check.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim::experiments {

inline constexpr std::size_t kMaxModelBytes = 1'200'000;

// One profiled launch with what the manifest says of it.
struct ProfiledPass {
  std::string program;
  Problem problem;
  Json input;  // {"distribution", "seed"}
  std::uint32_t pass = 0;
  ProfiledLaunch launch;
  std::optional<SourceCounts> source;  // where the source page is there
  std::size_t source_sums = 0;         // of it that equal the raw page's
};

// A raw page (`ncu --page raw --csv`), its manifest (gpu::manifest_line) and, unless it is "", the
// source page of the same report, read together. Error 3 where they do not fit: number of launches,
// kernel, grid or threads; a sum of the source page other than the raw page's.
struct CountsFiles {
  std::string raw;
  std::string manifest;
  std::string source = "";
};
std::vector<ProfiledPass> read_counts(const CountsFiles& files);

// The launches of a point: for each kernel of a pass, in launch order, an entry of its first
// profiled pass and one of its last, or one entry where their counts and shapes are equal. Of P =
// last + 1 passes the first entry stands for P - P / 2 and the second for P / 2. Error 3 when
// passes differ in their kernels.
RecordedPoint point_of(const std::vector<ProfiledPass>& passes);

// One model a program, in order of appearance, points in the order of the pages. `device` is the
// name of the profile. The default point is the catalogue's when it was recorded, else the first.
std::vector<KernelModel> models_of(const std::vector<ProfiledPass>& passes,
                                   const std::string& device, const Json& provenance);

// `fresh` with the points of `old` that it has not; their provenance is kept as "other_points".
KernelModel merged(const KernelModel& old, KernelModel fresh);

// How far passes differ: (largest - smallest) / smallest count, 0 for equal ones.
double spread_of(const std::vector<std::int64_t>& counts);

// One row a point of a program:
// {"id","kind":"counts","program","axes","input","device","passes":[..],
// "kernels":[{"kernel","grid","block","instructions":[a pass ..],"arithmetic","shared","global",
// "profiled_us","spread","counters":{..},"stalls":{..}}],"source_sums_equal","commit","date",
// "command"}. An array with equal numbers is cut to one. `counters` are of the first pass
// (kKeptCounters in counts_rows.cc), and so are `stalls`: by reason (gpu::stall_reason) the share
// of the warps' cycles, which add up to 1; not there where the page has none. source_sums_equal is
// how many sums of the source page were compared with the raw page's and are equal to it, null
// without a source page.
std::vector<Json> counts_rows(const std::vector<ProfiledPass>& passes, const Json& provenance);

}  // namespace pnsim::experiments
