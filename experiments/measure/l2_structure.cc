#include "experiments/measure/l2_structure.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gpu/profiler_page.h"
#include "simulator/base/error.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/ncu.h"
#include "simulator/base/numbers.h"
#include "simulator/base/process.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

constexpr double kLeastShare = 0.25;        // of the lines, in each of two groups
constexpr double kLeastDeviations = 6;      // between the groups
constexpr double kOpposed = -0.5;           // correlation of SMs on different sides
constexpr double kSectorsPerCycle = 0.857;  // random sectors a slice delivers per cycle of the SMs
constexpr double kSliceNoise = 0.05;

// The last row of this microbenchmark with this setting of `axis`.
std::optional<JsonReader> row_of(const std::vector<InputJson>& rows, const char* bench,
                                 const char* axis, const char* setting) {
  std::optional<JsonReader> out;
  for (const InputJson& row : rows) {
    if (row.value("kind", "") != "micro" || row.value("bench", "") != bench) continue;
    if (row.value("axes", InputJson::object()).value(axis, "") != setting) continue;
    out.emplace(row, "microbench row " + row.value("id", "?"));
  }
  return out;
}

}  // namespace

std::size_t set_l2_partitions(const std::vector<InputJson>& rows, DeviceProfile& profile) {
  const auto set = [&](bool are_two, const JsonReader& row, const std::string& why) {
    profile.facts["l2_partitions"] = {are_two ? 2.0 : 1.0, "partition",
                                      "experiment microbench " + row.at("bench").string() + " on " +
                                          row.at("date").string().substr(0, 10) + ": " + why,
                                      0};
    return 1;
  };
  if (const auto sides = row_of(rows, "l2_sides", "of", "lowest_correlation")) {
    const double correlation = sides->at("value").number();
    const bool are_two = correlation <= kOpposed;
    return set(are_two, *sides,
               "lowest correlation of two SMs' latencies by line " + fixed(correlation, 2) +
                   (are_two ? ", lines near to some SMs are far from others"
                            : ", no SMs are on different sides"));
  }
  const auto group = [&](const char* lines) { return row_of(rows, "latency_l2", "lines", lines); };
  const auto near = group("near"), far = group("far"), share = group("near_share");
  if (!near || !far || !share) return 0;
  const double near_cycles = near->at("value").number(), far_cycles = far->at("value").number();
  const double near_share = share->at("value").number();
  const double deviation = std::max(
      {near_cycles * near->at("rel_mad").number(), far_cycles * far->at("rel_mad").number(), 1e-9});
  const bool are_two = near_share >= kLeastShare && near_share <= 1 - kLeastShare &&
                       far_cycles - near_cycles >= kLeastDeviations * deviation;
  return set(are_two, *near,
             fixed(100 * near_share, 0) + " % of the lines take " + fixed(near_cycles, 0) +
                 " cycles and the others " + fixed(far_cycles, 0) +
                 (are_two ? ", two groups" : ", which do not lie apart"));
}

void estimate_l2_slices(const std::string& why, DeviceProfile& profile) {
  const double per_cycle =
      profile.positive("random_l2_sector_rate") / (1e6 * profile.positive("clock_mhz"));
  profile.facts["l2_slices"] = {
      std::max(1.0, std::round(per_cycle / kSectorsPerCycle)), "slice",
      "estimate: random_l2_sector_rate / (" + significant(kSectorsPerCycle, 3) +
          " x clock_mhz), the ratio of an H100 and an H200, whose slices were counted; not counted "
          "here: " +
          why,
      kSliceNoise};
}

double slices_on_page(const std::string& csv, const std::string& origin) {
  const gpu::ProfilerPage page(csv, origin);
  const double sectors = page.number(0, "lts__t_sectors.sum"),
               per_slice = page.number(0, "lts__t_sectors.avg");
  if (!(per_slice > 0) || sectors < per_slice) {
    fail_input(origin, "found " + significant(sectors, 6) + " sectors of L2 and " +
                           significant(per_slice, 6) + " per slice, expected more than one slice");
  }
  return std::round(sectors / per_slice);
}

void count_l2_slices(const std::vector<std::string>& target, const std::string& folder,
                     DeviceProfile& profile) {
  const std::string ncu = find_ncu();
  const std::string report = folder + "/slices.ncu-rep";
  std::vector<std::string> command{ncu,
                                   "--metrics",
                                   "lts__t_sectors.sum,lts__t_sectors.avg",
                                   "--clock-control",
                                   "none",
                                   "--launch-count",
                                   "1",
                                   "-f",
                                   "-o",
                                   report};
  command.insert(command.end(), target.begin(), target.end());
  gpu::run_profiler(command);
  const std::vector<std::string> print = raw_page_command(ncu, report);
  profile.facts["l2_slices"] = {slices_on_page(gpu::run_profiler(print), shell_line(print)),
                                "slice", "Nsight Compute, units of lts__t_sectors: .sum / .avg", 0};
}

}  // namespace pnsim::experiments
