// The tables and plots of the documents this project was made from, ours beside theirs, from
// recorded rows: they print without a GPU.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "experiments/spec/options.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/template/net_template.h"

namespace pnsim::experiments {

// Rows of results/DEVICE that tables look things up in.
class RowIndex {
 public:
  explicit RowIndex(const std::string& device);
  explicit RowIndex(std::vector<InputJson> rows) : rows_(std::move(rows)) {}

  // The row of this kind and program whose axes are these; `mode` only where it is not "". Error 4
  // with `remedy` when it was not recorded.
  const InputJson& at(const std::string& kind, const std::string& program, const Problem& axes,
                      const std::string& mode, const std::string& remedy) const;
  const std::vector<InputJson>& all() const { return rows_; }

 private:
  std::vector<InputJson> rows_;
};

// experiments/documents/NAME.json: figures of a document, each {"device", "rows": [..]}.
InputJson load_document(const std::string& name);

// 5120 elements in three memories over the block: mean of single runs on GPU and CPU, wrong
// elements, operations, and the report's.
Rendered report_table(const RowIndex& rows);

// The device is the one that the report's times are of.
bool is_the_reports_device(const DeviceProfile& device);

// The report's published times beside what a net whose step is a cycle predicts for `device` from
// the shipped programs: back to back, and launched by a host. Error 2 for another net.
Rendered predicted_report_table(const DeviceProfile& device, const NetTemplate& net,
                                const RunOptions& options);

// norm_base and norm_group over the warps of a block: time, instructions an element, bank conflicts
// an access, traffic over the ideal, and how busy arithmetic, issue and L2 are.
Rendered homework_table(const RowIndex& rows, const DeviceProfile& device);

// The formula below beside the instructions and the busy cycles of the SMs.
Rendered imbalance_table(const RowIndex& rows);

// What a mode adds: cold over warm, cold over single, single over warm at the points that have
// both, by program: how many are at least 1, the least and the median. Cold less than single by
// more than noise would say that the flush flushes nothing.
Rendered modes_table(const RowIndex& rows);

// Keys a second of CUB's sort and of the fastest of the paper's, by n, and how near CUB is to what
// DRAM lets through.
Rendered sorting_table(const RowIndex& rows, const DeviceProfile& device);

// Work of the mean SM over work of the busiest one, 1 when all have the same: a grid of one block
// an SM, in which groups of `group` threads take vectors in turn, all blocks' threads in one row.
// V = block / group vectors a block are taken at once, blocks * V a round. The busiest block is the
// first: of all full rounds it has V each, of the last, partial one as much of V as is left.
//   balance = vectors / (blocks * (V * full + min(V, vectors - full * blocks * V))),
//   full = vectors div (blocks * V)
double workload_balance(std::int64_t vectors, std::int64_t group, std::int64_t block,
                        std::int64_t blocks);

// Time of a memory operation by pattern over the warps of an SM, alone and with arithmetic between;
// the width of the atomic lock; what reading the clock costs. Plots are {file name, SVG}.
struct AtomicsReport {
  Rendered rendered;
  std::vector<std::pair<std::string, std::string>> plots;
};
AtomicsReport atomics_report(const RowIndex& rows, const std::string& device);

}  // namespace pnsim::experiments
