#include "gpu/live/device_run.h"

#include "gpu/radix_shape.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

constexpr unsigned char kPoison = 0xCD;

std::vector<Launch> launches_of(const KernelProgram& program, const Point& point) {
  return point.n == 0 ? std::vector<Launch>{} : program.launches(point.n, point.block);
}

std::size_t scratch_words_of(const KernelProgram& program, const Point& point) {
  return point.n == 0 ? 0 : program.scratch_words(point.n, point.block);
}

KernelProgram checked_kernels(const Point& point) {
  check_point(point);
  return find_kernels(point.program);
}

void launch(const Launch& launch, PassArgs args, cudaStream_t stream) {
  void* arguments[] = {&args};
  PNSIM_CUDA(cudaLaunchKernel(launch.function, dim3(launch.grid), dim3(launch.block), arguments,
                              launch.shared_bytes, stream));
}

}  // namespace

KernelProgram find_kernels(const std::string& name) {
  for (const KernelProgram& program : registered_programs()) {
    if (name == program.name) return program;
  }
  throw Error(ExitCode::kInternal,
              "the catalogue has " + name + ", but no file in gpu/kernels registers it");
}

DeviceRun::DeviceRun(const Point& point, const std::vector<std::uint32_t>& keys)
    : n_(point.n),
      program_(checked_kernels(point)),
      launches_(launches_of(program_, point)),
      input_(point.n),
      even_(point.n),
      odd_(point.n),
      scratch_(scratch_words_of(program_, point)) {
  if (keys.size() != point.n) throw Error(ExitCode::kInternal, "keys of another n");
  input_.upload(keys);
}

void DeviceRun::run_pass(std::uint32_t pass, cudaStream_t stream) const {
  if (launches_.empty()) return;
  const PassArgs args = {.source = pass == 0 ? input_.get() : target_of(pass - 1).get(),
                         .target = target_of(pass).get(),
                         .scratch = scratch_.get(),
                         .n = n_,
                         .bit = pass,
                         .blocks = launches_.front().grid,
                         .block = launches_.front().block};
  for (const Launch& one : launches_) launch(one, args, stream);
}

void DeviceRun::run_all(cudaStream_t stream) const {
  for (std::uint32_t pass = 0; pass < kPasses; ++pass) run_pass(pass, stream);
}

void DeviceRun::poison_target(std::uint32_t pass, cudaStream_t stream) {
  (pass % 2 == 0 ? even_ : odd_).fill(kPoison, stream);
}

std::vector<std::uint32_t> DeviceRun::after_pass(std::uint32_t pass) const {
  return target_of(pass).download();
}

std::vector<std::uint32_t> DeviceRun::result() const { return after_pass(kPasses - 1); }

}  // namespace pnsim::gpu
