#include "simulator/model/derive/kept_counters.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "simulator/base/error.h"
#include "simulator/base/table.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/imbalance.h"
#include "simulator/model/launch/memory_units.h"

namespace pnsim {
namespace {

struct CounterColumn {
  const char* column;
  const char* name;
};
constexpr CounterColumn kCounterColumns[] = {
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1_load_sectors"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "l1_load_hit_sectors"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1_store_sectors"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "l1_atomic_sectors"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "l1_reduction_sectors"},
    {"l1tex__t_sectors_pipe_tex_mem_texture.sum", "texture_sectors"},
    {"l1tex__t_sectors_pipe_tex_mem_texture_lookup_hit.sum", "texture_hit_sectors"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1_load_requests"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "l1_store_requests"},
    {"l1tex__t_set_accesses_pipe_lsu.sum", "l1_tag_lookups"},
    {"l1tex__data_pipe_lsu_wavefronts.sum", "l1_wavefronts"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "shared_wavefronts"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "shared_bank_conflicts"},
    {"lts__t_sectors_srcunit_tex_op_read.sum", "l2_read_sectors"},
    {"lts__t_sectors_srcunit_tex_op_write.sum", "l2_write_sectors"},
    {"l1tex__m_xbar2l1tex_read_bytes.sum", kTakenInBytes},
    {"lts__t_sectors_srcunit_tex_lookup_hit.sum", "l2_hit_sectors"},
    {"lts__t_sectors_srcunit_tex_lookup_miss.sum", "l2_miss_sectors"},
    {"lts__t_requests.sum", kSliceRequests},  // those between the partitions of L2 included
    {"lts__t_requests.max", kBusiestSliceRequests},
    {"lts__t_sectors_op_atom.sum", "l2_atomic_sectors"},
    {"lts__t_sectors_op_red.sum", "l2_reduction_sectors"},
    {"lts__t_sectors_op_atom.max", "l2_atomic_sectors_busiest"},  // of the slices
    {"lts__t_sectors_op_red.max", "l2_reduction_sectors_busiest"},
    {"idc__requests.sum", kConstantRequests},
    {"idc__requests_lookup_miss_tag_miss.sum", kConstantMisses},
    {"dram__bytes_read.sum", "dram_read_bytes"},
    {"dram__bytes_write.sum", "dram_write_bytes"},
    {"smsp__inst_executed.sum", kAllSchedulers},
    {"smsp__inst_executed.max", kBusiestScheduler},
    {"launch__sm_count", kProfiledSms},
    {"smsp__inst_issued.sum", kIssuedInstructions},
    {"smsp__thread_inst_executed.sum", "thread_instructions"},
    {"smsp__inst_executed_pipe_alu.sum", "alu_instructions"},
    {"smsp__inst_executed_pipe_fma.sum", "fma_instructions"},
    {"smsp__inst_executed_pipe_fp64.sum", "fp64_instructions"},
    {"smsp__inst_executed_pipe_xu.sum", "xu_instructions"},
    {"smsp__inst_executed_pipe_lsu.sum", "lsu_instructions"},
    {"smsp__inst_executed_pipe_tex.sum", "tex_instructions"},
    {"smsp__inst_executed_pipe_uniform.sum", "uniform_instructions"},
};

constexpr double kMostRatio = 1024;  // warps of a scheduler, more than on any device

constexpr const char* kBusiestAtomics =
    "lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed";

// Columns that decide the time, each with others in its place. With a class, only where the launch
// executes instructions of it.
struct DecidingColumn {
  std::vector<const char*> columns;
  const char* of_class = nullptr;
};
const DecidingColumn kDecidingColumns[] = {
    {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}},
    {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"}},
    {{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}},
    {{"l1tex__data_pipe_lsu_wavefronts.sum",
      "l1tex__data_pipe_lsu_wavefronts.sum.pct_of_peak_sustained_elapsed"}},
    {{"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"}},
    {{"lts__t_sectors_srcunit_tex_op_read.sum"}},
    {{"lts__t_sectors_srcunit_tex_op_write.sum"}},
    {{"lts__t_sectors_srcunit_tex_lookup_miss.sum"}},
    {{"dram__bytes_read.sum"}},
    {{"dram__bytes_write.sum"}},
    {{"lts__t_sectors_op_atom.sum", "lts__t_sectors_srcunit_tex_op_atom.sum"}, "global_atomic"},
    {{"lts__t_sectors_op_red.sum", "lts__t_sectors_srcunit_tex_op_red.sum"}, "global_reduction"},
};

// Columns of the busiest slice of L2. Without them the atomics of a launch are taken to be spread
// over all slices alike.
const DecidingColumn kSliceColumns[] = {
    {{"lts__t_sectors_op_atom.max", kBusiestAtomics}, "global_atomic"},
    {{"lts__t_sectors_op_red.max", kBusiestAtomics}, "global_reduction"},
};

using Counters = std::map<std::string, std::int64_t>;

std::optional<std::int64_t> count_in(const RawRow& row, const std::string& column) {
  if (!row.has_value(column)) return std::nullopt;
  return row.count(column);
}

// The operations of a unit with at most one operation a cycle. The profiler takes the percentage
// and the cycles from the same run, so the product is whole but for the digits of the percentage.
std::optional<std::int64_t> count_of_share(const RawRow& row, const std::string& percent,
                                           const std::string& cycles) {
  if (!row.has_value(percent)) return std::nullopt;
  const auto all = count_in(row, cycles);
  if (!all) return std::nullopt;
  return std::llround(row.percent(percent) / 100 * static_cast<double>(*all));
}

// Cycles that all warps together waited for a reason. The profiler gives them as a ratio: for each
// issued instruction.
std::optional<std::int64_t> waits_of(const RawRow& row, const std::string& reason) {
  const std::string column =
      "smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio";
  if (!row.has_value(column)) return std::nullopt;
  const auto issued = count_in(row, "smsp__inst_issued.sum");
  if (!issued) return std::nullopt;
  return std::llround(std::clamp(row.number(column), 0.0, kMostRatio) *
                      static_cast<double>(*issued));
}

// Hits are some of the sectors that are looked up.
struct HitColumns {
  const char* sectors;
  const char* hits;
};
constexpr HitColumns kHitColumns[] = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                       "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"},
                                      {"l1tex__t_sectors_pipe_tex_mem_texture.sum",
                                       "l1tex__t_sectors_pipe_tex_mem_texture_lookup_hit.sum"}};

void check_hits(const RawRow& row, const HitColumns& columns) {
  const auto sectors = count_in(row, columns.sectors), hits = count_in(row, columns.hits);
  if (!sectors || !hits || *hits <= *sectors) return;
  fail_input(row.where() + ", column " + columns.hits,
             "found " + row.text(columns.hits) + ", expected at most the " +
                 row.text(columns.sectors) + " of column " + columns.sectors);
}

// Bytes that a part of the memory system moves. The bounds are over twenty times the largest rates
// that were profiled on an H100 or an H200.
struct MovedColumn {
  const char* column;
  double bytes;      // of one count
  double most_rate;  // byte/s
};
constexpr double kMostSectorRate = 1e15, kMostDramRate = 1e14;
constexpr MovedColumn kMovedColumns[] = {
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", kSectorBytes, kMostSectorRate},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", kSectorBytes, kMostSectorRate},
    {"l1tex__t_sectors_pipe_tex_mem_texture.sum", kSectorBytes, kMostSectorRate},
    {"lts__t_sectors_srcunit_tex_op_read.sum", kSectorBytes, kMostSectorRate},
    {"lts__t_sectors_srcunit_tex_op_write.sum", kSectorBytes, kMostSectorRate},
    {"lts__t_sectors_srcunit_tex_lookup_hit.sum", kSectorBytes, kMostSectorRate},
    {"lts__t_sectors_srcunit_tex_lookup_miss.sum", kSectorBytes, kMostSectorRate},
    {"l1tex__m_xbar2l1tex_read_bytes.sum", 1, kMostSectorRate},
    {"dram__bytes_read.sum", 1, kMostDramRate},
    {"dram__bytes_write.sum", 1, kMostDramRate}};

constexpr const char* kTimeColumn = "gpu__time_duration.sum";

void check_rate(const RawRow& row, const MovedColumn& moved, double us) {
  const auto count = count_in(row, moved.column);
  if (!count || !(us > 0)) return;
  const double most = moved.most_rate * us / 1e6 / moved.bytes;
  if (static_cast<double>(*count) <= most) return;
  fail_input(row.where() + ", column " + moved.column,
             "found " + std::to_string(*count) + ", expected at most " + significant(most, 3) +
                 ", which is " + significant(moved.most_rate, 1) + " byte/s over the " +
                 significant(us, 3) + " us of column " + kTimeColumn + ", more than any GPU moves");
}

// Sectors of loads without an instruction that loads.
void check_loads(const RawRow& row, const Counters& classes) {
  constexpr const char* kLoads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  if (count_in(row, kLoads).value_or(0) == 0) return;
  for (const char* name : {"global_load", "generic_load", "async_copy", "local", "global_atomic",
                           "global_reduction", "texture", "surface", "bulk_copy", "other"}) {
    if (classes.contains(name)) return;
  }
  fail_input(row.where() + ", column " + kLoads,
             "found " + row.text(kLoads) +
                 ", expected 0: the instruction counters of the row have no loads from global "
                 "memory (column smsp__sass_inst_executed_op_global_ld.sum or "
                 "smsp__inst_executed_op_global_ld.sum)");
}

void check_busiest_slice(const RawRow& row) {
  constexpr const char *kAllColumn = "lts__t_requests.sum", *kMostColumn = "lts__t_requests.max";
  const auto all = count_in(row, kAllColumn), most = count_in(row, kMostColumn);
  if (!all || !most || (*most <= *all && (*most > 0 || *all == 0))) return;
  fail_input(row.where() + ", column " + kMostColumn,
             "found " + row.text(kMostColumn) +
                 ", expected more than 0 and at most the requests of all slices: column " +
                 kAllColumn + " has " + row.text(kAllColumn));
}

void check_busiest_scheduler(const RawRow& row) {
  constexpr const char* kAllColumn = "smsp__inst_executed.sum";
  constexpr const char* kMostColumn = "smsp__inst_executed.max";
  const auto all = count_in(row, kAllColumn), most = count_in(row, kMostColumn),
             sms = count_in(row, "launch__sm_count");
  if (!all || !most || sms.value_or(0) == 0) return;
  const double schedulers = static_cast<double>(*sms) * kSchedulersPerSm;
  if (static_cast<double>(*most) >= static_cast<double>(*all) / schedulers) return;
  fail_input(row.where() + ", column " + kMostColumn,
             "found " + row.text(kMostColumn) + ", expected at least the mean of the " +
                 std::to_string(*sms * kSchedulersPerSm) + " schedulers: column " + kAllColumn +
                 " has " + row.text(kAllColumn));
}

// More warp instructions than any GPU executes; an H200 issues 1e12 a second.
void check_instruction_rate(const RawRow& row, const char* column) {
  constexpr double kMostInstructionRate = 1e14;
  if (!row.has_value(kTimeColumn) || !(row.number(kTimeColumn) > 0)) return;
  const double most = kMostInstructionRate * row.number(kTimeColumn) / 1e6;
  if (static_cast<double>(row.count(column)) <= most) return;
  fail_input(row.where() + ", column " + column,
             "found " + row.text(column) + ", expected at most " + significant(most, 3) +
                 ", which is more than any GPU executes in the " +
                 significant(row.number(kTimeColumn), 3) + " us of column " + kTimeColumn);
}

void set_missing(const char* name, const std::optional<std::int64_t>& count, Counters& counters) {
  if (count) counters.try_emplace(name, *count);
}

std::vector<std::string> missing_of(std::span<const DecidingColumn> columns, const RawRow& row,
                                    const Counters& classes) {
  std::vector<std::string> missing;
  for (const DecidingColumn& c : columns) {
    if (c.of_class && !classes.contains(c.of_class)) continue;
    const bool is_there = std::any_of(c.columns.begin(), c.columns.end(),
                                      [&](const char* column) { return row.has_value(column); });
    if (!is_there) missing.emplace_back(c.columns.front());
  }
  return missing;
}

}  // namespace

std::vector<std::string> missing_columns(const RawRow& row, const Counters& classes) {
  return missing_of(kDecidingColumns, row, classes);
}

std::vector<std::string> missing_slice_columns(const RawRow& row, const Counters& classes) {
  return missing_of(kSliceColumns, row, classes);
}

void check_rates(const RawRow& row, double us) {
  for (const MovedColumn& moved : kMovedColumns) check_rate(row, moved, us);
}

void check_counters(const RawRow& row, std::int64_t warps, const Counters& classes) {
  for (const HitColumns& columns : kHitColumns) check_hits(row, columns);
  check_rates(row, row.has_value(kTimeColumn) ? row.number(kTimeColumn) : 0);
  check_loads(row, classes);
  check_busiest_scheduler(row);
  check_busiest_slice(row);
  constexpr const char* kAllColumn = "smsp__inst_executed.sum";
  check_instruction_rate(row, kAllColumn);
  if (row.count(kAllColumn) >= warps) return;
  fail_input(row.where() + ", column " + kAllColumn,
             "found " + row.text(kAllColumn) + ", expected at least one for each of the " +
                 std::to_string(warps) + " warps of the launch (columns launch__grid_size, " +
                 row.text("launch__grid_size") + ", and launch__block_size, " +
                 row.text("launch__block_size") + ")");
}

Counters kept_counters(const RawRow& row) {
  Counters counters;
  for (const CounterColumn& c : kCounterColumns) {
    if (const auto count = count_in(row, c.column)) counters[c.name] = *count;
  }
  set_missing(
      "l1_wavefronts",
      count_of_share(row, "l1tex__data_pipe_lsu_wavefronts.sum.pct_of_peak_sustained_elapsed",
                     "l1tex__cycles_elapsed.sum"),
      counters);
  const auto atomics = count_in(row, "lts__t_sectors_srcunit_tex_op_atom.sum"),
             reductions = count_in(row, "lts__t_sectors_srcunit_tex_op_red.sum");
  if (atomics || reductions)
    counters["atomic_operations"] = atomics.value_or(0) + reductions.value_or(0);
  set_missing(kFixedWaits, waits_of(row, "wait"), counters);
  set_missing(kBranchWaits, waits_of(row, "branch_resolving"), counters);
  set_missing(kConstantOperandWaits, waits_of(row, "imc_miss"), counters);
  set_missing(kFenceWaits, waits_of(row, "membar"), counters);
  set_missing(kInstructionWaits, waits_of(row, "no_instruction"), counters);
  set_missing("l2_atomic_sectors", atomics, counters);
  set_missing("l2_reduction_sectors", reductions, counters);
  set_missing("atomic_operations_busiest",
              count_of_share(row, kBusiestAtomics, "lts__cycles_elapsed.max"), counters);
  return counters;
}

}  // namespace pnsim
