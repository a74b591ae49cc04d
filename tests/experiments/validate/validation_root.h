// Extends toy_root.h for a validation: the SM net, a device with all facts, and toy_a with warp
// programs and counters. toy_b keeps only counts. toy_a has cold times for n = 4096.
#pragma once

#include "tests/experiments/run/toy_root.h"

namespace pnsim::experiments {

class ValidationRoot {
 public:
  ValidationRoot() {
    namespace fs = std::filesystem;
    const fs::path shipped = fs::path(PNSIM_TEST_DATA).parent_path().parent_path();
    fs::copy(shipped / "models/nets/sm.json", root.path("models/nets/sm.json"));
    InputJson device = load_json((shipped / "models/devices/h200.json").string());
    device["name"] = "toy";
    device["title"] = "Toy GPU";
    device["facts"]["sms"]["value"] = 2;
    device["facts"]["block_dispatch_ns"]["value"] = 20;  // as on a GPU with more SMs
    root.write("models/devices/toy.json", device.dump());
    root.write("models/toy_a.json", with_programs(ToyRoot::model("toy_a", 4, 1)));
    std::string rows = root.read("results/toy/times.jsonl");
    std::string cold;
    for (const int block : {64, 128}) {
      InputJson row = parse_json(rows.substr(0, rows.find('\n')), "times");
      row["id"] = "cold-" + std::to_string(block);
      row["mode"] = "cold";
      row["axes"] = {{"n", 4096}, {"block", block}};
      row["median_us"] = 9;
      cold += row.dump() + "\n";
    }
    root.write("results/toy/times.jsonl", rows + cold);
  }

  // Every warp has a load, special functions, shared memory accesses with bank conflicts and
  // dependent arithmetic; then a segment that needs all results, a barrier, an atomic sum in one
  // word and a store. This covers every module.
  static std::string with_programs(const std::string& text) {
    InputJson model = parse_json(text, "toy_a");
    for (InputJson& point : model["points"]) {
      for (InputJson& launch : point["launches"]) {
        const int warps = launch["warps"][0]["count"].get<int>();
        launch["segments"] = InputJson::parse(R"([
          {"end": "load", "classes": {"global_load": 1, "int": 2},
           "accesses": [{"class": "global_load", "count": 1, "bytes": 4, "sectors": 4,
                         "tag_lookups": 1}]},
          {"end": "load", "classes": {"special": 20, "shared_load": 4, "int": 30},
           "dependence_distances": [20, 0, 0], "last_producer_slots": {"shared": 2},
           "accesses": [{"class": "shared_load", "count": 4, "bytes": 4, "wavefronts": 64}]},
          {"end": "barrier", "classes": {"barrier": 1, "int": 1}, "waits_for": ["global", "shared"]},
          {"end": "exit", "classes": {"control": 1, "global_store": 1, "global_reduction": 1},
           "accesses": [{"class": "global_store", "count": 1, "bytes": 4, "sectors": 4,
                         "tag_lookups": 1},
                        {"class": "global_reduction", "count": 1, "bytes": 4, "sectors": 8,
                         "tag_lookups": 1}]}])");
        launch["warps"][0]["program"] = {0, 1, 2, 3};
        launch["counters"] = {
            {"issued_instructions", 62 * warps}, {"l1_load_sectors", 4 * warps},
            {"l1_store_sectors", 4 * warps},     {"l1_wavefronts", 2 * warps},
            {"l2_read_sectors", 4 * warps},      {"l2_write_sectors", 4 * warps},
            {"l2_reduction_sectors", 8 * warps}, {"l2_reduction_sectors_busiest", 8 * warps},
            {"cold_l2_miss_sectors", 4 * warps}, {"cold_dram_read_bytes", 128 * warps}};
      }
    }
    return model.dump();
  }

  const ToyRoot root;
};

}  // namespace pnsim::experiments
