// What many runs of one net of lanes have in common, as plain words that a GPU can read. C++17 and
// nothing of the rest of the project: nvcc reads it as well.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define PNSIM_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define PNSIM_HOST_DEVICE inline
#endif

namespace pnsim {

inline constexpr std::uint32_t kMaxReplicaClasses = 3;  // of lanes that wait
inline constexpr std::uint32_t kMaxReplicaLoops = 2;    // shared transitions
inline constexpr std::uint32_t kMaxReplicaNeeds = 2;    // places that one of them takes from
inline constexpr std::uint32_t kMaxReplicaLanes = 1024;

// All signals of the net stand side by side in one number ("packed"). A field is one of them. Each
// has a bit more than its values need: when that bit is set, the run is left to the CPU.
struct SignalField {
  std::uint32_t shift;
  std::uint32_t mask;  // after the shift
};

// A waiting transition of the lanes: it takes `weight` tokens of one shared place.
struct ReplicaClass {
  SignalField tokens;
  std::uint32_t weight;
  std::uint32_t signal_bit;  // 1 << signal
  std::uint32_t place;       // its index in the net, for the draws
  std::uint32_t pool_taken;  // of the observed scheduler pool
};

// A transition outside of the lanes that gives back what it takes.
struct ReplicaLoop {
  std::uint64_t empty;       // packed & empty must be 0
  std::uint32_t asked;       // bits 1 << signal of what it takes
  std::uint32_t is_waiting;  // 0 or 1
  std::uint32_t pool_taken;
  std::uint32_t need_count;
  struct Need {
    SignalField tokens;
    std::uint32_t weight;
  } needs[kMaxReplicaNeeds];
};

// LaneNode and LaneSegment, as far as runs need them.
enum class ReplicaNodeKind : std::uint8_t { kIdle, kParked, kTravels };
struct ReplicaNode {
  ReplicaNodeKind kind;
  std::uint8_t lane_class;  // kParked
  std::uint8_t choices;     // 2 or more: segment + j after draw j, of
  std::uint8_t draw_row;    // this row of the table of places
  std::uint32_t segment;
};

struct alignas(16) ReplicaSegment {
  std::uint32_t duration;
  std::uint16_t first_burst, end_burst;
  std::uint32_t firings, waiting;
  std::uint32_t taken;         // tokens of the counter
  std::uint8_t counter_shift;  // where the counter stands in the lane's word
  std::uint8_t counter_bits;   // 0: no counter
  std::uint8_t top_level;
  std::uint8_t tally;  // which tally counts its visits, from 1; 0: none
  std::uint64_t next;  // 16 bits a level of the counter: the node
};

struct ReplicaBurst {
  std::uint64_t change;  // of the packed signals
  std::uint32_t offset;  // steps from the begin of the segment; at least 1
  std::uint32_t unused;
};

// Which of the shapes in replica_run.h runs the net.
enum class ReplicaShape : std::uint32_t { kSmall, kPaper, kWide };

// `..._at` are positions of tables in the image, in 32-bit words.
struct ReplicaHeader {
  ReplicaShape shape;
  std::uint32_t image_words;
  std::uint32_t nodes_at, segments_at, bursts_at, places_at, lanes_at;
  std::uint32_t lane_count;
  std::uint32_t set_words;   // of a set of lanes
  std::uint32_t lane_words;  // of a lane's state, 1 or 2: its node, then its counters
  std::uint32_t node_mask;
  std::uint32_t wheel_slots;   // one more than the longest way of a lane
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

// Of the state of one replica, in words: lanes, then tallies, then the wheel.
PNSIM_HOST_DEVICE std::uint32_t slot_words(const ReplicaHeader& h) {
  return h.packed_words + h.class_count * h.set_words;
}
PNSIM_HOST_DEVICE std::uint32_t state_words(const ReplicaHeader& h) {
  return h.lane_count * h.lane_words + h.tally_count + h.wheel_slots * slot_words(h);
}
// Of the state that is kept at the end: packed signals, then lanes.
PNSIM_HOST_DEVICE std::uint32_t final_words(const ReplicaHeader& h) {
  return 2 + h.lane_count * h.lane_words;
}

// Replicas first ... first + count - 1; final states are kept of the first `kept`.
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
  kLeft,  // to the CPU: something came up that these tables do not say
};

struct ReplicaEnd {
  std::uint64_t firings, waiting, idle;
  std::uint32_t steps;
  ReplicaOutcome outcome;
};

}  // namespace pnsim
