#include "gpu/live.h"
#include "gpu/live/checks.h"
#include "gpu/live/device_run.h"
#include "gpu/radix_shape.h"

namespace pnsim::gpu {
namespace {

void compare(const std::vector<std::uint32_t>& found, const std::vector<std::uint32_t>& expected,
             const std::string& what, Verification& verification) {
  const auto wrong = difference(found, expected);
  if (!wrong) return;
  verification.wrong_keys += wrong->wrong_keys;
  if (verification.first_difference.empty()) {
    verification.first_difference = what + ": " + wrong->first;
  }
}

}  // namespace

Verification verify(const Point& point, InputCache& inputs) {
  need_device();
  check_point(point);
  const PreparedInput& input = inputs.get(point.input, point.n);
  DeviceRun run(point, input.keys);
  Stream stream;
  Verification verification;
  std::vector<std::uint32_t> expected = input.keys;
  for (std::uint32_t pass = 0; pass < kPasses; ++pass) {
    run.poison_target(pass, stream.get());
    run.run_pass(pass, stream.get());
    stream.wait();
    expected = partition_by_bit(expected, pass);
    compare(run.after_pass(pass), expected, "pass " + std::to_string(pass), verification);
    ++verification.passes;
  }
  compare(run.result(), input.sorted, "end", verification);
  compare(run.input(), input.keys, "input after the sort", verification);
  return verification;
}

}  // namespace pnsim::gpu
