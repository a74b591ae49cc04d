#include "gpu/live/checks.h"

#include "gpu/live.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {

void need_device() {
  if (const auto reason = unavailable_reason()) fail_unavailable(*reason);
}

void check_sorted(const Point& point, const std::vector<std::uint32_t>& found,
                  const std::vector<std::uint32_t>& expected) {
  if (const auto wrong = difference(found, expected)) {
    throw Error(ExitCode::kCheckFailed, describe(point) + ": " + std::to_string(wrong->wrong_keys) +
                                            " keys are wrong; " + wrong->first);
  }
}

}  // namespace pnsim::gpu
