// Which of a program's launches to profile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/recorded_launches.h"

namespace pnsim::gpu {

// Nsight Compute selects launches by kernels and numbers, so a choice has one of two forms.
enum class ChosenNumbers {
  // RecordedLaunch::number, in the kinds of some kernels.
  kOfKinds,
  // RecordedLaunch::invocation, in every kernel. This form is for kernels with more kinds than can
  // be profiled, such as those of a factorisation.
  kOfKernels
};

struct LaunchChoice {
  ChosenNumbers numbers_are = ChosenNumbers::kOfKinds;
  std::vector<std::string> symbols;      // of the kernels, ascending; none: every kernel
  std::vector<std::int64_t> numbers;     // ascending
  std::vector<RecordedLaunch> launches;  // in launch order
  std::size_t kinds = 0, kinds_taken = 0;
  std::size_t least = 0;     // launches of the smallest choice
  double share_of_time = 0;  // of all kernel time, of the kinds that are taken
};

// At most `most` launches. A choice represents the time of its kinds, less the difference between
// this time and what the chosen launches say of it (LaunchShare in page_launches.h).
//
// In the form kOfKinds, kernels with most represented time for each chosen launch are taken first.
// The numbers are those that represent most time: one number that is not the first, if possible;
// the first as well, which kinds with a single launch need; and others that add 1 % or more. In the
// form kOfKernels, the numbers that add most represented time for each launch are taken first. This
// form is used where it represents over 1 % more.
LaunchChoice choose_launches(const std::vector<RecordedLaunch>& launches, std::size_t most);

// The profiler's options for this choice. `may_end`: the program may be ended after the last chosen
// launch; the profiler can do that in the form kOfKernels only.
std::vector<std::string> selection_arguments(const LaunchChoice& choice, bool may_end);

}  // namespace pnsim::gpu
