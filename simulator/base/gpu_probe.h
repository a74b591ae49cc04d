// Is there a GPU that can run CUDA here? Asked at run time; the driver is never linked.
#pragma once

namespace pnsim {

// Number of CUDA devices, 0 without a driver or a device.
int cuda_device_count();

}  // namespace pnsim
