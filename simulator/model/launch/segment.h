// A segment: a part of a warp's program whose loads are outstanding together.
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

// What the address of an access depends on: a result of memory (kLoaded), the place of the warp in
// the grid (kComputed), or, for a load, not even the block (kCommon: alike in all blocks).
enum class Addresses : std::uint8_t { kUnknown, kLoaded, kComputed, kCommon };

// Accesses of one class, size and dependence of addresses. Sectors, tags and wavefronts are means
// over the launch. They are those of one execution of the segment, all accesses of the row
// together.
struct SegmentAccess {
  std::string access_class;                   // "global_load"; class_of() has its properties
  std::int64_t count = 0;                     // warp instructions
  std::int64_t bytes = 0;                     // of one lane
  double sectors = 0;                         // of 32 bytes, global memory
  double tags = 0;                            // look-ups in L1: wavefronts of a global access
  double wavefronts = 0;                      // cycles of shared memory
  double lanes = 32;                          // with a true guard, mean of one access
  bool is_float = false;                      // of an atomic: it adds floating-point numbers
  Addresses addresses = Addresses::kUnknown;  // of a global access
  // The share of the sectors that no earlier load of the same run requests. Addresses with one base
  // register and different offsets tell it; it is 1 where they do not.
  double fresh = 1;
};

enum class SegmentEnd : std::uint8_t {
  kLoad,  // a result is needed that a scoreboard tracks: `waits_for` of the next segment names it
  kBarrier,  // the barrier is the last instruction
  kExit,
  kEdge,  // of a loop, or of code that other warps skip: the warp goes on at once
};

struct Segment {
  std::vector<LateResult> waits_for;  // results that must have arrived before the segment starts
  SegmentEnd end = SegmentEnd::kEdge;
  std::map<std::string, std::int64_t> classes;  // warp instructions by class of opcode
  // [n - 1] instructions that must wait for their latest source, which the instruction n issue
  // slots earlier makes. Each stalls for the latency less n.
  std::array<std::int64_t, 3> distances{};
  // The same for a source from another pipe, and for one of double precision.
  std::array<std::int64_t, 4> distances_across{};
  std::array<std::int64_t, 7> distances_double{};
  // Instructions that wait for their guard (a branch: for its condition), and the cycles that they
  // wait at a latency of kGuardIssueCycles.
  std::int64_t guards = 0;
  std::int64_t guard_cycles = 0;
  double branches = 0;     // taken ones, but those back to the head of a loop; mean
  std::int64_t meets = 0;  // reconvergence points: instructions at which diverged lanes join
  // Operands that the register file reads from its banks of even and of odd registers. Operands
  // that are reused from the instruction before are not among them.
  std::array<std::int64_t, 2> bank_reads{};
  // [kind of result] issue slots, stalls of dependences included, before the last instruction that
  // makes a result of the kind. Where the next segment uses the result later than at its start, the
  // number is as much smaller: the result may arrive that much later.
  std::map<LateResult, std::int64_t> begins;
  std::int64_t critical_path = 0;  // instructions of the longest chain of dependences
  double lanes = 32;               // active, mean over its instructions
  std::vector<SegmentAccess> accesses;

  InstructionCounts counts() const;  // the classes by the paper's three
};

// Latencies in issue slots: of fixed-latency arithmetic on the devices of the last years.
// `distances` has only instructions that wait at this latency, after the stalls before them.
inline constexpr std::int64_t kDependentIssueCycles = 4;
// From the integer pipe to the multiply-add pipe, or back.
inline constexpr std::int64_t kAcrossIssueCycles = 5;
inline constexpr std::int64_t kDoubleIssueCycles = 8;
// From a comparison to an instruction that it guards.
inline constexpr std::int64_t kGuardIssueCycles = 14;

const OpcodeClass& class_of(const SegmentAccess& access);
bool is_shared_access(const SegmentAccess& access);  // to shared memory
inline bool is_computed(Addresses addresses) { return addresses >= Addresses::kComputed; }
double count_of(const Segment& segment, const char* name);  // warp instructions of a class
double count_of(const Segment& segment, OpcodeClassId id);
double instructions_of(const Segment& segment);  // of all classes

Segment read_segment(const JsonReader& json);  // error 3 with the place
Json segment_json(const Segment& segment);

}  // namespace pnsim
