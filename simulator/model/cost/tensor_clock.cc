#include "simulator/model/cost/tensor_clock.h"

#include <algorithm>
#include <array>
#include <vector>

#include "simulator/model/cost/issue_pipes.h"
#include "simulator/model/launch/executions.h"

namespace pnsim {
namespace {

struct Knot {
  double share = 0, mhz = 0;
};
using Curve = std::array<Knot, 6>;  // in order of the shares

// From the clock without products and those at 10, 20, 40, 60 and 80 %.
Curve curve_of(double without, const std::array<double, 5>& mhz) {
  return {
      {{0, without}, {0.1, mhz[0]}, {0.2, mhz[1]}, {0.4, mhz[2]}, {0.6, mhz[3]}, {0.8, mhz[4]}}};
}

// Linear between the knots, and beyond the last one.
double at(const Curve& curve, double share) {
  std::size_t k = 1;
  while (k + 1 < curve.size() && curve[k].share < share) ++k;
  const Knot &a = curve[k - 1], &b = curve[k];
  return a.mhz + (b.mhz - a.mhz) * (share - a.share) / (b.share - a.share);
}

}  // namespace

ProductCycles product_cycles(const Launch& launch, const DeviceFacts& facts) {
  const std::vector<double> executions = executions_of(launch);
  ProductCycles sum;
  for (std::size_t s = 0; s < launch.segments.size(); ++s) {
    const TensorCycles cycles = tensor_cycles(launch.segments[s], facts);
    sum.of_warps += executions[s] * (cycles.in_order - cycles.of_doubles);
    sum.of_groups += executions[s] * cycles.of_groups;
  }
  const double tensor_cores = facts.sms * facts.schedulers_per_sm;
  return {sum.of_warps / tensor_cores, sum.of_groups / tensor_cores};
}

double clock_with_products(const ProductCycles& busy, double launch_cycles,
                           const DeviceFacts& facts) {
  if (!facts.tensor_clocks || busy.all() <= 0 || launch_cycles <= 0) return facts.clock_mhz;
  const TensorClockFacts& f = *facts.tensor_clocks;
  const Curve of_warps =
      curve_of(facts.clock_mhz,
               {f.tensor_clock_mma_10_mhz, f.tensor_clock_mma_20_mhz, f.tensor_clock_mma_40_mhz,
                f.tensor_clock_mma_60_mhz, f.tensor_clock_mma_80_mhz});
  const Curve of_groups =
      curve_of(facts.clock_mhz, {f.tensor_clock_wgmma_10_mhz, f.tensor_clock_wgmma_20_mhz,
                                 f.tensor_clock_wgmma_40_mhz, f.tensor_clock_wgmma_60_mhz,
                                 f.tensor_clock_wgmma_80_mhz});
  const double share = std::min(busy.all() / launch_cycles, 1.0);
  const double warps = busy.of_warps / busy.all();
  const double mhz = warps * at(of_warps, share) + (1 - warps) * at(of_groups, share);
  return std::min(mhz, facts.clock_mhz);
}

}  // namespace pnsim
