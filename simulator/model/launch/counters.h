// Names of counters of a launch that one folder of the model writes and another reads.
#pragma once

#include <cstdint>

namespace pnsim {

// Counters of launches whose module has constants of its own (sass/constant_use.h).
inline constexpr const char* kConstantWaits = "constant_waits";
inline constexpr const char* kConstantLines = "constant_lines";

// Code that a launch in its program fetches (sass/code_fetch.h).
inline constexpr const char* kCodeLines = "code_lines";
inline constexpr const char* kCodeJumps = "code_jumps";
inline constexpr const char* kFarCodeLines = "far_code_lines";
inline constexpr const char* kFarCodeJumps = "far_code_jumps";
inline constexpr const char* kCodeFromDram = "code_from_dram";  // 1: L2 does not have it either
// Bytes of code that SMs executed since the kernel's last launch began, other kernels' too. Without
// this counter the code is taken not to be in the SMs.
inline constexpr const char* kCodeSinceBytes = "code_since_bytes";

// Bytes that SMs take in from L2: more than L2 reads where copies are multicast to several SMs.
inline constexpr const char* kTakenInBytes = "sm_read_bytes";

// Requests to all slices of L2 and to the busiest one. Those that the partitions of L2 send each
// other count too.
inline constexpr const char* kSliceRequests = "l2_requests";
inline constexpr const char* kBusiestSliceRequests = "l2_requests_busiest";

// Bytes that DRAM reads where the launch is repeated, of a launch in its program.
inline constexpr const char* kRepeatedReadBytes = "repeated_dram_read_bytes";

// Warp instructions that were issued, and the cycles that warps waited at them: for results of
// fixed latency, the targets of branches, constants as operands (kernel arguments are such
// constants), memory fences, and instructions that were not fetched yet.
inline constexpr const char* kIssuedInstructions = "issued_instructions";
inline constexpr const char* kFixedWaits = "fixed_wait_cycles";
inline constexpr const char* kBranchWaits = "branch_wait_cycles";
inline constexpr const char* kConstantOperandWaits = "constant_operand_wait_cycles";
inline constexpr const char* kFenceWaits = "fence_wait_cycles";
inline constexpr const char* kInstructionWaits = "instruction_wait_cycles";

// Warp instructions in loops that only wait (sass/spinning.h).
inline constexpr const char* kSpinningInstructions = "spinning_instructions";

// Warp instructions that load the module's own constants at computed addresses
// (sass/constant_use.h).
inline constexpr const char* kIndexedConstantLoads = "indexed_constant_loads";
// Requests to the SM's constant cache, one for each different address of a load's lanes, and those
// that fetch a line from the cache behind it.
inline constexpr const char* kConstantRequests = "constant_requests";
inline constexpr const char* kConstantMisses = "constant_misses";

}  // namespace pnsim
