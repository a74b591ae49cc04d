// Runs a program with the recorder of its kernel launches (gpu/recorder).
#pragma once

#include <string>
#include <vector>

#include "gpu/recorded_launches.h"

namespace pnsim::gpu {

// The recorder's shared library: $PNSIM_RECORDER, beside the running program, or in ../lib/pnsim of
// its folder. Error 4 with the remedy when there is none: builds without CUPTI have none.
std::string find_recorder();

// What a time of the recorder is.
// kInstrumented: CUPTI's concurrent kernel records, as Nsight Systems and PyTorch's profiler have
//   them. CUPTI adds code to kernels, so every block takes its place on the SM longer (`experiment
//   microbench recorded_blocks`): launches of many short blocks take up to a third longer.
// kSerial: CUPTI's serial kernel records. Kernels are unchanged and run one at a time; the time
//   begins and ends outside of the kernel, and is longer by serial_offset_us().
enum class RecordKind { kInstrumented, kSerial };

// Runs `target` (a path and its arguments) with the recorder, which writes to `file`, and reads the
// file. Error 4 when the program fails, with its last lines, or launches no kernel. Error 5 when it
// runs longer than `limit_s` (0: no limit).
std::vector<RecordedLaunch> record_launches(const std::vector<std::string>& target,
                                            const std::string& recorder, const std::string& file,
                                            double limit_s = 0,
                                            RecordKind kind = RecordKind::kInstrumented);

// The launches that a microbenchmark (gpu/microbench.h) makes in a process of its own, by the
// program `experiment` beside this one; at most 60 s. Error 4 where it is not there or cannot run.
std::vector<RecordedLaunch> record_microbenchmark(const std::string& microbenchmark,
                                                  const std::string& recorder,
                                                  RecordKind kind = RecordKind::kInstrumented);

// Microseconds by which serial records are longer than instrumented ones where no block follows
// another on its SM: the median over the launches of `experiment microbench kernel_time`, which run
// on this GPU, recorded twice (about two seconds). Error 4 where they cannot run.
double serial_offset_us(const std::string& recorder);

}  // namespace pnsim::gpu
