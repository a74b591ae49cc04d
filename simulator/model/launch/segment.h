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
inline constexpr std::int64_t kMostAccessBytes = 1 << 20;  // of one lane

// Warp instructions by the paper's three classes.
struct InstructionCounts {
  std::int64_t arithmetic = 0;
  std::int64_t shared = 0;
  std::int64_t global = 0;
  bool operator==(const InstructionCounts&) const = default;
};

// What the address of an access depends on. kLoaded: a value from memory. kComputed: the place of
// the warp in the grid. kCommon: not even the block, so all blocks load the same addresses.
enum class Addresses : std::uint8_t { kUnknown, kLoaded, kComputed, kCommon };

// What a texture fetch reads: linear memory by index, or an array of so many dimensions. Layers of
// an array are as the array.
enum class TextureKind : std::uint8_t { kMemory, k1d, k2d, k3d, kCube };

// Accesses of one class, size and kind of address. Counts are whole in a file; changed ones
// (count_changes.h) may be fractions. Sectors, tag look-ups and wavefronts are means
// over the launch: the sum over all accesses of the row in one execution of the segment.
struct SegmentAccess {
  std::string access_class;                    // "global_load"; class_of() has its properties
  double count = 0;                            // warp instructions
  std::int64_t bytes = 0;                      // of one lane
  double sectors = 0;                          // of 32 bytes, global memory
  double tag_lookups = 0;                      // look-ups in L1: wavefronts of a global access
  double wavefronts = 0;                       // cycles of shared memory
  double lanes = 32;                           // with a true guard, mean of one access
  bool is_float = false;                       // of an atomic: it adds floating-point numbers
  bool through_l1 = false;                     // of an asynchronous copy: it does not bypass L1
  Addresses addresses = Addresses::kUnknown;   // of a global access
  TextureKind texture = TextureKind::kMemory;  // of a texture fetch
  // The share of the sectors that no earlier load of the same straight code requests. It follows
  // from addresses with one base register and different offsets; otherwise it is 1. Where all
  // warps of a block load from the same addresses, it is divided by the number of these warps,
  // because only the first of them requests sectors that no warp has requested before.
  double new_sector_share = 1;
  // A load that the next wait for loads does not wait for; the wait after that one does.
  bool outlives_wait = false;
};

enum class SegmentEnd : std::uint8_t {
  kLoad,     // the next segment needs a result that a scoreboard tracks: its `waits_for`
  kBarrier,  // the barrier is the last instruction
  kExit,
  kEdge,  // the edge of a loop, or of code that other warps skip: the warp continues at once
};

// Counts are whole in a file; changed ones (count_changes.h) may be fractions.
struct Segment {
  std::vector<LateResult> waits_for;  // results that must have arrived before the segment starts
  SegmentEnd end = SegmentEnd::kEdge;
  std::map<std::string, double> classes;  // warp instructions by class of opcode
  // [n - 1] the number of instructions that stall for a source operand which the instruction n
  // issue slots earlier produces. Each stalls for the latency minus n.
  std::array<double, 3> distances{};
  // The same for a source from another pipe, and for one of double precision.
  std::array<double, 4> distances_across{};
  std::array<double, 7> distances_double{};
  // Instructions that stall for their guard predicate (a branch: for its condition), and the cycles
  // of these stalls at a latency of kGuardIssueCycles.
  double predicate_stalls = 0;
  double predicate_stall_cycles = 0;
  double branches = 0;  // mean of taken branches, without those back to the head of a loop
  std::int64_t reconvergences = 0;  // instructions at which diverged lanes reconverge
  // Operands read from the register file's banks of even and of odd registers. Operands in the
  // reuse cache of the instruction before are not counted.
  std::array<double, 2> register_bank_reads{};
  // [kind of result] the issue slots, dependence stalls included, before the last instruction that
  // produces a result of the kind. If the next segment first uses the result some slots after its
  // start, these slots are subtracted: the result may arrive that much later.
  std::map<LateResult, std::int64_t> last_producer_slots;
  // Products of matrices by kind (sass/tensor_product.h), and the slots in which the warp waits for
  // the result of one that it executed before.
  std::map<std::string, double> tensor_products;
  double tensor_stall_cycles = 0;
  // Groups of asynchronous copies that the wait for the segment's copies leaves in flight.
  int copy_stages = 0;
  // Its bulk copies are waited for (sm/first_copies.h). Not part of a file.
  bool awaits_bulk_copies = false;
  // They fill stages of a ring (sm/bulk_stages.h). Not part of a file.
  bool fills_stages = false;
  std::int64_t critical_path = 0;  // instructions of the longest dependence chain
  double lanes = 32;               // active, mean over its instructions
  std::vector<SegmentAccess> accesses;

  InstructionCounts counts() const;  // the classes by the paper's three
};

// Latencies in issue slots of fixed-latency arithmetic on recent devices. `distances` counts only
// instructions that stall at this latency, after the stalls of the instructions before them.
inline constexpr std::int64_t kDependentIssueCycles = 4;
// The latency between the integer pipe and the multiply-add pipe.
inline constexpr std::int64_t kAcrossIssueCycles = 5;
inline constexpr std::int64_t kDoubleIssueCycles = 8;
// The latency from a comparison to an instruction that it guards.
inline constexpr std::int64_t kGuardIssueCycles = 14;

const OpcodeClass& class_of(const SegmentAccess& access);
bool is_shared_access(const SegmentAccess& access);  // to shared memory
inline bool is_computed(Addresses addresses) { return addresses >= Addresses::kComputed; }
double count_of(const Segment& segment, const char* name);  // warp instructions of a class
double count_of(const Segment& segment, OpcodeClassId id);
bool copies_in_bulk(const Segment& segment);  // loads by TMA
bool multiplies_matrices(const Segment& segment);
double instructions_of(const Segment& segment);  // of all classes

inline constexpr int kMostCopyStages = 64;

// The kinds of Segment::tensor_products.
const std::vector<std::string>& tensor_product_kinds();

Segment read_segment(const JsonReader& json);  // error 3 with the place
Json segment_json(const Segment& segment);

}  // namespace pnsim
