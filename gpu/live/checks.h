// What every live run starts and ends with.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/point.h"

namespace pnsim::gpu {

// Error 4 with the remedy when no kernel can run here.
void need_device();

// Error 1 with the first difference when the sorted keys are not the expected ones.
void check_sorted(const Point& point, const std::vector<std::uint32_t>& found,
                  const std::vector<std::uint32_t>& expected);

}  // namespace pnsim::gpu
