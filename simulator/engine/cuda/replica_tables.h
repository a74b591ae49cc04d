// The data that all runs of one net of lanes share, as plain words that a GPU can read. It is C++17
// and includes nothing else of the project, because nvcc compiles it too.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define PNSIM_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define PNSIM_HOST_DEVICE inline
#endif

namespace pnsim {

inline constexpr std::uint32_t kMaxReplicaClasses = 3;  // classes of waiting lanes
inline constexpr std::uint32_t kMaxReplicaLoops = 2;    // shared transitions
inline constexpr std::uint32_t kMaxReplicaNeeds = 2;    // input places of one shared transition
inline constexpr std::uint32_t kMaxReplicaLanes = 1024;

// All signals of the net are packed into one number ("packed"), each in its own bit field. Each
// field has one more bit than its values need. When that guard bit is set, the run is left to the
// CPU.
struct SignalField {
  std::uint32_t shift;
  std::uint32_t mask;  // applied after the shift
};

// A waiting transition of the lanes. It takes `weight` tokens from one shared place.
struct ReplicaClass {
  SignalField tokens;
  std::uint32_t weight;
  std::uint32_t signal_bit;  // 1 << signal
  std::uint32_t place;       // index of the place in the net, for the draws
  std::uint32_t pool_taken;  // tokens taken from the observed scheduler pool
};

// A transition outside the lanes that returns what it takes.
struct ReplicaLoop {
  std::uint64_t empty;       // packed & empty must be 0
  std::uint32_t used;        // bits 1 << signal of its input places
  std::uint32_t is_waiting;  // 0 or 1
  std::uint32_t pool_taken;
  std::uint32_t need_count;
  struct Need {
    SignalField tokens;
    std::uint32_t weight;
  } needs[kMaxReplicaNeeds];
};

// The parts of LaneNode and LaneSegment that runs need.
enum class ReplicaNodeKind : std::uint8_t { kIdle, kParked, kTravels };
struct ReplicaNode {
  ReplicaNodeKind kind;
  std::uint8_t lane_class;  // kParked
  std::uint8_t choices;     // 2 or more: draw j leads to segment + j
  std::uint8_t draw_row;    // row of the table of places for that draw
  std::uint32_t segment;
};

struct alignas(16) ReplicaSegment {
  std::uint32_t duration;
  std::uint16_t first_burst, end_burst;
  std::uint32_t firings, waiting;
  std::uint32_t taken;         // tokens taken from the counter
  std::uint8_t counter_shift;  // position of the counter in the lane's word
  std::uint8_t counter_bits;   // 0: no counter
  std::uint8_t top_level;
  std::uint8_t tally;  // the tally that counts its visits, from 1; 0: none
  std::uint64_t next;  // next node, 16 bits per level of the counter
};

struct ReplicaBurst {
  std::uint64_t change;  // change of the packed signals
  std::uint32_t offset;  // steps from the begin of the segment; at least 1
  std::uint32_t unused;
};

// The shape in replica_run.h that runs the net.
enum class ReplicaShape : std::uint32_t { kSmall, kPaper, kWide };

// `..._at` are positions of tables in the image, in 32-bit words.
struct ReplicaHeader {
  ReplicaShape shape;
  std::uint32_t image_words;
  std::uint32_t nodes_at, segments_at, bursts_at, places_at, lanes_at;
  std::uint32_t lane_count;
  std::uint32_t set_words;   // words of a set of lanes
  std::uint32_t lane_words;  // words of a lane's state, 1 or 2: its node, then its counters
  std::uint32_t node_mask;
  std::uint32_t wheel_slots;   // one more than the longest path of a lane from wait to wait
  std::uint32_t packed_words;  // 1 or 2
  std::uint32_t tally_count;
  std::uint32_t loop_count;
  std::uint32_t class_count;
  std::uint32_t has_goal, has_pool;
  SignalField pool;
  std::uint64_t initial;  // packed
  std::uint64_t goal;     // packed & goal must be 0
  std::uint64_t guards;   // the bits that must not be set
  ReplicaClass classes[kMaxReplicaClasses];
  ReplicaLoop loops[kMaxReplicaLoops];
};

// Layout of the state of one replica, in words: lanes, then tallies, then the wheel.
PNSIM_HOST_DEVICE std::uint32_t slot_words(const ReplicaHeader& h) {
  return h.packed_words + h.class_count * h.set_words;
}
PNSIM_HOST_DEVICE std::uint32_t state_words(const ReplicaHeader& h) {
  return h.lane_count * h.lane_words + h.tally_count + h.wheel_slots * slot_words(h);
}
// Layout of the final state: packed signals, then lanes.
PNSIM_HOST_DEVICE std::uint32_t final_words(const ReplicaHeader& h) {
  return 2 + h.lane_count * h.lane_words;
}

// Replicas first ... first + count - 1. The final states of the first `kept` replicas are kept.
struct ReplicaRequest {
  std::uint64_t seed;
  std::uint32_t stream;
  std::uint32_t first, count, kept;
  std::uint32_t max_steps;
};

enum class ReplicaOutcome : std::uint32_t {
  kLimit,
  kDead,
  kGoal,
  kLeft,  // left to the CPU: the run needs something that these tables do not contain
};

struct ReplicaEnd {
  std::uint64_t firings, waiting, idle;
  std::uint32_t steps;
  ReplicaOutcome outcome;
};

}  // namespace pnsim
