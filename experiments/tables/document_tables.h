// Tables and plots that compare recorded rows with the documents this project is based on. They
// need no GPU.
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

// The rows of results/DEVICE in which tables look up values.
class RowIndex {
 public:
  explicit RowIndex(const std::string& device);
  explicit RowIndex(std::vector<InputJson> rows) : rows_(std::move(rows)) {}

  // The row of this kind, program and axes, and of this mode unless it is "". When it was not
  // recorded, throws error 4 with `remedy`, the way to get it.
  const InputJson& at(const std::string& kind, const std::string& program, const Problem& axes,
                      const std::string& mode, const std::string& remedy) const;
  const std::vector<InputJson>& all() const { return rows_; }

 private:
  std::vector<InputJson> rows_;
};

// experiments/documents/NAME.json: the figures of a document, each {"device", "rows": [..]}.
InputJson load_document(const std::string& name);

// The radix report's table: 5120 elements in three memories, by block size. Columns are the mean
// time of single runs on GPU and CPU, wrong elements and operations, beside the report's.
Rendered report_table(const RowIndex& rows);

// Whether the report's times were measured on this device.
bool is_the_reports_device(const DeviceProfile& device);

// The report's published times beside the predictions of a net whose step is one cycle for
// `device`, from the shipped programs, both back to back and launched one by one by the host.
// Throws error 2 for a net whose step is not one cycle.
Rendered predicted_report_table(const DeviceProfile& device, const NetTemplate& net,
                                const RunOptions& options);

// norm_base and norm_group by warps per block: time, instructions per element, bank conflicts per
// access, traffic relative to the ideal, and the utilisation of arithmetic, issue slots and L2.
Rendered homework_table(const RowIndex& rows, const DeviceProfile& device);

// workload_balance() below beside the balance in instructions and in busy cycles of the SMs.
Rendered imbalance_table(const RowIndex& rows);

// The effect of the measuring mode by program: the ratios cold / warm, cold / single and single /
// warm over the points that have both times. Columns are the number of ratios of at least 1, the
// smallest, the median and the largest. Cold times clearly below single ones would show a flush
// without effect. The last rows are the warm time of a single launch over its time under the
// profiler, by that time: the bounds of the warning `far` (prediction_warnings.cc) rest on them.
Rendered modes_table(const RowIndex& rows);

// Keys per second of CUB's sort and of the paper's fastest sort, by n, and CUB's rate relative to
// the limit of DRAM bandwidth.
Rendered sorting_table(const RowIndex& rows, const DeviceProfile& device);

// The mean work of the SMs over the work of the busiest one; 1 when all have the same work. The
// grid has one block per SM. Groups of `group` threads take vectors in turn, over the threads of
// all blocks in order. A block processes V = block / group vectors at once, all blocks together
// blocks * V per round. The first block is the busiest: it has V vectors in each full round, and in
// the last, partial round up to V of the rest.
//   balance = vectors / (blocks * (V * full + min(V, vectors - full * blocks * V))),
//   full = vectors div (blocks * V)
double workload_balance(std::int64_t vectors, std::int64_t group, std::int64_t block,
                        std::int64_t blocks);

// The time of a memory operation by access pattern and warps per SM, alone and with arithmetic in
// between; the width of the atomic unit's lock; and the cost of reading the clock. Plots are pairs
// of file name and SVG text.
struct AtomicsReport {
  Rendered rendered;
  std::vector<std::pair<std::string, std::string>> plots;
};
AtomicsReport atomics_report(const RowIndex& rows, const std::string& device);

}  // namespace pnsim::experiments
