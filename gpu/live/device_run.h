// One point set up on the device: its buffers, its launches, and running its passes.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/kernels/kernel_program.h"
#include "gpu/live/cuda_handles.h"
#include "gpu/point.h"

namespace pnsim::gpu {

// The kernels of a catalogue program. Error 70 when its .cu is missing.
KernelProgram find_kernels(const std::string& name);

// Pass 0 reads the input, which is never written; pass p reads what pass p - 1 wrote. So a replay
// of all passes does the same work each time.
class DeviceRun {
 public:
  // Checks the point (error 2), allocates, and uploads the keys.
  DeviceRun(const Point& point, const std::vector<std::uint32_t>& keys);

  // Launches into the stream; nothing for n = 0.
  void run_pass(std::uint32_t pass, cudaStream_t stream) const;
  void run_all(cudaStream_t stream) const;

  // Overwrites where pass `pass` will write, so that a key it leaves out cannot look right.
  void poison_target(std::uint32_t pass, cudaStream_t stream);

  std::vector<std::uint32_t> input() const { return input_.download(); }
  std::vector<std::uint32_t> after_pass(std::uint32_t pass) const;
  std::vector<std::uint32_t> result() const;  // after the last pass

  // The launches of one pass, in order.
  const std::vector<Launch>& launches() const { return launches_; }

 private:
  const DeviceWords& target_of(std::uint32_t pass) const { return pass % 2 == 0 ? even_ : odd_; }

  std::uint32_t n_;
  KernelProgram program_;
  std::vector<Launch> launches_;
  DeviceWords input_;
  DeviceWords even_;  // target of passes 0, 2, 4 ...
  DeviceWords odd_;   // target of passes 1, 3, 5 ...
  DeviceWords scratch_;
};

}  // namespace pnsim::gpu
