// Estimates the profile of a GPU from that of a measured one and the figures of a data sheet.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "simulator/model/device/device_profile.h"

namespace pnsim {

// A figure of a data sheet, in the unit of the fact.
struct GivenFact {
  double value = 0;
  std::string source;  // where it is published; "": not stated
};
using GivenFacts = std::map<std::string, GivenFact>;

// What a fact is multiplied with. The ratios are those of the new GPU to the measured one: clock is
// clock_mhz, slices l2_slices, memory memory_bandwidth_peak, capacity l2_bytes.
struct ScaleRule {
  std::string name;  // "memory bandwidth": what it scales with
  std::string why;   // one sentence
  std::vector<std::string> facts;
};

// All rules. Facts that no rule has are kept: they are cycles or rates of an SM, or times of the
// driver.
std::span<const ScaleRule> scale_rules();

// The facts that a data sheet gives and that rules depend on, with the unit.
std::span<const std::pair<const char*, const char*>> sheet_facts();

// `given` may name any fact of `from`; memory_bandwidth stands for memory_bandwidth_peak. Facts
// that are given have the given value, facts of a rule are scaled, all others are kept; the source
// of each says which. max_threads_per_sm and max_warps_per_sm follow from each other. Without
// l2_slices, the slices scale with memory_bus_bits. Throws error 2 with the nearest name for an
// unknown fact, and for a value that is not over 0, not a whole number where one is counted, or
// over 100 times larger or smaller than that of `from` (a wrong unit), and for limits of threads
// that contradict each other; error 3 when `from` lacks a fact.
DeviceProfile scale_device(const DeviceProfile& from, const GivenFacts& given);

}  // namespace pnsim
