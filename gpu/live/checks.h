// Checks at the start of live runs.
#pragma once

namespace pnsim::gpu {

// Error 4 with the remedy when no kernel can run on this machine.
void need_device();

}  // namespace pnsim::gpu
