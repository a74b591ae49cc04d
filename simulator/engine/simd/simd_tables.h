// The tables of a ReplicaProgram in a form for SIMD look-ups. Where possible, one row describes the
// path of a net lane from one wait to the next.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/engine/cuda/replica_tables.h"

namespace pnsim {

// Words aligned to 64 bytes, padded with zeros to a multiple of 64 words.
class AlignedWords {
 public:
  AlignedWords() = default;
  explicit AlignedWords(std::size_t size);  // all zeros
  void push_back(std::uint32_t word);

  std::uint32_t size() const { return size_; }
  const std::uint32_t* data() const { return blocks_.data()->words; }
  std::uint32_t* data() { return blocks_.data()->words; }

 private:
  struct alignas(64) Block {
    std::uint32_t words[64] = {};
  };
  std::vector<Block> blocks_;
  std::uint32_t size_ = 0;
};

struct SimdTables {
  // Returns nothing when the net does not fit; `why` then gives the reason. A net fits with up to
  // 64 lanes, one class of waiting lanes, and one word per lane.
  static std::optional<SimdTables> make(const ReplicaHeader& header,
                                        const std::vector<std::uint32_t>& image, std::string& why);

  // True when the entries fit into registers: up to 16 shapes, 32 nodes and 64 rows.
  bool is_small() const {
    return durations.size() <= 16 && heads.size() <= 32 && rows.size() <= 64;
  }

  ReplicaHeader header;
  // Nodes are renumbered: waiting nodes first, then resting, then travelling ones.
  std::uint32_t first_resting = 0, first_travelling = 0;
  std::vector<std::uint32_t> old_node;  // [node]
  AlignedWords heads;                   // [node] first row, choices << 16
  AlignedWords draws;                   // [node] steps to the draw, start of its places << 16
  AlignedWords places;                  // [start + lane] index of the place of the draw
  // The same as [node] index for lane 0 and increment per lane, where the increment is constant for
  // all lanes.
  AlignedWords first_places;
  bool has_place_stride = false;
  std::uint32_t place_stride = 0;
  // [row] shape, (32 - bits of the counter) << 8, its top level << 13, taken << 15, shift << 27
  AlignedWords rows;
  AlignedWords nexts;  // [row] next node, 8 bits per level
  // [shape]
  AlignedWords durations, firings, waiting;
  // The signal changes of a shape after `steps` steps: [shape] a change of the packed signals; 0:
  // none.
  struct SignalChange {
    std::uint32_t steps;
    AlignedWords changes;
  };
  std::vector<SignalChange> signal_changes;
  std::vector<std::uint32_t> ends;                   // all durations, each once
  bool has_waiting = false;                          // some entry of `waiting` is not 0
  std::uint32_t most_firings = 0;                    // maximum over the rows
  std::vector<std::uint32_t> lanes;                  // [lane] initial state
  std::vector<std::array<std::uint8_t, 2>> tallies;  // [row] from 1; 0: none
};

}  // namespace pnsim
