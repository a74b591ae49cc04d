// Writes the rows that counts_import.h describes.
#include <algorithm>
#include <cmath>
#include <functional>

#include "experiments/measure/counts_import.h"
#include "gpu/counter_list.h"
#include "simulator/base/hash.h"

namespace pnsim::experiments {
namespace {

// A counter of the first profiled pass that is kept under a shorter name.
struct KeptCounter {
  const char* name;
  const char* column;  // column of the raw page
};
constexpr KeptCounter kKeptCounters[] = {
    {"thread_instructions", "smsp__thread_inst_executed.sum"},
    {"sm_instructions_mean", "sm__inst_executed.avg"},
    {"sm_instructions_most", "sm__inst_executed.max"},
    {"sm_active_cycles_mean", "sm__cycles_active.avg"},
    {"sm_active_cycles_most", "sm__cycles_active.max"},
    {"elapsed_cycles", "gpc__cycles_elapsed.max"},
    {"l1_wavefronts", "l1tex__data_pipe_lsu_wavefronts.sum"},
    {"shared_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"},
    {"shared_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"},
    {"bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu.sum"},
    {"global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {"global_load_sectors_hit", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"},
    {"global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {"l2_read_sectors", "lts__t_sectors_srcunit_tex_op_read.sum"},
    {"l2_write_sectors", "lts__t_sectors_srcunit_tex_op_write.sum"},
    {"l2_miss_sectors", "lts__t_sectors_srcunit_tex_lookup_miss.sum"},
    {"dram_read_bytes", "dram__bytes_read.sum"},
    {"dram_write_bytes", "dram__bytes_write.sum"},
};

// Writes a whole number without decimals.
Json counter_number(double value) {
  if (value == std::floor(value)) return static_cast<std::int64_t>(value);
  return std::round(value * 1000) / 1000;
}

Json counters_json(const ProfiledPass& pass) {
  Json out = Json::object();
  for (const KeptCounter& kept : kKeptCounters) {
    const auto it = pass.launch.counters.find(kept.column);
    if (it != pass.launch.counters.end()) out[kept.name] = counter_number(it->second);
  }
  if (pass.source) out["arithmetic_operations"] = pass.source->arithmetic_operations;
  return out;
}

// The states of the resident warps as shares of 1; null when the page has no stall counters.
Json stalls_json(const ProfiledPass& pass) {
  std::vector<std::pair<std::string, double>> warps;
  double all = 0;
  for (const gpu::Counter& counter : gpu::counter_list()) {
    if (counter.use != gpu::CounterUse::kStall) continue;
    const auto it = pass.launch.counters.find(counter.metric);
    if (it == pass.launch.counters.end()) continue;
    warps.push_back({gpu::stall_reason(counter), it->second});
    all += it->second;
  }
  if (all <= 0) return nullptr;
  Json out;
  for (const auto& [reason, count] : warps) out[reason] = std::round(count / all * 1e4) / 1e4;
  return out;
}

// One kernel of a point, over the profiled passes.
struct KernelCounts {
  std::string kernel;
  std::int64_t grid = 0, block = 0;
  std::vector<std::int64_t> instructions, arithmetic, shared, global;
  std::vector<double> profiled_us;
  Json counters, stalls;  // of the first pass
};

struct PointCounts {
  std::vector<std::uint32_t> passes;
  std::vector<KernelCounts> kernels;  // in launch order within a pass
};

PointCounts counts_of(const std::vector<const ProfiledPass*>& rows) {
  PointCounts out;
  std::size_t kernel = 0;
  for (const ProfiledPass* row : rows) {
    if (out.passes.empty() || out.passes.back() != row->pass) {
      out.passes.push_back(row->pass);
      kernel = 0;
    }
    if (kernel == out.kernels.size()) {
      out.kernels.push_back({});
      out.kernels.back().counters = counters_json(*row);
      out.kernels.back().stalls = stalls_json(*row);
    }
    KernelCounts& mine = out.kernels[kernel++];
    mine.kernel = row->launch.kernel;
    mine.grid = row->launch.launch.grid;
    mine.block = row->launch.launch.block;
    mine.instructions.push_back(row->launch.instructions);
    mine.arithmetic.push_back(row->launch.totals.arithmetic);
    mine.shared.push_back(row->launch.totals.shared);
    mine.global.push_back(row->launch.totals.global);
    mine.profiled_us.push_back(row->launch.profiled_us);
  }
  return out;
}

template <class T>
Json shortened(const std::vector<T>& values) {
  const bool equal =
      std::all_of(values.begin(), values.end(), [&](const T& v) { return v == values.front(); });
  return equal ? Json::array({values.front()}) : Json(values);
}

Json kernel_json(const KernelCounts& k) {
  Json out = {{"kernel", k.kernel},
              {"grid", k.grid},
              {"block", k.block},
              {"instructions", shortened(k.instructions)},
              {"arithmetic", shortened(k.arithmetic)},
              {"shared", shortened(k.shared)},
              {"global", shortened(k.global)},
              {"profiled_us", shortened(k.profiled_us)},
              {"spread", spread_of(k.instructions)},
              {"counters", k.counters}};
  if (!k.stalls.is_null()) out["stalls"] = k.stalls;
  return out;
}

// null when a launch has no source page.
Json source_sums(const std::vector<const ProfiledPass*>& rows) {
  std::size_t sums = 0;
  for (const ProfiledPass* row : rows) {
    if (!row->source) return nullptr;
    sums += row->source_sums;
  }
  return sums;
}

Json row_of(const std::vector<const ProfiledPass*>& rows, const Json& provenance) {
  const ProfiledPass& first = *rows[0];
  const PointCounts counts = counts_of(rows);
  const Json what = {{"kind", "counts"},
                     {"program", first.program},
                     {"axes", first.problem},
                     {"input", first.input},
                     {"device", first.launch.device}};
  Json row = {{"id", hash_id(to_line(what))}};
  row.update(what);
  row["passes"] = counts.passes;
  row["kernels"] = Json::array();
  for (const KernelCounts& kernel : counts.kernels) row["kernels"].push_back(kernel_json(kernel));
  row["source_sums_equal"] = source_sums(rows);
  row.update(provenance);
  return row;
}

}  // namespace

double spread_of(const std::vector<std::int64_t>& counts) {
  const auto [low, high] = std::minmax_element(counts.begin(), counts.end());
  if (*low == *high) return 0;
  return static_cast<double>(*high - *low) / static_cast<double>(std::max<std::int64_t>(*low, 1));
}

std::vector<Json> counts_rows(const std::vector<ProfiledPass>& passes, const Json& provenance) {
  std::vector<std::vector<const ProfiledPass*>> points;
  for (const ProfiledPass& row : passes) {
    const bool is_new = points.empty() || points.back()[0]->program != row.program ||
                        points.back()[0]->problem != row.problem;
    if (is_new) points.push_back({});
    points.back().push_back(&row);
  }
  std::vector<Json> rows;
  for (const auto& point : points) rows.push_back(row_of(point, provenance));
  return rows;
}

}  // namespace pnsim::experiments
