// A launch and a device with round numbers, so that tests can compute results by hand.
#pragma once

#include <string>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// 20 blocks of 2 warps, 4 resident; every warp loads a line, waits, adds, and stores.
inline Launch toy_launch() {
  Segment load;
  load.end = SegmentEnd::kLoad;
  load.classes = {{"global_load", 1}, {"int", 1}};
  load.accesses = {
      {.access_class = "global_load", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1}};
  Segment store;
  store.end = SegmentEnd::kExit;
  store.classes = {{"fp32", 1}, {"global_store", 1}};
  store.accesses = {
      {.access_class = "global_store", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1}};
  Launch launch;
  launch.kernel = "toy";
  launch.grid = 20;
  launch.block = 64;
  launch.resident_blocks = 4;
  launch.segments = {load, store};
  ProgramItem first, second;
  first.segment = 0;
  second.segment = 1;
  launch.warp_kinds = {{40, {first, second}}};
  launch.counters = {{"l1_load_sectors", 160},
                     {"l1_store_sectors", 160},
                     {"l2_read_sectors", 160},
                     {"l2_write_sectors", 160}};
  return launch;
}

inline DeviceProfile toy_device() {
  DeviceProfile device = load_device_profile("h200");  // for the facts that are not set here
  device.name = "toy";
  device.file.clear();
  const auto set = [&](const char* key, double value) { device.facts[key].value = value; };
  set("sms", 10);
  set("clock_mhz", 1000);
  for (const char* kernel : {"nothing", "index", "load", "store", "copy"}) {
    set(("kernel_" + std::string(kernel) + "_ns").c_str(),
        500);  // a launch is 0.5 us, whatever it does
  }
  set("issue_rate", 4);
  set("int_logic_rate", 2);
  set("fp32_rate", 4);
  set("special_rate", 0.5);
  set("shared_load_cycles", 1);
  set("l1_load_cycles", 1);
  set("l1_load_32_lines_cycles", 64);
  set("l1_latency_cycles", 30);
  set("l2_latency_cycles", 300);
  set("l2_mean_sm_latency_cycles", 300);
  set("l2_slowest_sm_latency_cycles", 300);
  set("dram_latency_cycles", 700);
  set("l2_read_bandwidth", 2e12);
  set("l2_write_bandwidth", 1e12);
  set("dram_read_bandwidth", 5e11);
  set("dram_write_bandwidth", 5e11);
  return device;
}

}  // namespace pnsim
