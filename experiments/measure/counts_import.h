// Builds kernel models from the profiler's raw page and the manifest that names its launches.
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

// One profiled launch with the information that the manifest gives about it.
struct ProfiledPass {
  std::string program;
  Problem problem;
  Json input;  // {"distribution", "seed"}
  std::uint32_t pass = 0;
  ProfiledLaunch launch;
  std::optional<SourceCounts> source;  // present when a source page was given
  std::size_t source_sums = 0;         // number of its sums that equal those of the raw page
};

// The files of one profile: a raw page (`ncu --page raw --csv`), its manifest (gpu::manifest_line)
// and optionally the source page of the same report ("" for none). They are read together.
// read_counts() throws error 3 when the files disagree about the number of launches, a kernel, a
// grid or the threads, or when a sum of the source page differs from the raw page.
struct CountsFiles {
  std::string raw;
  std::string manifest;
  std::string source = "";
};
std::vector<ProfiledPass> read_counts(const CountsFiles& files);

// The launches of a point. Each kernel of a pass, in launch order, gives one entry for its first
// profiled pass and one for its last, or a single entry when their counts and shapes are equal. Of
// P = last + 1 passes the first entry stands for P - P / 2 and the second for P / 2. Throws error 3
// when the passes have different kernels.
RecordedPoint point_of(const std::vector<ProfiledPass>& passes);

// One model per program in order of appearance, with points in the order of the pages. `device` is
// the name of a profile. The default point is that of the catalogue if it was recorded, otherwise
// the first.
std::vector<KernelModel> models_of(const std::vector<ProfiledPass>& passes,
                                   const std::string& device, const Json& provenance);

// `fresh` plus the points of `old` that it lacks. Their provenance is kept as "other_points".
KernelModel merged(const KernelModel& old, KernelModel fresh);

// The spread of the counts between passes: (largest - smallest) / smallest; 0 for equal counts.
double spread_of(const std::vector<std::int64_t>& counts);

// One row per point of a program:
// {"id","kind":"counts","program","axes","input","device","passes":[..],
// "kernels":[{"kernel","grid","block","instructions":[a pass ..],"arithmetic","shared","global",
// "profiled_us","spread","counters":{..},"stalls":{..}}],"source_sums_equal","commit","date",
// "command"}. An array of equal numbers is shortened to one element. `counters` (kKeptCounters in
// counts_rows.cc) and `stalls` come from the first pass. `stalls` gives for each reason
// (gpu::stall_reason) its share of the warps' cycles; the shares add up to 1, and the key is absent
// when the page has no stall counters. source_sums_equal is the number of sums of the source page
// that were found equal to those of the raw page; null without a source page.
std::vector<Json> counts_rows(const std::vector<ProfiledPass>& passes, const Json& provenance);

}  // namespace pnsim::experiments
