// What live runs start with.
#pragma once

namespace pnsim::gpu {

// Error 4 with the remedy when no kernel can run here.
void need_device();

}  // namespace pnsim::gpu
