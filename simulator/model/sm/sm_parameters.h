// The parameters of a net that walks programs (models/nets/sm.json): what one SM executes, in
// cycles of its units. All rates and latencies are facts of the device; nothing is fitted to
// kernels. The stages that lead to them are in pipeline.h.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/sm/first_blocks.h"
#include "simulator/model/template/instantiate.h"

namespace pnsim {

// The template has the parameters that describe programs (K segments, Q loops ...).
bool walks_programs(const NetTemplate& net_template);

// Names of the parameters that sm_parameters() fills in and that cannot be set.
const std::vector<std::string>& program_parameters();

// Names of those that sm_parameters() fills in and that may be set instead: cycles of the device,
// and of the units that segments go through.
const std::vector<std::string>& settable_cycles();

// Sets `given` in `values`, which sm_parameters() made. One number for a unit that segments pass is
// that of every segment that uses the unit. So memory=0 removes the limit of bandwidth, latency=400
// makes all loads as long, and a segment without loads still waits for nothing.
void set_cycles(const ParameterValues& given, ParameterValues& values);

// The parameter that says which blocks may begin in which slot. A template need not have it.
inline constexpr const char* kAdmits = "admits";

// Parameters of the busiest SM (kAdmits only for FirstBlocks::kInTheirOrder): its blocks, as many
// at a time as are resident, of each kind of block as many as in the launch, in its order. With
// more than 8 kinds neighbours are merged. Also fills in settable_cycles(). Error 3 for a launch
// without programs, and for one that does not fit a net (bounds of instantiate.h).
ParameterValues sm_parameters(const Launch& launch, const DeviceProfile& device,
                              FirstBlocks first = FirstBlocks::kInTheirOrder,
                              const Heuristics& heuristics = {});

struct SlotWarps;
// The parameters that rows of warps fill in: segments and loops. Error 5 for a segment of over 2^40
// cycles.
ParameterValues net_values(const SlotWarps& warps, double branch_cycles);

}  // namespace pnsim
