// Launches and devices that several tests of costs and of the net of an SM use.
#pragma once

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

inline const DeviceProfile& h200() {
  static const DeviceProfile device = load_device_profile("h200");
  return device;
}

inline Segment arithmetic(std::int64_t fp32, std::int64_t logic) {
  Segment segment;
  segment.classes = {{"fp32", fp32}, {"int", logic}};
  return segment;
}

// Each sector lies in a different line.
inline Segment load_of_lines(double lines) {
  Segment load;
  load.classes = {{"global_load", 1}};
  load.accesses.push_back({.access_class = "global_load",
                           .count = 1,
                           .bytes = 4,
                           .sectors = lines,
                           .tag_lookups = lines});
  return load;
}

inline ProgramItem item(std::size_t segment) {
  ProgramItem out;
  out.segment = segment;
  return out;
}

// 1056 blocks of one warp, 8 for each SM of an H200; `resident` of them run on an SM at a time.
// Each warp executes the segment once.
inline Launch one_segment_launch(const Segment& segment, std::int64_t resident) {
  Launch launch;
  launch.kernel = "one_segment";
  launch.grid = 1056;
  launch.block = 32;
  launch.resident_blocks = resident;
  launch.segments = {segment};
  launch.warp_kinds = {{1056, {item(0)}}};
  launch.block_kinds = {{1056, {{0, 1}}}};
  return launch;
}

inline ProgramItem loop(std::int64_t repeat, std::vector<ProgramItem> body) {
  ProgramItem out;
  out.repeat = repeat;
  out.body = std::move(body);
  return out;
}

// 10 blocks of 4 warps, without programs. Segment 0 begins, 1 makes a bulk copy of 16 KiB, and
// `segments` - 2 of them are empty.
inline Launch bulk_copying_launch(const char* kernel, std::size_t segments) {
  Launch launch;
  launch.kernel = kernel;
  launch.grid = 10;
  launch.block = 128;
  launch.resident_blocks = 1;
  launch.segments.resize(segments);
  launch.segments[0].classes = {{"int", 4}};
  launch.segments[1].classes = {{"bulk_copy", 1}};
  launch.segments[1].accesses.push_back(
      {.access_class = "bulk_copy", .count = 1, .bytes = 4, .sectors = 512, .tag_lookups = 128});
  return launch;
}

// Two kinds of warps in a block: one loops over a barrier, one ends at once.
inline Launch uneven_launch() {
  Launch launch;
  launch.kernel = "uneven";
  launch.grid = 264;
  launch.block = 64;
  launch.resident_blocks = 1;
  Segment work = arithmetic(5, 5), join = arithmetic(1, 0);
  join.end = SegmentEnd::kBarrier;
  launch.segments = {work, join};
  launch.warp_kinds = {{264, {loop(7, {item(0), item(1)}), item(0)}}, {264, {item(0)}}};
  launch.block_kinds = {{264, {{0, 1}, {1, 1}}}};
  return launch;
}

}  // namespace pnsim
