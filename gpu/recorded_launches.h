// The kernel launches of any program, as the recorder (gpu/recorder) saw them: which to profile,
// and which launch of the profiler's page is which.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim::gpu {

using Extent = std::array<std::int64_t, 3>;  // x, y, z

struct RecordedLaunch {
  std::string kernel;  // demangled where that is possible, with template arguments and parameters
  Extent grid{}, block{};
  std::int64_t shared_bytes = 0;  // per block, static and dynamic
  std::int64_t invocation = 0;    // from 1, among launches of kernels with the same base name
  // Other kernels that were launched since this kernel's last launch. Nothing at its first one.
  std::optional<std::int64_t> others_before;
  std::int64_t of_kind = 1;  // of a chosen launch: launches of its kind in the program
  double time_us = 0;        // from start to end on the GPU, without launch overhead
  // Of the timed runs with one kind of record (gpu/record.h); after agree(), time_us is their
  // median.
  std::vector<double> all_times_us;
};

// The name without return type, namespaces, template arguments and parameters: the profiler counts
// the invocations of a kernel by this name.
std::string kernel_base_name(std::string_view name);

// Reads the file of the recorder. Errors 3 with the line: a row of another form, a file without its
// last row (the program was killed), or records that CUPTI dropped.
std::vector<RecordedLaunch> read_recorded_launches(const std::string& text,
                                                   const std::string& origin);

// The launches that all runs made: launch k of a run is that of the first run with the same base
// name, invocation, grid, block and shared memory. The order is that of the first run.
struct AgreedLaunches {
  std::vector<RecordedLaunch> launches;
  std::size_t differing = 0;  // launches of one run that not every run made, the most of any run
};
AgreedLaunches agree(const std::vector<std::vector<RecordedLaunch>>& runs);

// The launches that runs of both kinds of record made (gpu/record.h). Instrumentation makes blocks
// longer that take each other's place; a serial record is longer by `offset_us`, and at times by a
// microsecond more. So the time is the serial record's less the offset where that is shorter than
// the launch in every instrumented run, and else the instrumented one. What this takes for granted:
// serially, the program launches the same work, which finds the same data in L2 and the same clock.
AgreedLaunches without_instrumentation(const AgreedLaunches& instrumented,
                                       const AgreedLaunches& serial, double offset_us);

// Which launches to profile. A kind is a kernel with one grid, block and shared memory. The
// profiler selects by the invocation number for all kernels alike, so a number may include launches
// of other kernels; all of them count towards `most`. The numbers that add most kernel time per
// launch are taken first, while they fit. The first invocation of a kind (with its code and data
// not yet in the caches) represents it only where there is no other.
struct LaunchChoice {
  std::vector<std::int64_t> invocations;  // ascending
  std::vector<RecordedLaunch> launches;   // all that have one of these numbers, in launch order
  std::size_t kinds = 0, kinds_taken = 0;
  std::size_t least = 0;     // launches of the smallest choice, since a number is of every kernel
  double share_of_time = 0;  // of all kernel time, of the kinds that are taken
};
LaunchChoice choose_launches(const std::vector<RecordedLaunch>& launches, std::size_t most);

// The profiler's --kernel-id for these invocations of every kernel.
std::string kernel_id_argument(const std::vector<std::int64_t>& invocations);

// One row of the profiler's raw page.
struct PageLaunch {
  std::string kernel;
  Extent grid{}, block{};
};

// For each row of the page the recorded launch that it is: rows and launches are in launch order,
// and base name, grid and block must agree. None for a launch that not all timed runs made. Error 3
// naming the first row where no row has a launch.
std::vector<std::optional<RecordedLaunch>> match_page(const std::vector<PageLaunch>& page,
                                                      const std::vector<RecordedLaunch>& launches,
                                                      const std::string& origin);

// [row] how many launches of the program the profiled one stands for: all rows of a kind together
// for all launches of the kind, equally. A first invocation stands for itself only, where the kind
// has another row. 0 for a row without a launch.
std::vector<double> stood_for(const std::vector<std::optional<RecordedLaunch>>& profiled);

}  // namespace pnsim::gpu
