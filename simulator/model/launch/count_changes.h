// Changed instruction counts of the warps of launches: `--set xa=100`, `--set "xg*=0.5"`. The names
// are those of the paper's net: xa arithmetic, xs shared and xg global instructions of a warp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/model/launch/launch.h"
#include "simulator/model/template/parameter_factors.h"

namespace pnsim {

struct CountChange {
  std::optional<std::int64_t> value;  // of every warp, in place of its own count
  double factor = 1;                  // on this value, or on the warp's own count
  bool operator==(const CountChange&) const = default;
};

struct CountChanges {
  CountChange arithmetic, shared, global;
  bool operator==(const CountChanges&) const = default;
};

// "xa", "xs", "xg"
std::span<const std::string> count_names();
bool is_count(std::string_view name);

// From values and factors by name; other names are ignored. Error 2 for several values of one
// count.
CountChanges count_changes(const ParameterValues& values, const ParameterFactors& factors);

// Changes the counts of the warps of a wave. The fractions that a factor leaves are spread over the
// warps in their order: the sum over the warps is scaled and rounded once.
void change_counts(const CountChanges& changes, std::vector<InstructionCounts>& warps);

// The same as factors on the counts of segments, which may become fractions.
struct CountFactors {
  double arithmetic = 1, shared = 1, global = 1;
  bool operator==(const CountFactors&) const = default;

  double of(InstructionClass cls) const;
};

// A value becomes the factor that gives the mean warp of the launch this count. Error 3 where no
// warp of the launch has such instructions.
CountFactors count_factors(const CountChanges& changes, const Launch& launch);

// Scales the instructions of each class and what they bring along: the sectors, look-ups and
// wavefronts of accesses; for arithmetic also dependence stalls and reads of registers. The order
// of the segments, what they wait for, barriers, branches and trip counts stay. Accesses of a class
// with the factor 0 disappear.
void scale_counts(const CountFactors& factors, Segment& segment);

// For a part of a program that has only counts: rounded to whole instructions.
InstructionCounts scaled_counts(const CountFactors& factors, InstructionCounts counts);

}  // namespace pnsim
