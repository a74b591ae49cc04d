// A segment: a stretch of a warp's program whose loads are in flight together.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/base/json_reader.h"
#include "simulator/model/launch/opcodes.h"

namespace pnsim {

inline constexpr double kWarpLanes = 32;

// Warp instructions by the paper's three classes.
struct InstructionCounts {
  std::int64_t arithmetic = 0;
  std::int64_t shared = 0;
  std::int64_t global = 0;
  bool operator==(const InstructionCounts&) const = default;
};

// What the addresses of an access are made of: results of memory, or the warp's place in the grid
// alone, or, of a load, not even that: they are the same in all blocks.
enum class Addresses : std::uint8_t { kUnknown, kLoaded, kComputed, kCommon };

// Accesses of one class, size and sort of addresses. Sectors, tags and wavefronts are means over
// the launch, of one execution of the segment, all accesses of the row together.
struct SegmentAccess {
  std::string access_class;                   // "global_load"
  std::int64_t count = 0;                     // warp instructions
  std::int64_t bytes = 0;                     // of one lane
  double sectors = 0;                         // of 32 bytes, global memory
  double tags = 0;                            // look-ups in L1: wavefronts of a global access
  double wavefronts = 0;                      // cycles of shared memory
  double lanes = 32;                          // with a true guard, mean of one access
  bool is_float = false;                      // of an atomic: adds floating-point numbers
  Addresses addresses = Addresses::kUnknown;  // of a global access
  // Share of the sectors that no load before it in the same run has asked for, by their addresses:
  // offsets from one register. 1 where that cannot be told.
  double fresh = 1;
};

enum class SegmentEnd : std::uint8_t {
  kLoad,     // a result is needed that comes late: the next segment's `waits_for` says which
  kBarrier,  // the barrier is the segment's last instruction
  kExit,
  kEdge,  // of a loop, or of code that other warps pass over: goes on at once
};

struct Segment {
  std::vector<LateResult> waits_for;  // results that must be there before it starts
  SegmentEnd end = SegmentEnd::kEdge;
  std::map<std::string, std::int64_t> classes;  // warp instructions by class of opcode
  // Instructions whose nearest source is the result of the instruction 1, 2, 3 issue slots before
  // and that have to wait for it: their stall is latency - distance each.
  std::array<std::int64_t, 3> distances{};
  // The same where the result comes from another pipe, and where it is double precision's.
  std::array<std::int64_t, 4> distances_across{};
  std::array<std::int64_t, 7> distances_double{};
  // Instructions whose guard (or, of a branch, condition) is not there yet, and the cycles that
  // they wait for it, at kGuardIssueCycles.
  std::int64_t guards = 0;
  std::int64_t guard_cycles = 0;
  double branches = 0;     // taken, but for those that turn loops; mean
  std::int64_t meets = 0;  // instructions at which lanes that went two ways meet again
  // Operands that the register file delivers from its banks of even and odd registers; those that
  // are kept from the instruction before are none.
  std::array<std::int64_t, 2> bank_reads{};
  // [kind of result] issue slots, waits for dependences included, before the last instruction of
  // the segment that makes one; less as much as its result is used later than the next segment
  // begins: so much later it may come.
  std::map<LateResult, std::int64_t> begins;
  std::int64_t critical_path = 0;  // instructions that need each other, the longest chain
  double lanes = 32;               // active, mean over its instructions
  std::vector<SegmentAccess> accesses;

  InstructionCounts counts() const;  // the classes by the paper's three
};

// In issue slots: what fixed-latency arithmetic takes on the devices of the last years. `distances`
// counts only who waits at this latency, stalls of before being taken off.
inline constexpr std::int64_t kDependentIssueCycles = 4;
inline constexpr std::int64_t kAcrossIssueCycles =
    5;  // from the integer pipe to the multiply-add pipe, or back
inline constexpr std::int64_t kDoubleIssueCycles = 8;
// From a comparison to an instruction that it guards.
inline constexpr std::int64_t kGuardIssueCycles = 14;

bool is_shared_access(const SegmentAccess& access);  // of shared memory
inline bool is_computed(Addresses addresses) { return addresses >= Addresses::kComputed; }
double count_of(const Segment& segment, const char* name);  // warp instructions of a class
double instructions_of(const Segment& segment);             // of all classes

Segment read_segment(const JsonReader& json);  // error 3 with the place
Json segment_json(const Segment& segment);

}  // namespace pnsim
