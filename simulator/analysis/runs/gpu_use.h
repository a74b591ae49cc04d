// Which runs of a command go to a GPU, and what came of them.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "simulator/analysis/runs/run_options.h"
#include "simulator/engine/fast_runner.h"

namespace pnsim {

// Counts over all threads.
class GpuUse {
 public:
  // Not on_gpu: the GPU's code runs on this processor, for tests.
  explicit GpuUse(bool on_gpu = true) : is_gpu_(on_gpu) {}

  bool on_gpu() const { return is_gpu_; }
  void add_runs(std::uint64_t on_gpu, std::uint64_t checked) {
    on_gpu_ += on_gpu;
    checked_ += checked;
  }
  // Runs that the CPU makes although the GPU was asked for; of the reasons the first is kept.
  void add_left(std::uint64_t runs, const std::string& why);

  // "1000 runs on the GPU, 2 of them compared with the CPU's; 3 on the CPU: why".
  std::string text() const;

 private:
  bool is_gpu_;
  std::atomic<std::uint64_t> on_gpu_{0}, checked_{0}, left_{0};
  mutable std::mutex mutex_;
  std::string why_;
};

// Fills `runs` and `log` (may be null) with the replicas that a GPU has run; returns the positions
// of the others. One run is also made on this thread: error 70 when it differs.
std::vector<std::uint32_t> run_on_gpu(const FastRunner& runner, const RunOptions& options,
                                      std::vector<RunResult>& runs, ConflictLog* log);

}  // namespace pnsim
