#include "gpu/microbench.h"

#include <iterator>

namespace pnsim::gpu {
namespace {

const Microbenchmark kAll[] = {
    {"kernel_start", "kernels in a graph that touch nothing, a parameter, memory, by blocks and threads",
     "what a kernel pays before and after its own work"},
    {"constant_start", "an empty kernel of a module that has constants, in a graph, by blocks",
     "what cold constant caches cost a launch"},
    {"launch", "a thousand empty kernels, from a stream and from a graph", "launch overhead"},
    {"latency_arithmetic", "one warp, each instruction needs the result of the one before",
     "latency of dependent arithmetic by class"},
    {"if_else", "one warp chooses between two chains of eight multiply-adds, again and again",
     "what a branch and the lanes' meeting again cost"},
    {"latency_shared", "one thread follows pointers through shared memory",
     "latency of a shared load"},
    {"latency_l1", "one thread follows pointers through 8 KiB that stay in L1",
     "latency of a load that hits L1"},
    {"latency_texture", "one thread follows indices through a small linear texture",
     "latency of a texture fetch that hits"},
    {"texture_rate", "fetches that hit, 32 lanes `stride` words apart, by warps",
     "cycles a fetch holds the texture unit"},
    {"texture_lines", "one thread follows indices through a texture that stays in L1, or in L2",
     "latency of a fetch that misses L1"},
    {"latency_l2", "one thread loads single lines past L1, each line again and again",
     "latency of L2, its near and its far part"},
    {"latency_sms", "one thread on each SM follows pointers through 8 MiB that stay in L2, all at once",
     "how much farther from L2 the slowest SM is"},
    {"latency_lines", "one warp loads words of 1 ... 32 lines, each by the result of the load before",
     "what a load takes longer by the lines it asks for"},
    {"latency_dram", "one thread follows pointers through a footprint far over L2, no line twice",
     "latency of DRAM"},
    {"clock_cost", "the clock is read twice in a row", "cycles to read the clock"},
    {"pipe_rate", "one block of W warps, eight independent chains a thread",
     "instructions a cycle by class and warps: issue and pipes"},
    {"issue_beside", "loads, stores and shuffles among additions: issue slots of each",
     "what an access takes from the scheduler"},
    {"issue_mix", "seven multiply-adds, or logic, and one of another kind in turn, by kind and warps",
     "issue slots that an instruction takes"},
    {"shared_stride", "32 lanes load words `stride` apart, 16 warps",
     "cycles a shared load holds the port, by bank conflicts"},
    {"l1_stride", "32 lanes load words `stride` apart from lines in L1, 16 warps",
     "cycles a load holds the L1 port, by sectors"},
    {"l1_indexed", "loads that hit L1, each by an address worked out before it, by warps",
     "cycles of a load with its address"},
    {"bandwidth", "all threads stream float4, by footprint, kind, blocks an SM and active SMs",
     "bandwidth of L2 and DRAM"},
    {"random_sectors", "every lane loads a word of a random sector, by footprint, blocks an SM and SMs",
     "rate of scattered sectors at L2 and DRAM"},
    {"l2_footprint", "streams over footprints of 8 to 128 MiB, launch after launch in a graph",
     "what L2 keeps from launch to launch"},
    {"partial_store", "stores of one word a sector against stores of whole sectors, by SMs",
     "rate of partial-sector stores"},
    {"pitched_store", "lanes store words a pitch apart, rows one after the other, as a transpose does",
     "rate of stores of a word to a line each"},
    {"random_tables", "every lane loads a word of a random sector of a small table that all SMs share, by its size",
     "rate of scattered sectors at L2 when few lines are asked for"},
    {"barrier", "blocks of 1 ... 32 warps do nothing but __syncthreads",
     "cycles of a block barrier by warps"},
    {"block_dispatch", "grids of empty blocks", "time to dispatch a block"},
    {"code_start", "kernels in a graph that run straight code once", "cost of fetching code"},
    {"alone_start", "one graph of 1 ... 96 kernels behind a flush of L2, or a wait, by what they touch",
     "what a launch pays that no other one hides, and when L2 is cold"},
    {"cold_code", "straight code run once, behind a flush of L2", "cost of fetching code from DRAM"},
    {"block_turnover", "rounds of blocks that live for a fixed time", "time from a block to the next"},
    {"loop_turn", "a loop around one multiplication, by warps", "cycles of a taken branch"},
    {"latency_constant", "one warp follows indices through constant memory",
     "latency of a constant load"},
    {"constant_lines", "kernels in a graph that read constants `stride` apart for the first time",
     "cost of a constant cache's line"},
    {"atomic_contention", "lanes of a warp share 1 ... 32 addresses, in shared and global memory",
     "cycles of atomics by contention"},
    {"scattered_atomics", "lanes add to random words, or warps to lines of them, integers or floats, use the result, swap; by memory and number of words",
     "rate of atomics by spread"},
    {"shared_atomic_rate", "32 warps add in shared memory: 1 or another number, to own, one or random words",
     "rate of atomics in shared memory"},
    {"memory_operations",
     "load, store, load_store, red, atomic; to one address, to lines of their own, coalesced; alone "
     "and with 50 dependent multiply-adds between",
     "time of memory operations by pattern and warps an SM"},
    {"atomic_width", "warps of a block hit addresses `offset` bytes apart",
     "width of what an atomic locks"},
    {"transfer", "copies of 64 MiB between host and device", "host bandwidth, pageable and pinned"},
    {"late_start", "kernels in a graph that touch nothing, a parameter, memory, after all the others",
     "what a process pays a launch that has done other things"},
};

}  // namespace

const std::vector<Microbenchmark>& microbenchmarks() {
  static const std::vector<Microbenchmark> all(std::begin(kAll), std::end(kAll));
  return all;
}

}  // namespace pnsim::gpu
