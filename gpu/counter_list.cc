#include "gpu/counter_list.h"

#include <array>
#include <string_view>

namespace pnsim::gpu {
namespace {

using enum CounterUse;

constexpr Counter kCounters[] = {
    {"smsp__inst_executed.sum", kTotal, "all warp instructions"},

    {"smsp__inst_executed_op_global_ld.sum", kGlobal, "LDG"},
    {"smsp__inst_executed_op_global_st.sum", kGlobal, "STG"},
    {"smsp__inst_executed_op_global_red.sum", kGlobal, "RED: atomics without a result"},
    {"smsp__inst_executed_op_generic_atom_dot_alu.sum", kGlobal, "ATOM, ATOMG except CAS"},
    {"smsp__inst_executed_op_generic_atom_dot_cas.sum", kGlobal, "ATOM.CAS, ATOMG.CAS"},
    {"smsp__inst_executed_op_generic_ld.sum", kGlobal, "LD"},
    {"smsp__inst_executed_op_generic_st.sum", kGlobal, "ST"},
    {"smsp__inst_executed_op_local_ld.sum", kGlobal, "LDL"},
    {"smsp__inst_executed_op_local_st.sum", kGlobal, "STL"},
    {"smsp__inst_executed_op_ldgsts.sum", kGlobal, "LDGSTS: copies from global into shared"},
    {"smsp__inst_executed_op_texture.sum", kGlobal, "texture fetches"},
    {"smsp__inst_executed_op_surface_ld.sum", kGlobal, "SULD"},
    {"smsp__inst_executed_op_surface_st.sum", kGlobal, "SUST"},
    {"smsp__inst_executed_op_surface_atom.sum", kGlobal, "SUATOM"},
    {"smsp__inst_executed_op_surface_red.sum", kGlobal, "SURED"},
    {"smsp__inst_executed_op_tma_ld.sum", kGlobal, "bulk copies from global"},
    {"smsp__inst_executed_op_tma_st.sum", kGlobal, "bulk copies to global"},

    {"smsp__inst_executed_op_shared_ld.sum", kShared, "LDS"},
    {"smsp__inst_executed_op_shared_st.sum", kShared, "STS"},
    {"smsp__inst_executed_op_shared_atom.sum", kShared, "ATOMS"},
    {"smsp__inst_executed_op_ldsm.sum", kShared, "LDSM: matrix loads"},
    {"smsp__inst_executed_op_shared_stsm.sum", kShared, "STSM: matrix stores"},
    {"smsp__inst_executed_op_stas.sum", kShared, "STAS: asynchronous stores"},
    {"smsp__inst_executed_op_redas.sum", kShared, "REDAS: asynchronous reductions"},

    {"smsp__sass_inst_executed_op_global_ld.sum", kFine, "LDG, LD that hit global memory"},
    {"smsp__sass_inst_executed_op_global_st.sum", kFine, "STG, ST that hit global memory"},
    {"smsp__sass_inst_executed_op_global_atom.sum", kFine, "ATOMG, ATOM on global memory"},
    {"smsp__sass_inst_executed_op_local.sum", kFine, "LDL, STL, LD, ST on local memory"},
    {"smsp__sass_inst_executed_op_shared_ld.sum", kFine, "LDS, LD that hit shared memory"},
    {"smsp__sass_inst_executed_op_shared_st.sum", kFine, "STS, ST that hit shared memory"},
    {"sass__inst_executed_per_opcode", kFine, "by opcode"},
    {"smsp__inst_executed_op_branch.sum", kFine, "branches, calls, exits"},
    {"smsp__inst_executed_op_ldc.sum", kFine, "LDC: constant loads"},
    {"smsp__inst_executed_pipe_alu.sum", kFine, "integer and logic pipe"},
    {"smsp__inst_executed_pipe_fma.sum", kFine, "FP32 and integer multiply-add pipe"},
    {"smsp__inst_executed_pipe_fp64.sum", kFine, "FP64 pipe"},
    {"smsp__inst_executed_pipe_xu.sum", kFine, "special functions, conversions, population count"},
    {"smsp__inst_executed_pipe_lsu.sum", kFine, "load and store pipe"},
    {"smsp__inst_executed_pipe_tex.sum", kFine, "texture pipe"},
    {"smsp__inst_executed_pipe_adu.sum", kFine, "barriers, constant addresses"},
    {"smsp__inst_executed_pipe_cbu.sum", kFine, "control flow"},
    {"smsp__inst_executed_pipe_uniform.sum", kFine, "uniform pipe: once per warp"},
    {"sm__inst_executed.sum", kFine, "per SM: mean and maximum give the imbalance"},
    {"smsp__thread_inst_executed.sum", kFine, "instructions of threads"},
    {"smsp__thread_inst_executed_pred_on.sum", kFine, "the part that is not predicated off"},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", kFine, "active lanes"},

    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", kMemory, "global load requests"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", kMemory, "global store requests"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", kMemory, "sectors of global loads"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", kMemory,
     "the part that hits in L1"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", kMemory, "sectors of global stores"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", kMemory, "sectors of RED"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", kMemory, "sectors of global ATOM"},
    {"l1tex__t_sectors_pipe_tex_mem_texture.sum", kMemory, "sectors of texture fetches"},
    {"l1tex__t_sectors_pipe_tex_mem_texture_lookup_hit.sum", kMemory, "the part that hits in L1"},
    {"l1tex__data_pipe_lsu_wavefronts.sum", kMemory, "wavefronts of the shared memory and L1 port"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", kMemory, "the part for shared memory"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", kMemory, "the part for shared loads"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", kMemory, "the part for shared stores"},
    {"l1tex__data_bank_conflicts_pipe_lsu.sum", kMemory, "extra wavefronts from bank conflicts"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", kMemory, "the part for shared memory"},
    {"lts__t_sectors_srcunit_tex_op_read.sum", kMemory, "sectors read from L2"},
    {"lts__t_sectors_srcunit_tex_op_write.sum", kMemory, "sectors written to L2"},
    {"lts__t_sectors_srcunit_tex_lookup_hit.sum", kMemory, "hits in L2"},
    {"lts__t_sectors_srcunit_tex_lookup_miss.sum", kMemory, "misses in L2"},
    {"l1tex__m_xbar2l1tex_read_bytes.sum", kMemory,
     "bytes that SMs take in from L2, multicast copies once for each SM"},
    {"lts__t_requests.sum", kMemory, "requests to L2, those between its partitions included"},
    {"lts__t_requests.max", kMemory, "requests to the busiest slice of L2"},
    {"lts__t_sectors_op_atom.sum", kMemory, "sectors of atomics at L2"},
    {"lts__t_sectors_op_red.sum", kMemory, "sectors of RED at L2"},
    {"idc__requests.sum", kMemory, "requests to the SM's constant cache, one an address"},
    {"idc__requests_lookup_miss_tag_miss.sum", kMemory, "those that fetch a line"},
    {"dram__bytes_read.sum", kMemory, "bytes read from device memory"},
    {"dram__bytes_write.sum", kMemory, "bytes written to device memory"},

    {"gpu__time_duration.sum", kTime, "duration of the launch under the profiler"},
    {"gpc__cycles_elapsed.max", kTime, "cycles of the launch"},
    {"sm__cycles_active.avg", kTime, "cycles with a warp on the SM"},
    {"sm__cycles_active.max", kTime, "the same for the busiest SM"},
    {"sm__warps_active.avg.per_cycle_active", kTime, "resident warps per SM"},
    {"smsp__inst_issued.sum", kTime, "issue slots used, replays included"},
    {"smsp__warps_launched.sum", kTime, "warps"},

    {"smsp__average_warps_issue_stalled_selected_per_issue_active.ratio", kStall, "issues"},
    {"smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio", kStall,
     "could issue, but another warp was selected"},
    {"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", kStall,
     "waits for a fixed-latency dependency"},
    {"smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio", kStall,
     "waits for a branch target"},
    {"smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio", kStall,
     "waits for a busy math pipe"},
    {"smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio", kStall,
     "the dispatcher holds back the warp"},
    {"smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio", kStall,
     "waits for shared memory or special functions"},
    {"smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio", kStall,
     "the MIO instruction queue is full"},
    {"smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio", kStall,
     "waits for a constant"},
    {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", kStall,
     "waits for global, local or texture memory"},
    {"smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio", kStall,
     "the local/global instruction queue to L1 is full"},
    {"smsp__average_warps_issue_stalled_tex_throttle_per_issue_active.ratio", kStall,
     "the texture instruction queue is full"},
    {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", kStall,
     "waits at a barrier"},
    {"smsp__average_warps_issue_stalled_membar_per_issue_active.ratio", kStall,
     "waits at a memory barrier"},
    {"smsp__average_warps_issue_stalled_drain_per_issue_active.ratio", kStall,
     "has exited and waits for its stores"},
    {"smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio", kStall,
     "waits for instructions"},
    {"smsp__average_warps_issue_stalled_sleeping_per_issue_active.ratio", kStall, "sleeps"},
    {"smsp__average_warps_issue_stalled_misc_per_issue_active.ratio", kStall, "other"},
};

// Text around the name of a stall reason in the metrics with use kStall.
constexpr std::string_view kBeforeReason = "smsp__average_warps_issue_stalled_";
constexpr std::string_view kAfterReason = "_per_issue_active.ratio";

constexpr std::array kSections = {"LaunchStats", "Occupancy"};

}  // namespace

std::span<const Counter> counter_list() { return kCounters; }

std::string stall_reason(const Counter& counter) {
  if (counter.use != kStall) return "";
  std::string_view metric = counter.metric;
  metric.remove_prefix(kBeforeReason.size());
  metric.remove_suffix(kAfterReason.size());
  return std::string(metric);
}

std::span<const char* const> section_list() { return kSections; }

std::string metric_argument() {
  std::string list;
  for (const Counter& counter : kCounters) {
    if (!list.empty()) list += ',';
    list += counter.metric;
  }
  return list;
}

}  // namespace pnsim::gpu
