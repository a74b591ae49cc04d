#include "simulator/model/memory/cold_launch.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/memory/traffic.h"

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
        "nobody counted what its first launch misses when L2 is cold: pnsim derive --cold, or "
        "experiment counts --cold, with a page of ncu --cache-control all");
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

// From the first to the last of 96 launches of a graph, each.
double following_ns(const DeviceProfile& device, const char* first, const char* all) {
  return (device.positive(all) - device.positive(first)) / 95;
}

}  // namespace

double cold_start_cycles(const Launch& launch, const DeviceProfile& device) {
  const double cycles_per_ns = device.positive("clock_mhz") / 1000;
  const auto longer = [&](const char* fact, const char* than) {
    return device.positive(fact) - device.positive(than);
  };
  if (launch.start == CacheStart::kWarm) return 0;
  if (launch.start == CacheStart::kBehindCold) {
    const double cold = following_ns(device, "cold_nothing_ns", "cold_96_nothing_ns");
    const double warm = following_ns(device, "alone_nothing_ns", "alone_96_nothing_ns");
    return std::max(cold - warm, 0.0) * cycles_per_ns;
  }
  // The benchmark's process begins all its launches late (late_start), which is no part of the
  // cold.
  const double each_ns = following_ns(device, "alone_nothing_ns", "alone_96_nothing_ns");
  const double late_ns = std::max(each_ns - device.positive("kernel_nothing_ns"), 0.0);
  const double begin_ns = longer("cold_nothing_ns", "kernel_nothing_ns") - late_ns;
  const double all = std::max(begin_ns, 0.0) * cycles_per_ns;
  if (!makes_loads(launch)) return all;
  // The net itself waits for DRAM instead of L2.
  const double waits =
      device.positive("dram_latency_cycles") - device.positive("l2_latency_cycles");
  const double loads =
      makes_stores(launch)
          ? longer("cold_copy_ns", "cold_index_ns") - longer("kernel_copy_ns", "kernel_index_ns")
          : longer("cold_load_ns", "cold_index_ns") - longer("kernel_load_ns", "kernel_index_ns");
  return all + std::max(loads * cycles_per_ns - waits, 0.0);
}

}  // namespace pnsim
