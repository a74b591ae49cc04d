// The clock of the SMs in a launch whose tensor cores work.
#pragma once

#include "simulator/model/device/device_facts.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// Cycles that a tensor core of the GPU is busy in a launch, on average over all of them. Products
// in double precision do not count: the clock hardly falls with them.
struct ProductCycles {
  double of_warps = 0;   // mma.sync
  double of_groups = 0;  // wgmma

  double all() const { return of_warps + of_groups; }
};
ProductCycles product_cycles(const Launch& launch, const DeviceFacts& facts);

// MHz, from the clocks that were measured with tensor cores busy for 10 to 80 % of the time
// (microbenchmark product_clock). `launch_cycles` are the cycles of the launch. It is the device's
// clock without products, and where the profile has no such clocks. The whole launch is taken to
// have it, although the times of DRAM and of the launch itself do not depend on it.
double clock_with_products(const ProductCycles& busy, double launch_cycles,
                           const DeviceFacts& facts);

}  // namespace pnsim
