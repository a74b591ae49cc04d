// Detects at run time whether a CUDA device is available. The driver is never linked.
#pragma once

namespace pnsim {

// Number of CUDA devices; 0 without a driver or a device.
int cuda_device_count();

}  // namespace pnsim
