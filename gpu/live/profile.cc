#include <cuda_profiler_api.h>

#include <algorithm>

#include "gpu/checked_point.h"
#include "gpu/input_cache.h"
#include "gpu/live.h"
#include "gpu/live/checks.h"
#include "gpu/live/device_run.h"
#include "gpu/live_device.h"
#include "simulator/base/error.h"
#include "simulator/base/output.h"

namespace pnsim::gpu {
namespace {

// The profiler records the launches during the lifetime of this object.
class ProfiledRange {
 public:
  explicit ProfiledRange(const Stream& stream) : stream_(stream) {
    PNSIM_CUDA(cudaProfilerStart());
  }
  ~ProfiledRange() {
    cudaStreamSynchronize(stream_.get());
    cudaProfilerStop();
  }
  ProfiledRange(const ProfiledRange&) = delete;
  ProfiledRange& operator=(const ProfiledRange&) = delete;

 private:
  const Stream& stream_;
};

std::string manifest_lines(const ProfileItem& item, std::uint32_t pass, std::uint64_t& index) {
  std::string lines;
  for (const Launch& launch : shapes_of_launches(item.point)) {
    lines += manifest_line(item.point, {index++, launch.kernel, launch.grid.count(),
                                        launch.block.count(), pass}) +
             "\n";
  }
  return lines;
}

// Runs all passes, profiles the selected ones, and appends their launches to the manifest.
void run_item(const ProfileItem& item, InputCache& inputs, std::uint64_t& index,
              std::string& manifest) {
  check_point(item.point);
  check_profiled(item.point.program);
  const PreparedInput& input = inputs.get(item.point);
  DeviceRun run(item.point, input);
  run.poison_targets();
  const Stream stream;
  for (std::uint32_t pass = 0; pass < run.passes(); ++pass) {
    if (std::find(item.passes.begin(), item.passes.end(), pass) == item.passes.end()) {
      run.run_pass(pass, stream.get());
      continue;
    }
    stream.wait();  // earlier work must not enter the profile
    const ProfiledRange range(stream);
    run.run_pass(pass, stream.get());
    manifest += manifest_lines(item, pass, index);
  }
  stream.wait();
  check_output(item.point, run.result(), input.expected);
}

}  // namespace

void run_for_profiler(const std::vector<ProfileItem>& plan, const std::string& manifest_path,
                      InputCache& inputs) {
  need_device();
  std::uint64_t index = 0;
  std::string manifest;
  for (const ProfileItem& item : plan) run_item(item, inputs, index, manifest);
  write_file_whole(manifest_path, manifest);
}

}  // namespace pnsim::gpu
