// The kernel launches of any program, as the recorder (gpu/recorder) saw them, and which to
// profile.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace pnsim::gpu {

using Extent = std::array<std::int64_t, 3>;  // x, y, z

struct RecordedLaunch {
  std::string kernel;  // demangled where that is possible, with template arguments and parameters
  std::string symbol;  // the name in the code
  Extent grid{}, block{};
  std::int64_t shared_bytes = 0;  // per block, static and dynamic
  std::int64_t invocation = 0;    // from 1, among launches of its kernel (the symbol)
  std::int64_t number = 0;        // from 1, among launches of its kind
  // Other kernels that were launched since this kernel's last launch. Nothing at its first one.
  std::optional<std::int64_t> others_before;
  std::int64_t of_kind = 1;  // of a chosen launch: launches of its kind in the program
  double of_kind_us = 0;     // and their time, the sum of time_us
  double time_us = 0;        // from start to end on the GPU, without launch overhead
  // Of the timed runs with one kind of record (gpu/record.h); after agree(), time_us is their
  // median.
  std::vector<double> all_times_us;
};

// The name without return type, namespaces, template arguments and parameters.
std::string kernel_base_name(std::string_view name);

// Reads the file of the recorder. Errors 3 with the line: a row of another form, a file without its
// last row (the program was killed), or records that CUPTI dropped.
std::vector<RecordedLaunch> read_recorded_launches(const std::string& text,
                                                   const std::string& origin);

// The launches that all runs made: those with the same kind, invocation and number. The order is
// that of the first run.
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

// A kernel (its symbol) with one grid, block and shared memory.
using Kind = std::tuple<std::string, Extent, Extent, std::int64_t>;
Kind kind_of(const RecordedLaunch& launch);

}  // namespace pnsim::gpu
