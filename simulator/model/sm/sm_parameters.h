// The parameters of a net that walks programs (models/nets/sm.json): what one SM executes, in
// cycles of its units. All rates and latencies are facts of the device; nothing is fitted to
// kernels. The stages that lead to them are in pipeline.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/count_changes.h"
#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/sm/first_blocks.h"
#include "simulator/model/sm/row_segments.h"
#include "simulator/model/template/instantiate.h"

namespace pnsim {

// The template has the parameters that describe programs (K segments, Q loops ...).
bool walks_programs(const NetTemplate& net_template);

// Names of the parameters that sm_parameters() fills in and that cannot be set.
const std::vector<std::string>& program_parameters();

// Names of parameters that sm_parameters() fills in and that a user may override: cycles of the
// device, and of the units that segments use.
const std::vector<std::string>& settable_cycles();

// Sets `given` in `values`, which sm_parameters() made. One number given for a unit replaces the
// cycles of every segment that uses the unit. So memory=0 removes the bandwidth limit, and
// latency=400 gives all loads this latency; segments without loads do not change.
void set_cycles(const ParameterValues& given, ParameterValues& values);

// Multiplies the cycles that sm_parameters() made. Where a unit has cycles for each segment, the
// fractions are spread over the segments.
void multiply_cycles(const ParameterFactors& factors, ParameterValues& values);

// The parameter with the slots that each block may begin in. A template may lack it.
inline constexpr const char* kAdmits = "admits";

// Parameters of the busiest SM (kAdmits only for FirstBlocks::kInTheirOrder): its blocks and their
// resident number. The kinds of blocks have the shares and the order that they have in the launch;
// with more than 8 kinds, neighbouring kinds are merged. Also fills in settable_cycles(). Error 3
// for a launch without programs, and for one that does not fit a net (bounds of instantiate.h).
// `rows` gets the segments of the launch that each row executes.
ParameterValues sm_parameters(const Launch& launch, const DeviceProfile& device,
                              FirstBlocks first = FirstBlocks::kInTheirOrder,
                              const Heuristics& heuristics = {}, const CountFactors& counts = {},
                              RowSegments* rows = nullptr);

struct SlotWarps;
// Names the segment that a row of a warp of the SM executes, for messages.
using SegmentName = std::function<std::string(std::size_t warp, std::size_t row)>;
// The parameters that rows of warps fill in: segments and loops. Error 5 for a segment of over 2^40
// cycles.
ParameterValues net_values(const SlotWarps& warps, double branch_cycles, const SegmentName& name);

}  // namespace pnsim
