#include "simulator/model/device/scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/table.h"
#include "simulator/model/device/device_facts.h"

namespace pnsim {
namespace {

constexpr const char* kMemoryAlias = "memory_bandwidth";
constexpr double kMostRatio = 100;  // beyond it, the unit is wrong
constexpr int kWarpThreads = 32;    // of every GPU, and of kernel models
constexpr const char* kThreadsOfSm = "max_threads_per_sm";
constexpr const char* kThreadsOfBlock = "max_threads_per_block";
constexpr const char* kWarpsOfSm = "max_warps_per_sm";

enum Rule {
  kClockRate,
  kClockTime,
  kL2Rate,
  kL2Time,
  kSmallTables,
  kMemoryRate,
  kMemoryTime,
  kCapacity,
  kDramLatency,
  kL2Filling,
  kDramFilling
};

// Tensor cores, bulk copies, clusters, instruction caches, and what instrumentation and profiling
// add, differ from one generation to the next, and no figure of a data sheet says how.
bool is_of_generation(std::string_view fact) {
  for (const std::string_view unit :
       {"hmma_", "imma_", "dmma_", "qmma_", "hgmma_", "tensor_", "bulk_", "cluster_",
        "remote_shared_", "stmatrix_", "code_", "far_code_", "dram_code_", "far_dram_code_",
        "multicast_", "recorded_block_", "profiler_"}) {
    if (fact.starts_with(unit)) return true;
  }
  return false;
}

// In the order of the enumeration.
const ScaleRule kRules[] = {
    {"clock",
     "The way of one SM to L2 moves a fixed number of bytes per cycle.",
     {"sm_l2_bandwidth", "sm_l2_write_bandwidth", "sm_random_l2_sector_rate",
      "sm_full_l2_store_rate", "sm_partial_l2_store_rate", "sm_dram_bandwidth"}},
    {"1 / clock",
     "Block dispatch, and the operations of one slice of L2, take a fixed number of cycles.",
     {"block_dispatch_ns", "block_turnover_ns", "constant_line_ns", "global_atomic_lane_ns",
      "global_atomic_float_ns", "global_atomic_line_ns", "global_atomic_sector_ns",
      "global_atomic_one_address_ns", "global_atomic_alone_ns", "global_load_alone_ns",
      "hot_word_store_ns", "hot_line_store_ns"}},
    {"slices x clock",
     "Each slice of L2 serves a fixed number of sectors per cycle.",
     {"l2_read_bandwidth", "l2_write_bandwidth", "l2_copy_bandwidth", "l2_fill_bandwidth",
      "l2_write_8_blocks_bandwidth", "random_l2_sector_rate", "random_l2_256_kib_sector_rate",
      "full_l2_store_rate", "partial_l2_store_rate", "pitched_l2_store_rate"}},
    {"1 / (slices x clock)",
     "Atomics on lines of their own use all slices of L2.",
     {"global_atomic_ns"}},
    {"clock, up to random_l2_sector_rate",
     "The few lines of a small table lie in few slices, however many there are.",
     {"random_l2_16_kib_sector_rate", "random_l2_64_kib_sector_rate"}},
    {"memory bandwidth",
     "The memory's share of its peak stays.",
     {"memory_bandwidth_peak", "dram_read_bandwidth", "dram_write_bandwidth", "dram_copy_bandwidth",
      "dram_write_8_blocks_bandwidth", "random_dram_sector_rate", "full_store_rate",
      "partial_store_rate"}},
    {"1 / memory bandwidth",
     "Atomics on words in DRAM are limited by its accesses.",
     {"global_atomic_dram_ns"}},
    {"L2 capacity",
     "L2 keeps the same share of its size between launches.",
     {"l2_read_keeps_bytes", "l2_read_loses_bytes", "l2_copy_keeps_bytes", "l2_copy_loses_bytes"}},
    {"clock, beyond the latency of L2",
     "L2 runs with the SMs' clock, so its latency in cycles stays; the rest is a time of DRAM.",
     {"dram_latency_cycles", "dram_1_line_latency_cycles", "dram_4_lines_latency_cycles",
      "dram_32_lines_latency_cycles"}},
    {"SMs x clock over the bandwidth of L2",
     "Bandwidth over offered load keeps the shape of its curve: few blocks are limited by latency, "
     "many by bandwidth.",
     {"l2_read_1_block_bandwidth", "l2_read_2_blocks_bandwidth", "l2_read_4_blocks_bandwidth",
      "l2_read_8_blocks_bandwidth", "l2_copy_1_block_bandwidth", "l2_copy_2_blocks_bandwidth",
      "l2_copy_4_blocks_bandwidth", "l2_copy_8_blocks_bandwidth"}},
    {"SMs / latency over the memory bandwidth",
     "As for L2, with the latency of DRAM.",
     {"dram_read_1_block_bandwidth", "dram_read_2_blocks_bandwidth", "dram_read_4_blocks_bandwidth",
      "dram_read_8_blocks_bandwidth", "dram_copy_1_block_bandwidth", "dram_copy_2_blocks_bandwidth",
      "dram_copy_4_blocks_bandwidth", "dram_copy_8_blocks_bandwidth"}},
};

constexpr std::pair<const char*, const char*> kSheet[] = {
    {"sms", "SM"},           {"clock_mhz", "MHz"},       {"memory_bandwidth_peak", "byte/s"},
    {"l2_bytes", "byte"},    {"memory_bus_bits", "bit"}, {"l2_slices", "slice"},
    {"memory_bytes", "byte"}};

constexpr const char* kCounts[] = {
    "sms",       "schedulers_per_sm", "l2_partitions",    "l2_slices",
    "warp_size", "max_warps_per_sm",  "max_blocks_per_sm"};

// The number that the new profile will have; 0 where the source has none either.
double fact_of(const DeviceProfile& from, const GivenFacts& given, const char* key) {
  if (const auto it = given.find(key); it != given.end()) return it->second.value;
  return from.facts.contains(key) ? from.value(key) : 0;
}

std::string plain_number(double value) { return fixed(value, value == std::floor(value) ? 0 : 3); }

// Limits of threads that contradict each other, or that predictions could not follow.
void check_thread_limits(const DeviceProfile& from, const GivenFacts& given) {
  const auto fail = [&](const char* key, const std::string& expected) {
    fail_usage(std::string("--set ") + key + ": found " + plain_number(fact_of(from, given, key)) +
               ", expected " + expected);
  };
  if (fact_of(from, given, "warp_size") != kWarpThreads && given.contains("warp_size")) {
    fail("warp_size", "32: kernel models have warps of 32 threads");
  }
  const double of_sm = fact_of(from, given, kThreadsOfSm),
               of_block = fact_of(from, given, kThreadsOfBlock);
  const bool has_sm = given.contains(kThreadsOfSm), has_warps = given.contains(kWarpsOfSm);
  if (has_sm && std::fmod(of_sm, kWarpThreads) != 0)
    fail(kThreadsOfSm, "a multiple of 32, the threads of a warp");
  if (has_sm && has_warps && of_sm != kWarpThreads * fact_of(from, given, kWarpsOfSm)) {
    fail(kThreadsOfSm, "32 threads for each of the " +
                           plain_number(fact_of(from, given, kWarpsOfSm)) +
                           " of max_warps_per_sm; give one of them");
  }
  const double threads = has_warps ? kWarpThreads * fact_of(from, given, kWarpsOfSm) : of_sm;
  const bool is_changed = has_sm || has_warps || given.contains(kThreadsOfBlock);
  if (is_changed && threads > 0 && of_block > threads) {
    fail_usage("--set " +
               std::string(given.contains(kThreadsOfBlock) ? kThreadsOfBlock
                           : has_sm                        ? kThreadsOfSm
                                                           : kWarpsOfSm) +
               ": a block of " + plain_number(of_block) +
               " threads (max_threads_per_block) does not fit on an SM of " +
               plain_number(threads) + "; give --set max_threads_per_block=NUMBER too");
  }
}

GivenFacts checked(const DeviceProfile& from, const GivenFacts& given) {
  GivenFacts out;
  std::vector<std::string> known{kMemoryAlias};
  for (const auto& [key, fact] : from.facts) known.push_back(key);
  for (const auto& [name, fact] : given) {
    const std::string key = name == kMemoryAlias ? "memory_bandwidth_peak" : name;
    const auto found = from.facts.find(key);
    if (found == from.facts.end()) {
      const std::string nearest = suggestion(name, known);
      fail_usage("--set " + name + ": " + from.name + " has no such fact" +
                 (nearest.empty() ? "; pnsim show " + from.name + " lists its facts" : nearest));
    }
    const std::string text = "--set " + name + ": found " + significant(fact.value, 6);
    if (!(fact.value > 0)) fail_usage(text + ", expected a number over 0 in " + found->second.unit);
    const bool is_count =
        std::find(std::begin(kCounts), std::end(kCounts), key) != std::end(kCounts);
    if (is_count && fact.value != std::floor(fact.value)) {
      fail_usage(text + ", expected a whole number");
    }
    const double ratio = fact.value / found->second.value;
    if (found->second.value > 0 && (ratio > kMostRatio || ratio < 1 / kMostRatio)) {
      fail_usage(text + ", expected " + significant(found->second.value / kMostRatio, 3) + " to " +
                 significant(found->second.value * kMostRatio, 3) + " (" + found->second.unit +
                 "), a hundredth to a hundred times the " + significant(found->second.value, 6) +
                 " of " + from.name + "; is the unit right?");
    }
    if (out.contains(key)) fail_usage("--set " + name + ": " + key + " is given twice");
    out[key] = fact;
  }
  check_thread_limits(from, out);
  return out;
}

// Bandwidth over offered load, both relative to the saturated bandwidth, read off the measured
// points with 1, 2, 4 and 8 blocks on each SM. One block is taken to be limited by latency alone.
class FillingCurve {
 public:
  FillingCurve(const std::array<double, 4>& measured, double saturated) {
    for (std::size_t i = 0; i < measured.size(); ++i) {
      loads_[i] = static_cast<double>(std::size_t{1} << i) * measured[0] / saturated;
      shares_[i] = measured[i] / saturated;
    }
  }

  double share(double load) const {
    if (load <= loads_[0]) return load;
    for (std::size_t i = 1; i < loads_.size(); ++i) {
      if (load > loads_[i]) continue;
      const double part = (load - loads_[i - 1]) / (loads_[i] - loads_[i - 1]);
      return shares_[i - 1] + part * (shares_[i] - shares_[i - 1]);
    }
    return shares_.back();
  }

 private:
  std::array<double, 4> loads_{}, shares_{};
};

class Scaling {
 public:
  Scaling(const DeviceProfile& from, GivenFacts given) : from_(from), given_(std::move(given)) {
    clock_ = ratio_of("clock_mhz");
    sms_ = ratio_of("sms");
    memory_ = given_.contains("memory_bandwidth_peak")
                  ? ratio_of("memory_bandwidth_peak")
                  : ratio_of("memory_clock_mhz") * ratio_of("memory_bus_bits");
    capacity_ = ratio_of("l2_bytes");
    const double slices = from_.positive("l2_slices");
    slices_ = given_.contains("l2_slices")
                  ? ratio_of("l2_slices")
                  : std::max(1.0, std::round(slices * ratio_of("memory_bus_bits"))) / slices;
  }

  DeviceProfile run() {
    out_ = from_;
    out_.file.clear();
    out_.estimate = "scaled from " + from_.name + ", never compared with hardware";
    std::erase_if(out_.facts, [](const auto& row) { return is_of_generation(row.first); });
    for (auto& [key, fact] : out_.facts) fact.source = from_.name + ", kept: " + fact.source;
    for (const auto& [key, fact] : given_) {
      out_.facts[key].value = fact.value;
      out_.facts[key].source = "given" + (fact.source.empty() ? "" : ": " + fact.source);
      out_.facts[key].noise = 0;
    }
    if (!given_.contains("l2_slices")) {
      multiply("l2_slices", slices_, "memory_bus_bits");
      out_.facts.at("l2_slices").value = std::round(out_.facts.at("l2_slices").value);
    }
    for (const Rule rule : {kClockRate, kClockTime, kL2Rate, kL2Time, kSmallTables, kMemoryRate,
                            kMemoryTime, kCapacity}) {
      for (const std::string& key : kRules[rule].facts)
        multiply(key, factor_of(rule), name_of(rule));
    }
    set_warps_and_threads();
    limit_small_tables();
    scale_dram_latencies();
    fill_levels();
    return std::move(out_);
  }

 private:
  static std::string name_of(Rule rule) { return kRules[rule].name; }

  double ratio_of(const char* key) const {
    const auto it = given_.find(key);
    return it == given_.end() ? 1 : it->second.value / from_.positive(key);
  }

  double factor_of(Rule rule) const {
    switch (rule) {
      case kClockRate:
      case kSmallTables:
        return clock_;
      case kClockTime:
        return 1 / clock_;
      case kL2Rate:
        return slices_ * clock_;
      case kL2Time:
        return 1 / (slices_ * clock_);
      case kMemoryRate:
        return memory_;
      case kMemoryTime:
        return 1 / memory_;
      default:
        return capacity_;
    }
  }

  // Facts that were given or that the source lacks stay.
  bool is_scaled(const std::string& key) const {
    return !given_.contains(key) && from_.facts.contains(key);
  }

  void set(const std::string& key, double value, const std::string& rule) {
    if (!is_scaled(key)) return;
    const DeviceFact& old = from_.facts.find(key)->second;
    DeviceFact& fact = out_.facts.at(key);
    if (std::abs(value / old.value - 1) < 1e-9) return;  // kept: its ratio is 1
    const double rounded = std::stod(significant(value, 6));
    fact = {value < 1e15 ? rounded : value, old.unit,
            "scaled from " + from_.name + " (" + significant(old.value, 6) + ") by " + rule + ", " +
                significant(value / old.value, 4),
            old.noise};
  }

  void multiply(const std::string& key, double factor, const std::string& rule) {
    if (is_scaled(key)) set(key, from_.value(key) * factor, rule);
  }

  // One limit under two names: the given one determines the other.
  void set_warps_and_threads() {
    if (given_.contains(kThreadsOfSm)) {
      set(kWarpsOfSm, out_.value(kThreadsOfSm) / kWarpThreads, "max_threads_per_sm / 32");
    } else if (given_.contains(kWarpsOfSm)) {
      set(kThreadsOfSm, out_.value(kWarpsOfSm) * kWarpThreads, "max_warps_per_sm x 32");
    }
  }

  void limit_small_tables() {
    const double most = out_.positive("random_l2_sector_rate");
    for (const std::string& key : kRules[kSmallTables].facts) {
      if (is_scaled(key) && out_.value(key) > most) set(key, most, "random_l2_sector_rate");
    }
  }

  void scale_dram_latencies() {
    for (const std::string& key : kRules[kDramLatency].facts) {
      const double l2 = from_.positive("l2" + key.substr(4));
      if (is_scaled(key)) {
        set(key, out_.positive("l2" + key.substr(4)) + (from_.value(key) - l2) * clock_,
            name_of(kDramLatency));
      }
    }
  }

  // How the latency of a level in nanoseconds shrinks.
  double speed_up(const char* latency) const {
    const double before = from_.positive(latency) / from_.positive("clock_mhz");
    return before / (out_.positive(latency) / out_.positive("clock_mhz"));
  }

  void fill_levels() {
    for (const char* kind : {"read", "copy"}) {
      fill(std::string("l2_") + kind, speed_up("l2_latency_cycles"), name_of(kL2Filling));
      fill(std::string("dram_") + kind, speed_up("dram_latency_cycles"), name_of(kDramFilling));
    }
  }

  void fill(const std::string& stem, double speed_up, const std::string& rule) {
    const std::array<std::string, 4> keys{stem + "_1_block_bandwidth", stem + "_2_blocks_bandwidth",
                                          stem + "_4_blocks_bandwidth",
                                          stem + "_8_blocks_bandwidth"};
    std::array<double, 4> measured{};
    for (std::size_t i = 0; i < keys.size(); ++i) measured[i] = from_.positive(keys[i]);
    const FillingCurve curve(measured, from_.positive(stem + "_bandwidth"));
    const double saturated = out_.positive(stem + "_bandwidth");
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const double load =
          static_cast<double>(std::size_t{1} << i) * measured[0] * sms_ * speed_up / saturated;
      set(keys[i], curve.share(load) * saturated, rule);
    }
  }

  const DeviceProfile& from_;
  GivenFacts given_;
  DeviceProfile out_;
  double clock_ = 1, sms_ = 1, memory_ = 1, capacity_ = 1, slices_ = 1;  // ratios
};

}  // namespace

std::span<const ScaleRule> scale_rules() { return kRules; }

std::span<const std::pair<const char*, const char*>> sheet_facts() { return kSheet; }

DeviceProfile scale_device(const DeviceProfile& from, const GivenFacts& given) {
  from.need(needed_facts());
  return Scaling(from, checked(from, given)).run();
}

}  // namespace pnsim
