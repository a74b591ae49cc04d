// One point prepared on the device: its buffers, its launches, and the execution of its passes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/input_cache.h"
#include "gpu/kernels/kernel_program.h"
#include "gpu/live/cuda_handles.h"
#include "gpu/point.h"
#include "gpu/reference.h"

namespace pnsim::gpu {

// The kernels of a catalogue program. Error 70 when its .cu file is missing.
KernelProgram find_kernels(const std::string& name);

// Permits the dynamic shared memory of the launch, which needs a permission beyond 48 KiB.
void permit_shared_memory(const Launch& launch);

// The launches of a pass of a point, in order. Empty for an empty result, or when a library makes
// the launches.
std::vector<Launch> shapes_of_launches(const Point& point);

// Pass 0 reads the input, which is never written; pass p reads the output of pass p - 1. So every
// replay of all passes does the same work.
class DeviceRun {
 public:
  // Checks the point (error 2), allocates the buffers, and uploads the input.
  DeviceRun(const Point& point, const PreparedInput& input);

  // Launches into the stream; does nothing for an empty result.
  void run_pass(std::uint32_t pass, cudaStream_t stream) const;
  void run_all(cudaStream_t stream) const;

  // Overwrites the target of pass `pass`, so that a word that the pass does not write cannot look
  // correct.
  void poison_target(std::uint32_t pass, cudaStream_t stream);

  // Overwrites all targets and waits. Memory may still hold the correct result of another program.
  void poison_targets();

  std::uint32_t passes() const { return passes_; }
  Words input() const { return input_.download(); }
  Words after_pass(std::uint32_t pass) const { return target_of(pass).download(); }
  Words result() const { return after_pass(passes_ - 1); }

 private:
  // The buffers whose textures a pass needs; created only for programs with textures.
  struct Textures {
    Textures(const DeviceWords& i, const DeviceWords& e, const DeviceWords& o, const DeviceWords& s)
        : input(i), even(e), odd(o), scratch(s) {}
    LinearTexture input, even, odd, scratch;
  };

  const DeviceWords& target_of(std::uint32_t pass) const { return pass % 2 == 0 ? even_ : odd_; }
  PassBuffers buffers_of(std::uint32_t pass) const;

  AxisValues axes_;
  KernelProgram program_;
  std::uint32_t passes_;
  DeviceWords input_;
  DeviceWords even_;  // target of passes 0, 2, 4 ...
  DeviceWords odd_;   // target of passes 1, 3, 5 ...
  DeviceWords scratch_;
  std::optional<Textures> textures_;
};

}  // namespace pnsim::gpu
