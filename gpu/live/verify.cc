#include "gpu/catalogue.h"
#include "gpu/input_cache.h"
#include "gpu/live.h"
#include "gpu/live/checks.h"
#include "gpu/live/device_run.h"
#include "gpu/live_device.h"

namespace pnsim::gpu {
namespace {

void compare(const Words& found, const Expected& expected, const std::string& what,
             Verification& verification) {
  const auto wrong = difference(found, expected);
  if (!wrong) return;
  verification.wrong_elements += wrong->wrong_elements;
  if (verification.first_difference.empty()) {
    verification.first_difference = what + ": " + wrong->first;
  }
}

}  // namespace

Verification verify_on_device(const Point& point, InputCache& inputs) {
  need_device();
  const PreparedInput& input = inputs.get(point);
  const Reference& reference = *find_program(point.program).reference;
  DeviceRun run(point, input);
  Stream stream;
  Verification verification;
  Words before = input.input;
  for (std::uint32_t pass = 0; pass < run.passes(); ++pass) {
    run.poison_target(pass, stream.get());
    run.run_pass(pass, stream.get());
    stream.wait();
    ++verification.passes;
    if (reference.after_pass == nullptr) continue;
    before = reference.after_pass(before, pass);
    compare(run.after_pass(pass), {before, {}}, "pass " + std::to_string(pass), verification);
  }
  compare(run.result(), input.expected, "end", verification);
  compare(run.input(), {input.input, {}}, "input after the run", verification);
  return verification;
}

}  // namespace pnsim::gpu
