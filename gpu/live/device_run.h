// One point set up on the device: its buffers, its launches, and running its passes.
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

// The kernels of a catalogue program. Error 70 when its .cu is missing.
KernelProgram find_kernels(const std::string& name);

// The launches of a pass of a point, in order; none for an empty result, or where a library makes
// them.
std::vector<Launch> shapes_of_launches(const Point& point);

// Pass 0 reads the input, which is never written; pass p reads what pass p - 1 wrote. So a replay
// of all passes does the same work each time.
class DeviceRun {
 public:
  // Checks the point (error 2), allocates, and uploads the input.
  DeviceRun(const Point& point, const PreparedInput& input);

  // Launches into the stream; nothing for an empty result.
  void run_pass(std::uint32_t pass, cudaStream_t stream) const;
  void run_all(cudaStream_t stream) const;

  // Overwrites where pass `pass` will write, so that a word it leaves out cannot look right.
  void poison_target(std::uint32_t pass, cudaStream_t stream);

  // All of them, and waits. Memory may still hold the right result of another program.
  void poison_targets();

  std::uint32_t passes() const { return passes_; }
  Words input() const { return input_.download(); }
  Words after_pass(std::uint32_t pass) const { return target_of(pass).download(); }
  Words result() const { return after_pass(passes_ - 1); }

 private:
  // The buffers whose textures a pass needs, made only for programs that have them.
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
