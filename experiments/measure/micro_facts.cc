#include "experiments/measure/micro_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "experiments/measure/l2_structure.h"
#include "gpu/microbench.h"
#include "simulator/base/json_reader.h"

namespace pnsim::experiments {
namespace {

// A fact is the value of the row with this bench and these settings. If several rows with further
// settings match (such as occupancies for a bandwidth), it is the largest value.
struct MeasuredFact {
  const char* key;  // key in the profile
  const char* bench;
  const char* settings;  // "axis=value axis=value"; SMS stands for the number of SMs
  const char* unit;      // unit in the profile
  double factor;         // from the row's unit to this unit
};

constexpr const char* kCycle = "cycle";
constexpr const char* kRate = "warp instruction/cycle/SM";

constexpr MeasuredFact kMeasured[] = {
    {"fp32_latency_cycles", "latency_arithmetic", "op=fp32_fma", kCycle, 1},
    {"fp64_latency_cycles", "latency_arithmetic", "op=fp64_fma", kCycle, 1},
    {"int_mad_latency_cycles", "latency_arithmetic", "op=int_mad", kCycle, 1},
    {"int_logic_latency_cycles", "latency_arithmetic", "op=int_logic", kCycle, 1},
    {"int_shift_latency_cycles", "latency_arithmetic", "op=int_shift", kCycle, 1},
    {"special_latency_cycles", "latency_arithmetic", "op=special_rsqrt_flushed", kCycle, 1},
    {"guarded_add_cycles", "latency_arithmetic", "op=compare_and_guarded_add", kCycle, 1},
    {"fp32_and_logic_cycles", "latency_arithmetic", "op=fp32_fma_and_logic", kCycle, 1},
    {"if_else_all_cycles", "if_else", "taken_by=all", kCycle, 1},
    {"if_else_half_cycles", "if_else", "taken_by=half", kCycle, 1},
    {"constant_latency_cycles", "latency_constant", "", kCycle, 1},
    {"loop_turn_cycles", "loop_turn", "counter=own warps=1", kCycle, 1},
    {"loop_turn_64_warps_cycles", "loop_turn", "counter=own warps=64", kCycle, 1},
    {"shuffle_latency_cycles", "latency_arithmetic", "op=shuffle", kCycle, 1},
    {"shared_latency_cycles", "latency_shared", "", kCycle, 1},
    {"l1_latency_cycles", "latency_l1", "", kCycle, 1},
    {"texture_latency_cycles", "latency_texture", "", kCycle, 1},
    {"texture_fetch_cycles", "texture_rate", "stride_words=1 warps=32", "cycle/warp fetch", 1},
    {"texture_32_sectors_fetch_cycles", "texture_rate", "stride_words=8 warps=32",
     "cycle/warp fetch", 1},
    {"l2_latency_cycles", "latency_l2", "lines=all", kCycle, 1},
    {"l2_near_latency_cycles", "latency_l2", "lines=near", kCycle, 1},
    {"l2_far_latency_cycles", "latency_l2", "lines=far", kCycle, 1},
    {"l2_mean_sm_latency_cycles", "latency_sms", "sm=mean", kCycle, 1},
    {"l2_slowest_sm_latency_cycles", "latency_sms", "sm=slowest", kCycle, 1},
    {"l1_1_line_latency_cycles", "latency_lines", "level=l1 lines=1", kCycle, 1},
    {"l1_32_lines_latency_cycles", "latency_lines", "level=l1 lines=32", kCycle, 1},
    {"l2_1_line_latency_cycles", "latency_lines", "level=l2 lines=1", kCycle, 1},
    {"l2_4_lines_latency_cycles", "latency_lines", "level=l2 lines=4", kCycle, 1},
    {"l2_32_lines_latency_cycles", "latency_lines", "level=l2 lines=32", kCycle, 1},
    {"dram_latency_cycles", "latency_dram", "footprint_mib=512", kCycle, 1},
    {"dram_1_line_latency_cycles", "latency_lines", "level=dram lines=1", kCycle, 1},
    {"dram_4_lines_latency_cycles", "latency_lines", "level=dram lines=4", kCycle, 1},
    {"dram_32_lines_latency_cycles", "latency_lines", "level=dram lines=32", kCycle, 1},
    {"clock_read_cycles", "clock_cost", "clock=clock64", kCycle, 1},
    {"fp32_rate", "pipe_rate", "op=fp32_fma warps=32", kRate, 1},
    {"fp64_rate", "fp64_rate", "warps=32", kRate, 1},
    {"int_mad_rate", "pipe_rate", "op=int_mad warps=32", kRate, 1},
    {"int_logic_rate", "pipe_rate", "op=int_logic warps=32", kRate, 1},
    {"int_shift_rate", "pipe_rate", "op=int_shift warps=32", kRate, 1},
    {"int_mad_wide_rate", "pipe_rate", "op=int_mad_wide warps=32", kRate, 1},
    {"special_rate", "pipe_rate", "op=special_ex2 warps=32", kRate, 1},
    {"special_register_rate", "pipe_rate", "op=special_register warps=32", kRate, 1},
    {"constant_rate", "pipe_rate", "op=constant_load warps=32", kRate, 1},
    {"shuffle_rate", "pipe_rate", "op=shuffle warps=32", kRate, 1},
    {"issue_rate", "pipe_rate", "op=fma_and_logic warps=32", kRate, 1},
    {"global_load_issue_cycles", "issue_beside", "op=global_load accesses=8", kCycle, 1},
    {"product_and_load_issue_cycles", "issue_beside", "op=product_and_global_load accesses=8",
     "cycle/pair", 1},
    {"global_store_issue_cycles", "issue_beside", "op=global_store accesses=4", kCycle, 1},
    {"shared_load_issue_cycles", "issue_beside", "op=shared_load accesses=8", kCycle, 1},
    {"shared_store_issue_cycles", "issue_beside", "op=shared_store accesses=8", kCycle, 1},
    {"shuffle_issue_cycles", "issue_beside", "op=shuffle accesses=8", kCycle, 1},
    {"shared_load_cycles", "shared_stride", "stride_words=1", "cycle/warp load", 1},
    {"shared_load_2_way_cycles", "shared_stride", "stride_words=2", "cycle/warp load", 1},
    {"shared_load_32_way_cycles", "shared_stride", "stride_words=32", "cycle/warp load", 1},
    {"l1_load_cycles", "l1_stride", "stride_words=1", "cycle/warp load", 1},
    {"l1_load_31_lines_cycles", "l1_stride", "stride_words=31", "cycle/warp load", 1},
    {"l1_load_32_lines_cycles", "l1_stride", "stride_words=32", "cycle/warp load", 1},
    {"l2_read_bandwidth", "bandwidth", "level=l2 kind=read", "byte/s", 1e9},
    {"l2_write_bandwidth", "bandwidth", "level=l2 kind=write", "byte/s", 1e9},
    {"dram_read_bandwidth", "bandwidth", "level=dram kind=read", "byte/s", 1e9},
    {"dram_write_bandwidth", "bandwidth", "level=dram kind=write", "byte/s", 1e9},
    {"dram_copy_bandwidth", "bandwidth", "level=dram kind=copy", "byte/s", 1e9},
    {"sm_dram_bandwidth", "bandwidth", "level=dram kind=read sms=1", "byte/s", 1e9},
    {"sm_l2_bandwidth", "bandwidth", "level=l2 kind=read sms=1", "byte/s", 1e9},
    {"sm_l2_write_bandwidth", "bandwidth", "level=l2 kind=write sms=1", "byte/s", 1e9},
    {"partial_store_rate", "partial_store", "level=dram words_per_sector=1", "sector/s", 1e9},
    {"full_store_rate", "partial_store", "level=dram words_per_sector=8", "sector/s", 1e9},
    {"partial_l2_store_rate", "partial_store", "level=l2 words_per_sector=1", "sector/s", 1e9},
    {"full_l2_store_rate", "partial_store", "level=l2 words_per_sector=8", "sector/s", 1e9},
    {"sm_partial_l2_store_rate", "partial_store", "level=l2 words_per_sector=1 sms=1", "sector/s",
     1e9},
    {"sm_full_l2_store_rate", "partial_store", "level=l2 words_per_sector=8 sms=1", "sector/s",
     1e9},
    {"pitched_l2_store_rate", "pitched_store", "pitch_words=1600", "sector/s", 1e9},
    {"random_l2_16_kib_sector_rate", "random_tables", "table_kib=16", "sector/s", 1e9},
    {"random_l2_64_kib_sector_rate", "random_tables", "table_kib=64", "sector/s", 1e9},
    {"random_l2_256_kib_sector_rate", "random_tables", "table_kib=256", "sector/s", 1e9},
    {"random_l2_sector_rate", "random_sectors", "level=l2", "sector/s", 1e9},
    {"random_dram_sector_rate", "random_sectors", "level=dram", "sector/s", 1e9},
    {"sm_random_l2_sector_rate", "random_sectors", "level=l2 sms=1", "sector/s", 1e9},
    {"l2_read_1_block_bandwidth", "bandwidth", "level=l2 kind=read blocks_per_sm=1 sms=SMS",
     "byte/s", 1e9},
    {"l2_read_2_blocks_bandwidth", "bandwidth", "level=l2 kind=read blocks_per_sm=2 sms=SMS",
     "byte/s", 1e9},
    {"l2_read_4_blocks_bandwidth", "bandwidth", "level=l2 kind=read blocks_per_sm=4 sms=SMS",
     "byte/s", 1e9},
    {"l2_read_8_blocks_bandwidth", "bandwidth", "level=l2 kind=read blocks_per_sm=8 sms=SMS",
     "byte/s", 1e9},
    {"l2_copy_1_block_bandwidth", "bandwidth", "level=l2 kind=copy blocks_per_sm=1 sms=SMS",
     "byte/s", 1e9},
    {"l2_copy_2_blocks_bandwidth", "bandwidth", "level=l2 kind=copy blocks_per_sm=2 sms=SMS",
     "byte/s", 1e9},
    {"l2_copy_4_blocks_bandwidth", "bandwidth", "level=l2 kind=copy blocks_per_sm=4 sms=SMS",
     "byte/s", 1e9},
    {"l2_copy_8_blocks_bandwidth", "bandwidth", "level=l2 kind=copy blocks_per_sm=8 sms=SMS",
     "byte/s", 1e9},
    {"dram_read_1_block_bandwidth", "bandwidth", "level=dram kind=read blocks_per_sm=1 sms=SMS",
     "byte/s", 1e9},
    {"dram_read_2_blocks_bandwidth", "bandwidth", "level=dram kind=read blocks_per_sm=2 sms=SMS",
     "byte/s", 1e9},
    {"dram_read_4_blocks_bandwidth", "bandwidth", "level=dram kind=read blocks_per_sm=4 sms=SMS",
     "byte/s", 1e9},
    {"dram_read_8_blocks_bandwidth", "bandwidth", "level=dram kind=read blocks_per_sm=8 sms=SMS",
     "byte/s", 1e9},
    {"dram_copy_1_block_bandwidth", "bandwidth", "level=dram kind=copy blocks_per_sm=1 sms=SMS",
     "byte/s", 1e9},
    {"dram_copy_2_blocks_bandwidth", "bandwidth", "level=dram kind=copy blocks_per_sm=2 sms=SMS",
     "byte/s", 1e9},
    {"dram_copy_4_blocks_bandwidth", "bandwidth", "level=dram kind=copy blocks_per_sm=4 sms=SMS",
     "byte/s", 1e9},
    {"dram_copy_8_blocks_bandwidth", "bandwidth", "level=dram kind=copy blocks_per_sm=8 sms=SMS",
     "byte/s", 1e9},
    {"dram_write_8_blocks_bandwidth", "bandwidth", "level=dram kind=write blocks_per_sm=8 sms=SMS",
     "byte/s", 1e9},
    {"l2_write_8_blocks_bandwidth", "bandwidth", "level=l2 kind=write blocks_per_sm=8 sms=SMS",
     "byte/s", 1e9},
    {"barrier_1_warp_cycles", "barrier", "warps=1", kCycle, 1},
    {"barrier_4_warps_cycles", "barrier", "warps=4", kCycle, 1},
    {"barrier_16_warps_cycles", "barrier", "warps=16", kCycle, 1},
    {"barrier_32_warps_cycles", "barrier", "warps=32", kCycle, 1},
    {"block_dispatch_ns", "block_dispatch", "threads=32", "ns/block", 1},
    {"block_turnover_ns", "block_turnover", "last=store threads=256", "ns", 1},
    {"kernel_nothing_ns", "kernel_start", "touch=nothing blocks=SMS threads=256", "ns/launch", 1},
    {"kernel_nothing_constants_ns", "constant_start", "blocks=SMS", "ns/launch", 1},
    {"constant_line_ns", "constant_lines", "stride_bytes=64", "ns/line", 1},
    {"kernel_index_ns", "kernel_start", "touch=index blocks=SMS threads=256", "ns/launch", 1},
    {"kernel_load_ns", "kernel_start", "touch=load blocks=SMS threads=256", "ns/launch", 1},
    {"kernel_store_ns", "kernel_start", "touch=store blocks=SMS threads=256", "ns/launch", 1},
    {"kernel_copy_ns", "kernel_start", "touch=copy blocks=SMS threads=256", "ns/launch", 1},
    {"kernel_late_ns", "late_start", "touch=index", "ns/launch", 1},
    {"alone_nothing_ns", "alone_start", "after=wait touch=nothing launches=1", "ns", 1},
    {"alone_96_nothing_ns", "alone_start", "after=wait touch=nothing launches=96", "ns", 1},
    {"cold_nothing_ns", "alone_start", "after=flush touch=nothing launches=1", "ns", 1},
    {"cold_96_nothing_ns", "alone_start", "after=flush touch=nothing launches=96", "ns", 1},
    {"cold_index_ns", "alone_start", "after=flush touch=index launches=1", "ns", 1},
    {"cold_load_ns", "alone_start", "after=flush touch=load launches=1", "ns", 1},
    {"cold_copy_ns", "alone_start", "after=flush touch=copy launches=1", "ns", 1},
    {"stream_launch_ns", "launch", "from=stream", "ns/launch", 1},
    {"graph_launch_ns", "launch", "from=graph blocks=1", "ns/launch", 1},
    {"shared_atomic_cycles", "shared_atomic_rate", "op=add words=own", "cycle/warp instruction", 1},
    {"global_atomic_ns", "atomic_contention",
     "memory=global_own_lines result=dropped addresses_per_warp=32", "ns/warp instruction", 1},
    {"global_atomic_one_address_ns", "atomic_contention",
     "memory=global_one_line result=dropped addresses_per_warp=1", "ns/warp instruction", 1},
    {"global_atomic_lane_ns", "scattered_atomics", "memory=global_one_lane", "ns/operation", 1},
    {"global_atomic_dropped_ns", "scattered_atomics", "memory=global words=4194304",
     "ns/warp instruction", 1},
    {"global_atomic_dram_ns", "scattered_atomics", "memory=global words=268435456",
     "ns/warp instruction", 1},
    {"global_atomic_returned_ns", "scattered_atomics", "memory=global_used words=4194304",
     "ns/warp instruction", 1},
    {"global_atomic_alone_ns", "memory_operations",
     "op=atomic pattern=coalesced between=nothing warps_per_sm=1", "ns/operation of a warp", 1},
    {"global_load_alone_ns", "memory_operations",
     "op=load pattern=coalesced between=nothing warps_per_sm=1", "ns/operation of a warp", 1},
    {"global_atomic_float_ns", "scattered_atomics", "memory=global_one_lane_float", "ns/operation",
     1},
    {"global_atomic_sorted_ns", "scattered_atomics", "memory=global_sorted", "ns/warp instruction",
     1},
    {"global_atomic_sorted_float_ns", "scattered_atomics", "memory=global_sorted_float",
     "ns/warp instruction", 1},
    {"global_atomic_sector_ns", "atomic_contention",
     "memory=global_one_line result=dropped addresses_per_warp=8", "ns/warp instruction", 1},
    {"global_atomic_line_ns", "scattered_atomics", "memory=global_merged words=64",
     "ns/warp instruction", 1},
    {"host_to_device_bandwidth", "transfer", "memory=pinned direction=to_device", "byte/s", 1e9},
    {"device_to_host_bandwidth", "transfer", "memory=pinned direction=to_host", "byte/s", 1e9},
};

// The row's settings as one text in which single settings can be found: " level=l2 kind=read ".
std::string settings_of(const InputJson& row) {
  std::string text = " ";
  for (const auto& [axis, value] : row.at("axes").items()) {
    text += axis + "=" + (value.is_string() ? value.get<std::string>() : value.dump()) + " ";
  }
  return text;
}

bool holds_all(const std::string& settings, const std::string& wanted) {
  for (std::size_t at = 0; at < wanted.size();) {
    const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
    if (settings.find(" " + wanted.substr(at, end - at) + " ") == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

struct Row {
  std::string bench, settings, date;
  double value, noise;
};

std::optional<Row> read_row(const InputJson& json) {
  if (json.value("kind", "") != "micro") return std::nullopt;
  if (json.value("throttled", Json(nullptr)) == true) return std::nullopt;
  const Json others = json.value("other_processes", Json(nullptr));
  if (others.is_number() && others != 0) return std::nullopt;
  const JsonReader row(json, "microbench row " + json.value("id", "?"));
  row.at("axes");  // throws error 3 when it is missing
  return Row{row.at("bench").string(), settings_of(json), row.at("date").string(),
             row.at("value").number(), row.at("rel_mad").number()};
}

// The settings of a fact, with the number of SMs of the device filled in.
std::string settings_on(const char* settings, const std::string& sms) {
  constexpr std::string_view kSms = "SMS";
  std::string text = settings;
  for (std::size_t at = text.find(kSms); at != std::string::npos; at = text.find(kSms)) {
    text.replace(at, kSms.size(), sms);
  }
  return text;
}

const Row* find_row(const std::vector<Row>& rows, const MeasuredFact& fact,
                    const std::string& sms) {
  const std::string wanted = settings_on(fact.settings, sms);
  const Row* best = nullptr;
  for (const Row& row : rows) {
    if (row.bench != fact.bench || !holds_all(row.settings, wanted)) continue;
    if (best == nullptr || row.value > best->value) best = &row;
  }
  return best;
}

// A straight line through two points of a curve.
struct Line {
  double x0, y0, slope;
  double at(double x) const { return y0 + slope * (x - x0); }
};

Line through(std::pair<double, double> a, std::pair<double, double> b) {
  return {a.first, a.second, (b.second - a.second) / (b.first - a.first)};
}

// The time of a launch over its footprint. Footprints up to kAllStaysMib stay in L2 and lie on one
// line; those from kNothingStaysMib on do not stay and lie on another. A footprint between them
// lies some way from the first line to the second.
constexpr double kAllStaysMib = 24, kNothingStaysMib = 96;
using Curve = std::map<double, double>;  // MiB, ns a launch

// The smallest footprint at which this share of the way is reached.
std::optional<double> footprint_at(const Curve& curve, const Line& stays, const Line& goes,
                                   double part) {
  std::optional<std::pair<double, double>> before;
  for (const auto& [mib, ns] : curve) {
    const double way = (ns - stays.at(mib)) / (goes.at(mib) - stays.at(mib));
    if (mib > kAllStaysMib && way >= part) {
      if (!before) return mib;
      return before->first +
             (mib - before->first) * (part - before->second) / (way - before->second);
    }
    before = {mib, way};
  }
  return std::nullopt;
}

// The part of a footprint that L2 keeps from launch to launch: everything up to ..._keeps_bytes,
// nothing from ..._loses_bytes on. Both are extrapolated from a quarter and three quarters of the
// way.
std::size_t set_footprints(const std::vector<Row>& rows, const std::string& kind,
                           DeviceProfile& profile) {
  Curve curve;
  std::string date;
  double noise = 0;
  for (const Row& row : rows) {
    if (row.bench != "l2_footprint" || !holds_all(row.settings, "kind=" + kind)) continue;
    const std::size_t mib = row.settings.find("mib=");
    if (mib == std::string::npos) continue;
    curve[std::stod(row.settings.substr(mib + 4))] = row.value;
    date = row.date;
    noise = std::max(noise, row.noise);
  }
  const auto last_that_stays = curve.upper_bound(kAllStaysMib);
  const auto first_that_goes = curve.lower_bound(kNothingStaysMib);
  if (curve.empty() || last_that_stays == curve.begin() || first_that_goes == curve.end()) return 0;
  const auto fits = std::prev(last_that_stays), most = std::prev(curve.end());
  if (fits == curve.begin() || first_that_goes == most) return 0;  // a line needs two points
  const Line stays = through(*curve.begin(), *fits), goes = through(*first_that_goes, *most);
  const auto quarter = footprint_at(curve, stays, goes, 0.25);
  const auto three_quarters = footprint_at(curve, stays, goes, 0.75);
  if (!quarter || !three_quarters) return 0;
  const double half_way = (*three_quarters - *quarter) / 2;
  const std::string source =
      "experiment microbench l2_footprint kind=" + kind + " on " + date.substr(0, 10);
  constexpr double kBytesOfMib = 1 << 20;
  const auto bytes = [&](double mib) {
    return DeviceFact{std::round(mib * kBytesOfMib), "byte", source, noise};
  };
  profile.facts["l2_" + kind + "_keeps_bytes"] = bytes(*quarter - half_way);
  profile.facts["l2_" + kind + "_loses_bytes"] = bytes(*three_quarters + half_way);
  if (kind != "copy" || !(stays.slope > 0)) return 2;
  // From launches that stay in L2. Launches that only read are limited by the dispatch of their
  // blocks, so the copy is used.
  profile.facts["l2_copy_bandwidth"] = {kBytesOfMib / stays.slope * 1e9, "byte/s", source, noise};
  return 3;
}

}  // namespace

std::size_t set_measured_facts(const std::vector<InputJson>& rows, DeviceProfile& profile) {
  std::vector<Row> known;
  for (const InputJson& json : rows) {
    if (std::optional<Row> row = read_row(json)) known.push_back(std::move(*row));
  }
  const std::string sms =
      profile.facts.contains("sms") ? std::to_string(profile.count("sms")) : "?";
  std::size_t set = 0;
  for (const MeasuredFact& fact : kMeasured) {
    const Row* row = find_row(known, fact, sms);
    if (row == nullptr) continue;
    profile.facts[fact.key] = {
        row->value * fact.factor, fact.unit,
        "experiment microbench " + row->bench + row->settings + "on " + row->date.substr(0, 10),
        row->noise};
    ++set;
  }
  for (const char* kind : {"read", "copy"}) set += set_footprints(known, kind, profile);
  return set + set_l2_partitions(rows, profile);
}

std::vector<std::string> benches_of_facts() {
  std::set<std::string> wanted{"l2_footprint", "latency_l2", "sm_clock"};
  for (const MeasuredFact& fact : kMeasured) wanted.insert(fact.bench);
  std::vector<std::string> out;
  for (const gpu::Microbenchmark& bench : gpu::microbenchmarks()) {
    if (wanted.contains(bench.name)) out.push_back(bench.name);
  }
  return out;
}

}  // namespace pnsim::experiments
