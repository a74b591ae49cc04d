#include "simulator/analysis/questions/what_if.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/base/error.h"
#include "simulator/model/cost/queues.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/launch_shape.h"
#include "simulator/model/launch/opcodes.h"
#include "simulator/model/launch/scaled_counters.h"
#include "simulator/model/sm/sm_parameters.h"

namespace pnsim {
namespace {

// A point, a device and parameters that may be changed.
struct Variant {
  DeviceProfile device;
  RecordedPoint point;
  const NetTemplate* net_template = nullptr;
  ParameterValues net_parameters;
};

// The functions below return whether there was anything to change.

// Multiplies each fact by `factor`.
bool scale(Variant& v, std::initializer_list<const char*> facts, double factor) {
  bool any = false;
  for (const char* name : facts) {
    const auto it = v.device.facts.find(name);
    if (it == v.device.facts.end()) continue;
    it->second.value *= factor;
    any = true;
  }
  return any;
}

// Doubles the bandwidths of a level that all SMs share, for every measured number of blocks.
bool scale_bandwidths(Variant& v, const std::string& level,
                      std::initializer_list<const char*> rates) {
  bool any = scale(v, rates, 2);
  for (auto& [name, fact] : v.device.facts) {
    if (!name.starts_with(level + "_") || !name.ends_with("_bandwidth")) continue;
    fact.value *= 2;
    any = true;
  }
  return any;
}

bool set_parameter(Variant& v, const char* name, std::int64_t value) {
  if (!v.net_template->find_parameter(name)) return false;
  v.net_parameters[name] = {value};
  return true;
}

template <class Change>
bool each_segment(Variant& v, Change change) {
  for (Launch& launch : v.point.launches) {
    for (Segment& segment : launch.segments) change(segment);
  }
  return true;
}

template <class Change>
bool each_access(Variant& v, InstructionClass of, Change change) {
  return each_segment(v, [&](Segment& segment) {
    for (SegmentAccess& access : segment.accesses) {
      if (class_of(access).paper == of) change(access);
    }
  });
}

// The bandwidth benchmark with `blocks` blocks per SM measures how loads queue. One of its
// iterations moves `bytes` per thread and includes the latency, so it becomes shorter by `cycles`.
void shorten_iteration(Variant& v, const std::string& bandwidth, double blocks, double bytes,
                       double cycles) {
  const auto it = v.device.facts.find(bandwidth);
  if (it == v.device.facts.end()) return;
  const double bytes_per_iteration = blocks * bytes * kBandwidthThreads * v.device.positive("sms");
  const double iteration =
      bytes_per_iteration * v.device.positive("clock_mhz") * 1e6 / it->second.value;
  it->second.value *= iteration / std::max(iteration - cycles, 1.0);
}

// Applies this to the read and the copy benchmarks of one level.
void shorten_iterations(Variant& v, const std::string& level, double cycles) {
  for (const int blocks : {1, 2, 4}) {
    const std::string with = std::to_string(blocks) + (blocks == 1 ? "_block" : "_blocks");
    shorten_iteration(v, level + "_read_" + with + "_bandwidth", blocks, kBandwidthReadBytes,
                      cycles);
    shorten_iteration(v, level + "_copy_" + with + "_bandwidth", blocks, kBandwidthCopyBytes,
                      cycles);
  }
}

// A load from DRAM passes through L2, so it gains as many cycles.
bool halve_l2_latency(Variant& v) {
  const double l2 = v.device.positive("l2_latency_cycles");
  const double dram = v.device.positive("dram_latency_cycles");
  v.device.facts["l2_latency_cycles"].value = l2 / 2;
  v.device.facts["dram_latency_cycles"].value = dram - l2 / 2;
  shorten_iterations(v, "l2", l2 / 2);
  shorten_iterations(v, "dram", l2 / 2);
  return true;
}

// Halves the latency that DRAM adds to that of L2.
bool halve_dram_latency(Variant& v) {
  const double l2 = v.device.positive("l2_latency_cycles");
  const double dram = v.device.positive("dram_latency_cycles");
  v.device.facts["dram_latency_cycles"].value = l2 + (dram - l2) / 2;
  shorten_iterations(v, "dram", (dram - l2) / 2);
  return true;
}

bool keep_dram_out(Variant& v) {
  for (Launch& launch : v.point.launches) launch.counters["dram_read_bytes"] = 0;
  return true;
}

// Half of the counted waits for results of fixed latency, at as many instructions as are left.
void halve_waits(double instructions_before, Launch& launch) {
  const auto multiply = [&](const char* name, double factor) {
    const auto it = launch.counters.find(name);
    if (it != launch.counters.end())
      it->second = std::llround(static_cast<double>(it->second) * factor);
  };
  multiply(kFixedWaits, 0.5);
  if (instructions_before > 0)
    multiply(kIssuedInstructions, executed_by(launch).instructions / instructions_before);
}

// Keeps barriers, fences and instructions with a variable-latency result.
void halve_arithmetic_of(Launch& launch) {
  for (Segment& segment : launch.segments) {
    for (auto& [name, count] : segment.classes) {
      const OpcodeClass& cls = *find_opcode_class(name);
      const bool is_plain = cls.paper == InstructionClass::kArithmetic &&
                            cls.result == LateResult::kNone && cls.id != OpcodeClassId::kBarrier &&
                            cls.id != OpcodeClassId::kFence;
      if (is_plain) count = std::ceil(count / 2);
    }
    const auto halve = [](auto& counts) {
      for (double& count : counts) count = std::floor(count / 2);
    };
    halve(segment.distances);
    halve(segment.distances_across);
    halve(segment.distances_double);
    halve(segment.register_bank_reads);
    segment.predicate_stalls = std::floor(segment.predicate_stalls / 2);
    segment.predicate_stall_cycles = std::floor(segment.predicate_stall_cycles / 2);
    segment.critical_path = (segment.critical_path + 1) / 2;
  }
}

bool halve_arithmetic(Variant& v) {
  for (Launch& launch : v.point.launches) {
    const double before = executed_by(launch).instructions;
    halve_arithmetic_of(launch);
    halve_waits(before, launch);
  }
  return true;
}

bool drop_dependences(Variant& v) {
  for (Launch& launch : v.point.launches) launch.counters.erase(kFixedWaits);
  return each_segment(v, [](Segment& segment) {
    segment.distances = {};
    segment.distances_across = {};
    segment.distances_double = {};
    segment.predicate_stalls = segment.predicate_stall_cycles = 0;
  });
}

bool drop_barriers(Variant& v) {
  return each_segment(v, [](Segment& segment) {
    if (segment.end == SegmentEnd::kBarrier) segment.end = SegmentEnd::kEdge;
  });
}

// The minimal number of wavefronts, tags or sectors: the bytes of all lanes over the bytes of one
// of these, and at least one per instruction.
double ideal(const SegmentAccess& access, double bytes_each) {
  const double bytes = static_cast<double>(access.bytes) * access.lanes;
  return access.count * std::max(1.0, bytes / bytes_each);
}

// The counters of wavefronts include the conflicts, so they must shrink too; otherwise the removed
// wavefronts would count as those of other accesses.
bool drop_conflicts(Variant& v) {
  for (Launch& launch : v.point.launches) {
    const std::vector<double> executions = executions_of(launch);
    double gone = 0;
    for (std::size_t s = 0; s < launch.segments.size(); ++s) {
      for (SegmentAccess& access : launch.segments[s].accesses) {
        if (!is_shared_access(access)) continue;
        const double left = std::min(access.wavefronts, ideal(access, 128));
        gone += executions[s] * (access.wavefronts - left);
        access.wavefronts = left;
      }
    }
    for (const char* name : {"shared_wavefronts", "l1_wavefronts"}) {
      const auto it = launch.counters.find(name);
      if (it == launch.counters.end()) continue;
      it->second -= std::llround(std::min(gone, static_cast<double>(it->second)));
    }
  }
  return true;
}

bool coalesce(Variant& v) {
  return each_access(v, InstructionClass::kGlobal, [](SegmentAccess& access) {
    const OpcodeClass& cls = class_of(access);
    if (is_local_access(cls)) return;   // the compiler determines the layout of local memory
    if (is_global_atomic(cls)) return;  // the number of operations does not depend on the lines
    access.tag_lookups = std::min(access.tag_lookups, ideal(access, 128));
    access.sectors = std::min(access.sectors, ideal(access, 32));
  });
}

struct Change {
  const char* what;
  bool (*apply)(Variant&);
};

// The table of what-if changes: to add one, add a row.
const Change kChanges[] = {
    {"twice the L2 bandwidth",
     [](Variant& v) {
       return scale_bandwidths(
           v, "l2",
           {"full_l2_store_rate", "partial_l2_store_rate", "pitched_l2_store_rate",
            "random_l2_16_kib_sector_rate", "random_l2_64_kib_sector_rate",
            "random_l2_256_kib_sector_rate", "random_l2_sector_rate"});
     }},
    {"twice the atomic throughput",
     [](Variant& v) {
       return scale(v,
                    {"global_atomic_lane_ns", "global_atomic_float_ns", "global_atomic_sector_ns",
                     "global_atomic_line_ns"},
                    0.5);
     }},
    {"twice the DRAM bandwidth",
     [](Variant& v) { return scale_bandwidths(v, "dram", {"random_dram_sector_rate"}); }},
    {"half the latency of L2", halve_l2_latency},
    {"half the DRAM latency beyond L2", halve_dram_latency},
    {"half the latency of L1 and shared memory",
     [](Variant& v) {
       return scale(v, {"l1_latency_cycles", "texture_latency_cycles", "shared_latency_cycles"},
                    0.5);
     }},
    {"nothing read from DRAM", keep_dram_out},
    {"twice the shared memory and L1 bandwidth",
     [](Variant& v) {
       scale(v, {"special_register_rate"}, 2);
       return scale(v, {"shared_load_cycles", "l1_load_cycles"}, 0.5);
     }},
    {"twice the pipe throughput",
     [](Variant& v) {
       return scale(v,
                    {"int_logic_rate", "int_mad_rate", "int_mad_wide_rate", "fp64_rate",
                     "special_rate", "constant_rate"},
                    2);
     }},
    {"half the arithmetic instructions", halve_arithmetic},
    {"no arithmetic dependences", drop_dependences},
    {"no bank conflicts", drop_conflicts},
    {"full coalescing", coalesce},
    {"barriers without cost", [](Variant& v) { return set_parameter(v, "barrier", 0); }},
    {"no barriers", drop_barriers},
    {"immediate block dispatch", [](Variant& v) { return set_parameter(v, "dispatch", 1); }},
    {"no launch overhead", [](Variant& v) { return set_parameter(v, "launch", 0); }},
};

// Returns "block = 128" when the points differ in that axis alone, else "".
std::string other_shape(const Problem& own, const Problem& other) {
  std::string text;
  int differences = 0;
  for (const auto& [axis, value] : other) {
    if (own.contains(axis) && own.at(axis) == value) continue;
    ++differences;
    if (is_configuration_axis(axis)) text = axis + " = " + std::to_string(value);
  }
  return differences == 1 ? text : "";
}

// Keeps the launch overhead of the unchanged device. It was measured with the latency of the first
// accesses, which is subtracted, so a changed latency would change it. One parameter holds the
// overhead of all launches; when their overheads differ, nothing is kept.
void keep_launch_cost(Variant& own) {
  if (own.net_parameters.contains("launch") || !own.net_template->find_parameter("launch")) return;
  std::vector<std::int64_t> cost;
  for (const Launch& launch : own.point.launches) {
    cost.push_back(sm_parameters(launch, own.device).at("launch").at(0));
  }
  const bool equal = std::all_of(cost.begin(), cost.end(), [&](auto c) { return c == cost[0]; });
  if (equal && !cost.empty()) own.net_parameters["launch"] = {cost[0]};
}

// The points to predict. The first one is the unchanged point.
struct Points {
  std::deque<Variant> variants;
  std::vector<std::string> what;
  std::vector<PointRequest> requests;
};

void add(Points& points, const PointRequest& request, const std::string& what, Variant variant) {
  points.what.push_back(what);
  points.variants.push_back(std::move(variant));
  const Variant& mine = points.variants.back();
  points.requests.push_back({request.model,
                             request.net_template,
                             &mine.device,
                             &mine.point,
                             mine.net_parameters,
                             {},
                             {},
                             request.factors});
}

Points points_of(const PointRequest& request) {
  Points points;
  const Variant own{*request.device, *request.point, request.net_template, request.net_parameters};
  add(points, request, "as it is", own);
  for (const Change& change : kChanges) {
    Variant variant = own;
    keep_launch_cost(variant);
    if (change.apply(variant)) add(points, request, change.what, std::move(variant));
  }
  for (const RecordedPoint& point : request.model->points) {
    const std::string what = other_shape(own.point.problem, point.problem);
    if (what.empty()) continue;
    Variant variant = own;
    variant.point = point;
    add(points, request, what, std::move(variant));
  }
  return points;
}

// A run that did not end is no improvement, however few its steps are.
bool is_shorter(const WhatIfRow& a, const WhatIfRow& b) {
  const std::optional<double> of_a = a.point.time_us, of_b = b.point.time_us;
  return of_a && (!of_b || *of_a < *of_b);
}

}  // namespace

WhatIfReport what_if(const PointRequest& request, const RunOptions& options,
                     const ReplicaRule& rule) {
  if (!request.net_template->step_is_cycle) {
    fail_usage("net " + request.net_template->name +
               ": its step is not one clock cycle, so it predicts no times; use --net sm");
  }
  const Points points = points_of(request);
  const ComparedPoints compared = compare_with_first(points.requests, options, rule, kSmallChange);
  WhatIfReport out{request.model->name,
                   request.net_template->name,
                   request.device->name,
                   request.point->problem,
                   options,
                   rule,
                   compared.first.net_parameters,
                   compared.outcome,
                   compared.points[0].time_us,
                   std::nullopt,
                   {}};
  if (out.time_us)
    out.first_us = compared.first.steps_at_device_clock[0] / request.device->positive("clock_mhz");
  out.options.replicas = compared.points[0].replicas;
  for (std::size_t i = 1; i < compared.points.size(); ++i) {
    out.rows.push_back({points.what[i], compared.points[i]});
  }
  std::stable_sort(out.rows.begin(), out.rows.end(), is_shorter);
  return out;
}

}  // namespace pnsim
