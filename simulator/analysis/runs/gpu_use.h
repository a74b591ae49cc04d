// Runs replicas on a GPU where that is faster, and records how many ran there.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "simulator/analysis/runs/run_options.h"
#include "simulator/engine/fast_runner.h"

namespace pnsim {

// The counts of one command, over all its threads.
class GpuUse {
 public:
  // With on_gpu = false the GPU's code runs on the CPU; tests use this.
  explicit GpuUse(bool on_gpu = true) : is_gpu_(on_gpu) {}

  bool on_gpu() const { return is_gpu_; }
  void add_runs(std::uint64_t on_gpu, std::uint64_t checked) {
    on_gpu_ += on_gpu;
    checked_ += checked;
  }
  // Counts runs made on the CPU although a GPU was requested. Only the first reason is kept.
  void add_left(std::uint64_t runs, const std::string& why);

  // Example: "1000 runs on the GPU, 2 of them compared with the CPU's; 3 on the CPU: why".
  std::string text() const;

 private:
  bool is_gpu_;
  std::atomic<std::uint64_t> on_gpu_{0}, checked_{0}, left_{0};
  mutable std::mutex mutex_;
  std::string why_;
};

// Fills `runs` and `log` (may be null) with the replicas that ran on a GPU. Returns the positions
// of the remaining replicas. One replica is also run on the calling thread; throws error 70 when
// its result differs.
std::vector<std::uint32_t> run_on_gpu(const FastRunner& runner, const RunOptions& options,
                                      std::vector<RunResult>& runs, ConflictLog* log);

}  // namespace pnsim
