// The parts of gpu/live.h that need no GPU.
#include "gpu/live.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {

std::string mode_name(Mode mode) { return mode == Mode::kWarm ? "warm" : "cold"; }

const DeviceFact& DeviceFacts::fact(std::string_view wanted) const {
  for (const DeviceFact& fact : facts) {
    if (fact.name == wanted) return fact;
  }
  throw Error(ExitCode::kInternal, "no device fact \"" + std::string(wanted) + "\"");
}

}  // namespace pnsim::gpu
