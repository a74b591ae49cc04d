// The parts of gpu/live.h that need no GPU.
#include "gpu/catalogue.h"
#include "gpu/checked_point.h"
#include "gpu/host_run.h"
#include "gpu/input_cache.h"
#include "gpu/live.h"
#include "gpu/live_device.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {

std::string mode_name(Mode mode) {
  if (mode == Mode::kSingle) return "single";
  return mode == Mode::kWarm ? "warm" : "cold";
}

const DeviceFact& DeviceFacts::fact(std::string_view wanted) const {
  for (const DeviceFact& fact : facts) {
    if (fact.name == wanted) return fact;
  }
  throw Error(ExitCode::kInternal, "no device fact \"" + std::string(wanted) + "\"");
}

DeviceFacts device_of_program(const std::string& program) {
  return find_program(program).runner == Runner::kHost ? host_facts() : query_device();
}

Verification verify(const Point& point, InputCache& inputs) {
  check_point(point);
  if (find_program(point.program).runner == Runner::kHost) return verify_on_host(point, inputs);
  return verify_on_device(point, inputs);
}

Measurement measure(const Point& point, Mode mode, const SamplingRules& rules, InputCache& inputs) {
  check_point(point);
  if (find_program(point.program).runner == Runner::kHost) {
    return measure_on_host(point, mode, rules, inputs);
  }
  return measure_on_device(point, mode, rules, inputs);
}

void check_output(const Point& point, const Words& found, const Expected& expected) {
  if (const auto wrong = difference(found, expected)) {
    throw Error(ExitCode::kCheckFailed, describe(point) + ": " +
                                            std::to_string(wrong->wrong_elements) +
                                            " elements are wrong; " + wrong->first);
  }
}

}  // namespace pnsim::gpu
