// Which row of a microbenchmark is which fact of a device profile.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace pnsim::experiments {

// A fact is the value of the row with this bench and these settings. If several rows with further
// settings match (such as occupancies for a bandwidth), it is the largest value.
struct MeasuredFact {
  const char* key;  // key in the profile
  const char* bench;
  const char* settings;  // "axis=value axis=value"; SMS stands for the number of SMs
  const char* unit;      // unit in the profile
  double factor;         // from the row's unit to this unit
};

// Units of facts.
inline constexpr const char* kCycle = "cycle";
inline constexpr const char* kPerScheduler = "cycle of a scheduler";

// Facts of single units, which a profile may lack: a prediction that needs one says so.
std::span<const MeasuredFact> measured_tensor_facts();
std::span<const MeasuredFact> measured_arithmetic_facts();
std::span<const MeasuredFact> measured_copy_facts();
std::span<const MeasuredFact> measured_block_facts();

// All of them: those that every prediction of the SM net needs, then those of single units.
std::vector<MeasuredFact> measured_facts();

// True for a benchmark that measures how far the clock falls: its rows count although the driver
// has reduced the clock.
bool measures_throttling(std::string_view bench);

}  // namespace pnsim::experiments
