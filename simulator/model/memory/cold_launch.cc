#include "simulator/model/memory/cold_launch.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/memory/launch_sums.h"

namespace pnsim {

void add_cold_counters(const std::string& where, const std::string& kernel, const Launch& cold,
                       const std::map<std::string, std::int64_t>& memory, Launch& launch) {
  const auto shape = [](const std::string& name, const Launch& l) {
    return name + " of " + std::to_string(l.grid) + " blocks of " + std::to_string(l.block) +
           " threads";
  };
  if (kernel != launch.kernel || cold.grid != launch.grid || cold.block != launch.block) {
    fail_input(where, "found " + shape(kernel, cold) + ", expected " +
                          shape(launch.kernel, launch) +
                          ": the launches of the model, in their order");
  }
  const auto misses = memory.find("l2_miss_sectors"), bytes = memory.find("dram_read_bytes");
  if (misses == memory.end() || bytes == memory.end()) {
    fail_input(
        where,
        "has no lts__t_sectors_srcunit_tex_lookup_miss.sum or no dram__bytes_read.sum, which "
        "a cold launch is known by");
  }
  launch.counters[kColdMissSectors] = misses->second;
  launch.counters[kColdReadBytes] = bytes->second;
}

bool tells_cold(const RecordedPoint& point) {
  return !point.launches.empty() && point.launches[0].counters.contains(kColdMissSectors) &&
         point.launches[0].counters.contains(kColdReadBytes);
}

RecordedPoint when_cold(const RecordedPoint& point) {
  if (!tells_cold(point)) {
    fail_input(
        "point " + problem_text(point.problem),
        "the model has no L2 misses of a first launch with a cold L2: add them with pnsim derive "
        "--cold, or experiment counts --cold, from a page of ncu --cache-control all");
  }
  RecordedPoint out{point.problem, {}};
  for (Launch launch : point.launches) {
    launch.start = CacheStart::kBehindCold;
    if (out.launches.empty()) {
      Launch first = launch;
      first.start = CacheStart::kCold;
      first.repeat = 1;
      first.counters["l2_miss_sectors"] = first.counters.at(kColdMissSectors);
      first.counters["dram_read_bytes"] = first.counters.at(kColdReadBytes);
      out.launches.push_back(std::move(first));
      if (--launch.repeat == 0) continue;
    }
    out.launches.push_back(std::move(launch));
  }
  return out;
}

namespace {

// The time per launch of the launches after the first one, in a graph of 96.
double following_ns(double first, double all) { return (all - first) / 95; }

}  // namespace

std::optional<ColdStartFacts> cold_start_facts(const Launch& launch, const DeviceProfile& device) {
  if (launch.start == CacheStart::kWarm || launch.start == CacheStart::kInPlace)
    return std::nullopt;
  return read_cold_start_facts(device);
}

double cold_start_cycles(const Launch& launch, const DeviceFacts& facts,
                         const std::optional<ColdStartFacts>& cold) {
  if (!cold) return 0;
  const double each_alone = following_ns(cold->alone_nothing_ns, cold->alone_96_nothing_ns);
  if (launch.start == CacheStart::kBehindCold) {
    const double each_cold = following_ns(cold->cold_nothing_ns, cold->cold_96_nothing_ns);
    return std::max(each_cold - each_alone, 0.0) * facts.cycles_per_ns();
  }
  // The benchmark's process begins all its launches late (known gap 11), whether cold or not.
  const double late_ns = std::max(each_alone - facts.kernel_nothing_ns, 0.0);
  const double begin_ns = cold->cold_nothing_ns - facts.kernel_nothing_ns - late_ns;
  const double all = std::max(begin_ns, 0.0) * facts.cycles_per_ns();
  if (!makes_loads(launch)) return all;
  // The net already simulates the wait for DRAM instead of L2.
  const double waits = facts.dram_latency_cycles - facts.l2_latency_cycles;
  const double cold_loads =
      (makes_stores(launch) ? cold->cold_copy_ns : cold->cold_load_ns) - cold->cold_index_ns;
  const double warm_loads =
      (makes_stores(launch) ? facts.kernel_copy_ns : facts.kernel_load_ns) - facts.kernel_index_ns;
  return all + std::max((cold_loads - warm_loads) * facts.cycles_per_ns() - waits, 0.0);
}

}  // namespace pnsim
