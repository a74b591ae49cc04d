#include "gpu/live/device_run.h"

#include <algorithm>

#include "gpu/catalogue.h"
#include "gpu/checked_point.h"
#include "gpu/input_cache.h"
#include "gpu/live.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

constexpr unsigned char kPoison = 0xCD;

const Point& checked(const Point& point) {
  check_point(point);
  return point;
}

std::size_t scratch_words_of(const KernelProgram& program, const Point& point, bool is_empty) {
  return is_empty ? 0 : program.scratch_words(point.axes);
}

dim3 dim3_of(const Extent& extent) { return dim3(extent.x, extent.y); }

// Error 4 on a GPU that lacks what the program needs.
const Point& runnable(const Point& point) {
  if (const auto reason = missing_capability(find_program(checked(point).program)))
    fail_unavailable(*reason);
  return point;
}

void run_launch(const Launch& launch, cudaStream_t stream) {
  Arguments values = launch.arguments;
  void* arguments[] = {values.data()};
  permit_shared_memory(launch);
  if (launch.is_cooperative) {
    PNSIM_CUDA(cudaLaunchCooperativeKernel(launch.function, dim3_of(launch.grid),
                                           dim3_of(launch.block), arguments, launch.shared_bytes,
                                           stream));
    return;
  }
  PNSIM_CUDA(cudaLaunchKernel(launch.function, dim3_of(launch.grid), dim3_of(launch.block),
                              arguments, launch.shared_bytes, stream));
}

}  // namespace

KernelProgram find_kernels(const std::string& name) {
  for (const KernelProgram& program : registered_programs()) {
    if (name == program.name) return program;
  }
  throw Error(ExitCode::kInternal,
              "the catalogue has " + name + ", but no file in gpu/kernels registers it");
}

std::optional<std::string> missing_capability(const Program& program) {
  if (program.capability == 0) return std::nullopt;
  int major = 0, minor = 0;
  PNSIM_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  PNSIM_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
  const int found = 10 * major + minor;
  if (program.only_this_capability ? found == program.capability : found >= program.capability)
    return std::nullopt;
  return program.name + " needs a GPU of compute capability " +
         std::to_string(program.capability / 10) + "." + std::to_string(program.capability % 10) +
         (program.only_this_capability ? "" : " or newer") + ", this one has " +
         std::to_string(major) + "." + std::to_string(minor);
}

void permit_shared_memory(const Launch& launch) {
  constexpr unsigned kWithoutPermission = 48 * 1024;
  if (launch.shared_bytes <= kWithoutPermission) return;
  PNSIM_CUDA(cudaFuncSetAttribute(launch.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(launch.shared_bytes)));
}

std::vector<Launch> shapes_of_launches(const Point& point) {
  const Program& row = find_program(point.program);
  if (row.runner != Runner::kKernels || row.reference->work(point).elements == 0) return {};
  return find_kernels(point.program).launches(point.axes, {});
}

DeviceRun::DeviceRun(const Point& point, const PreparedInput& input)
    : axes_(runnable(point).axes),
      program_(find_kernels(point.program)),
      passes_(find_program(point.program).passes),
      input_(input.input.size()),
      even_(input.expected.words.size()),
      odd_(passes_ > 1 ? input.expected.words.size() : 0),
      scratch_(scratch_words_of(program_, point, input.expected.words.empty())) {
  input_.upload(input.input);
  if (program_.has_textures) textures_.emplace(input_, even_, odd_, scratch_);
}

PassBuffers DeviceRun::buffers_of(std::uint32_t pass) const {
  PassBuffers buffers = {.source = pass == 0 ? input_.get() : target_of(pass - 1).get(),
                         .target = target_of(pass).get(),
                         .scratch = scratch_.get(),
                         .source_texture = 0,
                         .scratch_texture = 0,
                         .pass = pass};
  if (textures_) {
    const LinearTexture& before = pass % 2 == 0 ? textures_->odd : textures_->even;
    buffers.source_texture = (pass == 0 ? textures_->input : before).get();
    buffers.scratch_texture = textures_->scratch.get();
  }
  return buffers;
}

void DeviceRun::run_pass(std::uint32_t pass, cudaStream_t stream) const {
  if (even_.size() == 0) return;
  const PassBuffers buffers = buffers_of(pass);
  if (program_.enqueue != nullptr) return program_.enqueue(axes_, buffers, stream);
  for (const Launch& one : program_.launches(axes_, buffers)) run_launch(one, stream);
}

void DeviceRun::run_all(cudaStream_t stream) const {
  for (std::uint32_t pass = 0; pass < passes_; ++pass) run_pass(pass, stream);
}

void DeviceRun::poison_target(std::uint32_t pass, cudaStream_t stream) {
  (pass % 2 == 0 ? even_ : odd_).fill(kPoison, stream);
}

void DeviceRun::poison_targets() {
  const Stream stream;
  for (std::uint32_t pass = 0; pass < std::min(passes_, 2u); ++pass) {
    poison_target(pass, stream.get());
  }
  stream.wait();
}

}  // namespace pnsim::gpu
