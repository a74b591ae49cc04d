#include "gpu/live/checks.h"

#include "gpu/live.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {

void need_device() {
  if (const auto reason = unavailable_reason()) fail_unavailable(*reason);
}

}  // namespace pnsim::gpu
