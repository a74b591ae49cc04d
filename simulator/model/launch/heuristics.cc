#include "simulator/model/launch/heuristics.h"

namespace pnsim {
namespace {

constexpr HeuristicRow kRows[] = {
    {Heuristic::kLoopBodiesMissInOrder, "loop-bodies-miss-in-order",
     "The profile has only the launch's misses of L1: they go to loop bodies, and to segments of "
     "straight code, in the order of their first loads.",
     "none", "Estimate: data that an earlier body brought to L1 are there for a later one.",
     "Every load hits L1 as often as all loads of the launch do on average."},
    {Heuristic::kFreshSectorsMissFirst, "fresh-sectors-miss-first",
     "Sectors that no earlier load requested (by the offsets of addresses) miss before the "
     "others. Where all warps of a block load from one address, the first warp's sectors are such.",
     "none", "Estimate, from the machine code's addresses.", "All loads of a body miss alike."},
    {Heuristic::kWholeArraysMiss, "whole-arrays-miss",
     "If every cached load of the launch lies outside of loops and reads rows, and no address "
     "shows that a sector is read twice. (a) An unrolled loop, in which each warp loads all arrays "
     "equally often: if exactly one set of arrays has as many sectors as missed L1, every load of "
     "these arrays misses, and every other load hits. (b) Rows that begin within a sector: the "
     "sector at the seam misses for one row and hits for the next.",
     "3 % of all sectors; 1.5 loads of an array by a warp; up to 4 arrays, each loaded a whole "
     "number of times by a segment, not by asynchronous copies",
     "Estimate: a vector that all rows use stays in L1. Covers no shipped point.",
     "The first loads of the code miss."},
    {Heuristic::kGathersMissLast, "gathers-miss-last",
     "In a loop body, misses of L1 go to coalesced loads before they go to gathers, and among "
     "these to computed addresses (lanes in rows of their own) before addresses from memory "
     "(tables).",
     "A gather has over 8 lines a load. With loaded addresses, of which over 0.9 of the lines "
     "have one sector, it is enough that 32 active lanes would have over 8 lines.",
     "Estimate: streams read each sector once, gathers return to lines.",
     "Gathers miss as the other loads of their body do."},
    {Heuristic::kCommonDataMissesLast, "common-data-misses-last",
     "More blocks than SMs: loads whose addresses are the same in all blocks get misses of L1 "
     "only after all other loads.",
     "none", "Estimate: the first block brings the data that all blocks read.",
     "They miss as the other loads do."},
    {Heuristic::kDramMissesInOrder, "dram-misses-in-order",
     "Misses of L2 go to coalesced loads in program order, then to gathers alike.",
     "A gather is what gathers-miss-last takes for one.", "Estimate: as for misses of L1.",
     "Every load misses L2 as often as all loads do on average."},
    {Heuristic::kDrivenOutAlike, "driven-out-alike",
     "Other kernels have driven out of L2 what DRAM reads in place beyond a repeated launch. The "
     "coalesced loads of straight code miss it alike.",
     "none", "Counted; that loads miss alike is an estimate. Covers no shipped point.",
     "They miss it in program order."},
    {Heuristic::kPathsMissApart, "paths-miss-apart",
     "Blocks that execute different loads (a branch on the number of the block): each group of "
     "them has misses of L1 and L2 in proportion to the sectors that it requests.",
     "none", "Estimate: blocks find nothing in L1 that only others load.",
     "The groups get misses in the order of the code."},
    {Heuristic::kIdleSectorsOfPairs, "idle-sectors-of-pairs",
     "L2 fetches pairs of sectors: a random single sector leaves the other one idle, and where "
     "DRAM reads more than is requested, the rest is idle.",
     "none up to 1, all from 1.5 fetched sectors a request",
     "Microbenchmark random_dram_sector_rate for single sectors; the rest is an estimate.",
     "Every fetched sector is used."},
    {Heuristic::kGatheredTableSize, "gathered-table-size",
     "The only gather of a loop body: its hits in L1 tell how large its table is, since random "
     "accesses find a small table more often. Small tables leave L2 more slowly.",
     "at least 0.02 hits",
     "Microbenchmarks random_l2_16_kib ... 256_kib_sector_rate; the size is an estimate from "
     "random occupancy.",
     "All tables are large."},
    {Heuristic::kGatherFootprint, "gather-footprint",
     "L2 keeps whole lines, so gathered sectors take up to four times their bytes, and idle "
     "sectors of pairs take room.",
     "128 bytes a line",
     "Measured: one sector of each line takes as much of L2 as all four (l2_read_keeps_bytes).",
     "The footprint is what DRAM read, and what was stored."},
    {Heuristic::kL2KeepsWhatFits, "l2-keeps-what-fits",
     "A repeated launch hits L2 if its footprint fits; between the two measured footprints the "
     "share of misses rises linearly.",
     "l2_read_keeps_bytes, l2_read_loses_bytes, l2_copy_keeps_bytes, l2_copy_loses_bytes",
     "Microbenchmark of reads and copies over growing footprints.",
     "A repeated launch misses L2 as often as the profiled one."},
    {Heuristic::kRowsFindL1Empty, "rows-find-l1-empty",
     "A launch of one wave: coalesced loads in no loop of sectors that no earlier load requested "
     "wait for L2, whatever the mean hit rate. Where all blocks load the same rows, a load waits "
     "as often as an SM was counted to miss such rows.",
     "over 0.5 of the sectors are new; from 4 warps an SM on also behind stores", "Estimate.",
     "They wait as often as the counters' mean says."},
    {Heuristic::kTagBankConflicts, "tag-bank-conflicts",
     "Random lines (addresses come from memory, or lanes share single sectors) conflict in the "
     "banks of L1's tags.",
     "fewer than 0.95 lines a lane; over 0.9 of the lines have one sector",
     "Microbenchmarks l1_stride and l1_tables.",
     "Lines are looked up at the rate of consecutive lines."},
    {Heuristic::kPartialSectorEvictions, "partial-sector-evictions",
     "More bytes are written to DRAM than stored: L2 evicted partially written sectors "
     "individually, in that proportion.",
     "a partial sector is half full at most",
     "Microbenchmark partial_store_rate; the proportion is an estimate from counters.",
     "L2 evicts every partially written sector individually."},
    {Heuristic::kEarlierDataEvictedFirst, "earlier-data-evicted-first",
     "In place, a launch finds L2 full of data of earlier launches. Each sector that it reads "
     "from DRAM or stores evicts some of them. Its own data are written back only as far as they "
     "do not fit into L2.",
     "what l2-keeps-what-fits takes L2 to keep",
     "Estimate. What DRAM reads in place leaves out what earlier launches left in L2, so the "
     "footprint is at least as large. Covers no shipped point.",
     "What DRAM writes is first what the launch stores."},
    {Heuristic::kUncountedWavefronts, "uncounted-wavefronts",
     "The port has more wavefronts than the source page: they go to accesses without lanes, then "
     "to half of the special registers, then to asynchronous copies (those through L1 first), "
     "then to shared-memory conflicts.",
     "half of the special registers", "Estimate: SR_TID differs by lanes, SR_CTAID does not.",
     "The port has the wavefronts of the source page."},
    {Heuristic::kPassingAtomics, "passing-atomics",
     "The page counts the sectors of atomics at the slices of L2: half of the operations cross to "
     "the other partition and are counted at a second slice.",
     "l2_partitions", "Estimate: addresses are spread over the partitions.",
     "Each counted sector is one operation."},
    {Heuristic::kAtomicMisses, "atomic-misses",
     "Misses of L2, and sectors of DRAM, beyond what loads can cause belong to atomics.",
     "two sectors of DRAM for each read of L2",
     "Microbenchmark global_atomic_dram_ns; the share is an estimate from counters.",
     "Atomics find their sectors in L2."},
    {Heuristic::kTextureSectors, "texture-sectors",
     "Texture fetches: the source page has no sectors for them, so all fetches of a launch get "
     "equal shares of the launch's sectors.",
     "none", "Estimate, from the launch's counters.", "Texture fetches request no sectors."},
    {Heuristic::kMergedRequests, "merged-requests",
     "L2 read fewer sectors than missed L1: requests of several SMs for the same sectors are "
     "taken to be merged on their way. The time of all loads at L2 and DRAM is multiplied by the "
     "ratio.",
     "none", "Counters of the launch; the cause is an estimate.",
     "Each sector that misses L1 takes its time at L2."},
    {Heuristic::kPartitionCrossings, "partition-crossings",
     "Several partitions of L2: misses that DRAM does not serve find their data in another "
     "partition. The pair of sectors of each takes the way that stored sectors take, and the load "
     "takes longer (microbenchmark l2_stored_latency_cycles).",
     "2 sectors a miss",
     "Counted on an H200: such a miss keeps the links between the partitions busy as long as 1.7 "
     "stored sectors do.",
     "Data in the other partition cost what data in the same one do."},
    {Heuristic::kAddressProducts, "address-products",
     "A segment with wide products and global loads: each load is taken to use one product as its "
     "address, and the pair issues faster than both alone.",
     "product_and_load_issue_cycles",
     "Microbenchmark product_and_load; the pairing is an estimate.",
     "Loads and products issue as each does alone."},
    {Heuristic::kCountedWaits, "counted-waits",
     "The page counts the cycles that warps wait for results of fixed latency, branches, "
     "constants as operands, fences and instructions. Long waits for fences are of the fences; of "
     "the others, the difference from the dependences in the code, of either sign, is spread "
     "evenly over the instructions.",
     "100 cycles an instruction of the class fence",
     "The profiler's counters; the even spread is an estimate.",
     "Warps wait for the dependences that are found in the code."},
    {Heuristic::kSpecialRegisterGaps, "special-register-gaps",
     "Two special registers in a row leave a gap at the port: other wavefronts fill it, except "
     "where all warps of a wave begin together.",
     "none", "Microbenchmark special_register_rate; the filling is an estimate from counters.",
     "Each special register holds the port as long as it does alone."},
    {Heuristic::kPartialStores, "partial-stores",
     "A store has more sectors than its bytes fill: its rows end within sectors, and these "
     "sectors are half full on average.",
     "half a sector", "Estimate.", "All sectors are written as a whole."},
    {Heuristic::kStoresHoldPort, "stores-hold-port",
     "A line of which a store writes sectors partially takes L1's port longer than a line of a "
     "load, so accesses of later segments wait: a store of words 1.4 to 1.6 times as long, one of "
     "half words or bytes 2.3 to 2.4 times. Without partial-stores no line is partial.",
     "half words: up to 2 bytes a lane",
     "Microbenchmark scattered_stores, of stores with 1 sector a line among loads. That it holds "
     "for each line with more sectors is an estimate.",
     "Stores take the port as long as the look-ups of their lines."},
    {Heuristic::kTextureKinds, "texture-kinds",
     "A fetch from an array takes the port by the sectors that it looks up, as fetches of "
     "neighbouring, scattered and filtered texels do; one from three dimensions is taken to be "
     "filtered. A fetch of 16 bytes from memory takes as long as two.",
     "20, 32, 48, 96 and 256 sectors, as the measured fetches look up",
     "Microbenchmarks texture_2d_rate and texture_kind_rate; the filter is an estimate. Covers no "
     "shipped point.",
     "Fetches from arrays are as those from linear memory."},
    {Heuristic::kColumnStores, "column-stores",
     "Single words at addresses computed from the warp's place in the grid: neighbouring warps "
     "write the other words of the same sectors, which is slower than random words.",
     "under 6 bytes a sector", "Microbenchmark pitched_l2_store_rate.",
     "They pass at the rate of random words."},
    {Heuristic::kL2BothDirections, "l2-both-directions",
     "Loads leave L2 while stores and requests enter it, and slices look up lines for misses and "
     "atomics besides: the busiest of these takes its time.",
     "none",
     "Microbenchmarks l2_copy, l2_read and l2_write bandwidth; that they share nothing else is an "
     "estimate.",
     "The cycles of loads and of stores add up."},
    {Heuristic::kFillsEnterL2, "fills-enter-l2",
     "A sector that DRAM returns to a load is written into L2, where it competes with stores and "
     "with the requests of loads. Part of l2-both-directions; sectors for atomics are not counted.",
     "none", "Microbenchmark l2_fill_bandwidth, of times: no counter shows the shared port.",
     "What DRAM delivers takes no time of L2."},
    {Heuristic::kBusiestSlice, "busiest-slice",
     "Stores of many blocks to the same few lines: the slice of L2 with the most requests passes "
     "them one after the other.",
     "2 times the requests of the mean slice, not counting 4 of each working SM for code and "
     "constants; 0.25 sectors written per request; no atomics",
     "Counted; microbenchmark busiest_slice. Covers no shipped point.",
     "All slices have equally many requests."},
    {Heuristic::kDramTurnarounds, "dram-turnarounds",
     "Reads and writes of DRAM alternate, which costs as much as in a copy, in proportion to "
     "their mix.",
     "none", "Microbenchmarks dram_copy, dram_read and dram_write bandwidth; linear in between.",
     "Reads and writes pass as each does alone."},
    {Heuristic::kFullSectorAtomics, "full-sector-atomics",
     "Eight lanes a sector with a 4-byte word each, and up to 1.5 operations a sector: L2 "
     "executes the operations of a line together.",
     "7.5 ... 8.5 lanes; 1.5 operations", "Microbenchmark global_atomic_line_ns.",
     "Lanes are served as those of random words are."},
    {Heuristic::kFloatAtomicsInOneWord, "float-atomics-in-one-word",
     "At least half of the floating-point sums are in one slice of L2, or the profile does not "
     "count them: they may update one word, where each waits for the one before.",
     "0.5 of the operations",
     "Microbenchmark global_atomic_float_ns: 2.3 times an integer's in one word; the threshold is "
     "an estimate. Covers no shipped point.",
     "Floating-point sums take as long as integers'."},
    {Heuristic::kFirstTouches, "first-touches",
     "A load of several lines that are touched repeatedly: the mean number of loads that miss "
     "some line is the coupon collector's sum 1 + 1/2 + ... + 1/lines.",
     "at most 32 lines", "Estimate, exact for random accesses.",
     "A load misses as often as one of its sectors does."},
    {Heuristic::kWarpsWaitTogether, "warps-wait-together",
     "The warps of a block load together: if one of them misses a line, the warps that hit the "
     "line in L1 wait for it, too. They are as many as the counted hits allow.",
     "two lines a load: rows of a tile", "Estimate.", "A warp waits for its own misses alone."},
    {Heuristic::kOwnRowsWaitAlone, "own-rows-wait-alone",
     "Rows of different words, and loads at addresses from memory, executed more than once "
     "between two barriers: what hits L1 was brought by earlier executions. So only warps whose "
     "rows share a sector wait together. Not where the hits are those of one row at computed "
     "addresses that all warps of the block load.",
     "0.9 of the sectors that the words of the lanes fill; 1.5 executions between two barriers; "
     "0.01 of the hits, from four warps on",
     "Estimate, from windows, vectors and trees that loops walk through.",
     "Such warps wait together, as others do."},
    {Heuristic::kSlowestWarp, "slowest-warp",
     "Warps that share no lines wait for their misses independently. A block passes a barrier, or "
     "ends, when its slowest warp does: that warp is taken to have the mean number of waits and z "
     "standard deviations more, where z is the expected largest of as many normally distributed "
     "numbers as the block has warps.",
     "none", "Statistics of independent waits; that they are independent is an estimate.",
     "All warps wait as often as the mean."},
    {Heuristic::kPrivateLines, "private-lines",
     "Addresses were loaded, or lanes lie apart: few warps wait for such a line. The warps of the "
     "block that wait for a miss are divided by the lines that a load of 32 active lanes would "
     "have, in pairs, even if few lanes are active.",
     "32 active lanes, two lines a load", "Estimate.",
     "They are divided by the lines that the load has, in pairs."},
    {Heuristic::kStridedRows, "strided-rows",
     "In a loop, lanes at a stride of some words (8 lines a load at most): the warp's next "
     "iterations use the rest of its lines. So no other warp waits for them, and the warp waits "
     "as often as a sector misses.",
     "none", "Estimate.", "They wait as the loads of other rows do."},
    {Heuristic::kLoadsOutliveWaits, "loads-outlive-waits",
     "An instruction waits for the loads whose registers it uses, not for others: what these take "
     "longer is waited for at the next wait for loads.",
     "one wait",
     "Microbenchmark load_order: loads that hit L1 do not wait for a load of L2 issued before or "
     "behind them. Which loads share a scoreboard is not known. Covers no shipped point.",
     "A wait for a load takes all loads that are outstanding."},
    {Heuristic::kNeighboursShareDramRow, "neighbours-share-dram-row",
     "The lines of a coalesced access lie in one row of DRAM and arrive together. Loads of the "
     "words of a structure fill its lines together: a row then has four of these lines.",
     "0.9 of the sectors filled; 4 lines",
     "Microbenchmark dram_4_lines_latency_cycles, of lines that lie apart; the rest is an "
     "estimate.",
     "Each line arrives on its own."},
    {Heuristic::kFarthestSm, "farthest-sm",
     "A launch of one wave ends when the SM that is farthest from L2 ends; only SMs with blocks "
     "count.",
     "1 - 1/SMs", "Microbenchmark l2_slowest_sm_latency_cycles; uniform spread is an estimate.",
     "All SMs are as far from L2 as their mean."},
    {Heuristic::kQueueing, "queueing",
     "Loads queue at L2 and at DRAM by their utilisation, which Little's law gives.",
     "saturated from 0.97 on", "Microbenchmarks of bandwidth with 1, 2 and 4 blocks on each SM.",
     "Loads take their latency alone."},
    {Heuristic::kQueueMix, "queue-mix",
     "Queueing is that of reads or of copies, or between, by the share of writes.", "none",
     "Microbenchmarks of reads and copies; linear in between.",
     "Loads queue as among reads alone."},
    {Heuristic::kLevelsOverlap, "levels-overlap",
     "Several waves of blocks: some use L2 while others use DRAM, so the path to memory takes the "
     "larger of the two levels' sums.",
     "none", "Estimate.", "Each access takes the slower level's time."},
    {Heuristic::kAccessesAhead, "accesses-ahead",
     "From two rounds of resident blocks on, SMs access memory at different times: an SM may have "
     "a block's accesses outstanding before its share of bandwidth has served them.",
     "2 rounds; at least 2 accesses", "Estimate.",
     "Two accesses are outstanding ahead of the share."},
    {Heuristic::kSmsStartInStep, "sms-start-in-step",
     "SMs start their blocks at the same time. Without barriers these request memory in step, so "
     "no SM finds the bandwidth of others idle, until their blocks have drifted apart.",
     "up to 8 rounds of resident blocks all are in step, beyond them the share 8 / rounds",
     "Estimate.", "SMs access memory at different times from the second round on."},
    {Heuristic::kFirstCopiesAwaited, "first-copies-awaited",
     "Warps issue bulk copies (TMA): all warps of a block wait for each other until the first "
     "copy has arrived. Later copies are taken to arrive in time.",
     "none", "The order of mbarriers; which test waits for which copy is an estimate.",
     "No warp waits for bulk copies."},
    {Heuristic::kBulkStages, "bulk-stages",
     "A ring of stages: bulk copies (TMA) fill them, products of matrices wait for them and free "
     "them, product k of n for k / n of the copies. The page must count what SMs take in.",
     "as many stages as copies fit into shared memory, one product's less; at most 64",
     "Estimate of the order of mbarriers. Covers no shipped point.", "first-copies-awaited"},
    {Heuristic::kMulticastCopies, "multicast-copies",
     "An SM takes in all that bulk copies bring to its block, also what L2 reads once for several.",
     "none", "Counted; microbenchmark multicast_bandwidth. Covers no shipped point.",
     "It takes in what its own copies request."},
    {Heuristic::kTimedStart, "timed-start",
     "A launch in place takes what a recorder reports, from its start to its end. With fewer "
     "blocks than SMs its start and end, its first access and its last store take less.",
     "blocks / SMs",
     "Microbenchmark kernel_time; that the time grows evenly with the blocks is an estimate. "
     "Covers no shipped point.",
     "Every launch takes the time from the end of the one before it in a graph."},
    {Heuristic::kFetchedCode, "fetched-code",
     "A launch in place, since whose kernel's last launch other kernels ran, begins later by what "
     "its executed lines of code and jumps between them cost the first time, unless its code and "
     "that of the other kernels fit into an SM's instruction caches together. Where DRAM reads its "
     "code, the start and far jumps take longer still.",
     "4 KiB are there at its begin; 64 KiB are near; a jump is over more than 3 lines; DRAM reads "
     "half of the code",
     "Microbenchmarks code_fetch_line, code_fetch_jump, code_kept and code_from_dram. That nothing "
     "hides the time, that other kernels have as much code as the profiled ones on average, and "
     "that code which L2 has not is in no SM, are estimates. Covers no shipped point.",
     "Code is in the instruction caches."},
    {Heuristic::kRecordedBlocks, "recorded-blocks",
     "Predictions that are compared with times of a profiler that adds code to kernels (CUPTI's "
     "concurrent kernel records): every block takes its place on the SM longer.",
     "8 warps or fewer; evenly more up to 32",
     "Microbenchmark recorded_blocks, of one block at a time on an SM, with 8 and with 32 warps; "
     "the rest is an estimate. Covers no shipped point.",
     "Measured kernels are taken to be as the program has them."},
    {Heuristic::kLongerLoops, "longer-loops",
     "The busiest scheduler was counted to execute more than its programs say: loops that warps "
     "leave at different times are longer on that SM.",
     "1.02; 1.15 if the loops are alike; 0.5 of the instructions; under 24 lanes; not remainder "
     "loops (up to 3 iterations, at most half as long as the longest loop's); not in several "
     "waves of warps of under 500 instructions, where faster SMs get more blocks",
     "Estimate, from the counters of schedulers.", "The busiest SM executes mean programs."},
    {Heuristic::kBusiestBlocks, "busiest-blocks",
     "Two rounds of long blocks at most, or one wave with idle blocks, and the busiest scheduler "
     "was counted to do the work of whole blocks more: its SM got these blocks.",
     "2 rounds; 500 instructions a warp; within 0.02 of a whole block, 0.05 beside idle-blocks; "
     "warps of a block divisible by 4",
     "Estimate, from the counters of schedulers.",
     "The busiest SM executes ceil(blocks / SMs) blocks."},
    {Heuristic::kCountedSm, "counted-sm",
     "All blocks are resident together, on as many SMs as when the launch was profiled, and the "
     "busiest scheduler executed more than that of an SM with the launch's first blocks: the SM "
     "is the one whose busiest scheduler comes nearest to the counted one. SM s is taken to have "
     "the blocks s, s + SMs, ...",
     "1.15 times the scheduler of the first blocks",
     "Counted: the instructions of the busiest scheduler. Covers no shipped point.",
     "The SM has the launch's first blocks, and longer-loops adds the missing instructions."},
    {Heuristic::kIdleBlocks, "idle-blocks",
     "In a launch of several waves the next block takes the place of one that ends at once. "
     "Blocks that end at once do not fill a wave.",
     "under 0.05 of the instructions of the longest warp, and together of all",
     "Estimate. Covers no shipped point.", "Blocks that end at once count as the others do."},
    {Heuristic::kCopyGroups, "copy-groups",
     "The wait that is executed most often says how many groups of asynchronous copies stay in "
     "flight at all waits before the last group; those behind it leave none.",
     "not where a loop begins with fewer groups than its waits leave, where copies in a loop are "
     "of a group that ends outside it, where one segment loads and copies",
     "Estimate.", "A wait is for the copies just issued, which take a share of their latency."},
    {Heuristic::kMeanBusySms, "mean-busy-sms",
     "SMs end at different times: bandwidth is shared among those that are busy on average while "
     "the busiest one works. An SM is as busy as it requests sectors from L2.",
     "none", "Estimate.", "All SMs that have blocks share the bandwidth until the end."},
    {Heuristic::kFirstBlocksInOrder, "first-blocks-in-order",
     "The first blocks of a launch begin in the slots of an SM in their order; others begin in "
     "any slot.",
     "none", "Estimate.", "Every block may begin in any slot."},
    {Heuristic::kJoinedSegments, "joined-segments",
     "A short segment that only computes becomes part of the one before it, and a short loop "
     "around such a segment becomes one segment: the net has fewer rows.",
     "32 cycles of the scheduler", "Estimate: other warps wait as long for the scheduler.",
     "Every segment, and every iteration, is a row of its own."},
};
static_assert(std::size(kRows) == kHeuristics);

}  // namespace

std::span<const HeuristicRow> heuristics() { return kRows; }

}  // namespace pnsim
