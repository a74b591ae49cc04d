// The tables of a ReplicaProgram once more, in words that SIMD lanes look up side by side: what a
// lane of the net does from one wait to the next is one row, where it can be.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/engine/cuda/replica_tables.h"

namespace pnsim {

// Words that begin at a multiple of 64 bytes, padded with zeros to a multiple of 64 words.
class AlignedWords {
 public:
  AlignedWords() = default;
  explicit AlignedWords(std::size_t size);  // zeros
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
  // Nothing when the net does not fit; `why` then says it in words. It fits with up to 64 lanes,
  // one kind of waiting, and one word a lane.
  static std::optional<SimdTables> make(const ReplicaHeader& header,
                                        const std::vector<std::uint32_t>& image, std::string& why);

  // Few enough entries for registers: up to 16 shapes, 32 nodes and 64 rows.
  bool is_small() const {
    return durations.size() <= 16 && heads.size() <= 32 && rows.size() <= 64;
  }

  ReplicaHeader header;
  // Nodes are numbered anew: those that wait, then those that rest, then those that travel.
  std::uint32_t first_resting = 0, first_travelling = 0;
  std::vector<std::uint32_t> old_node;  // [node]
  AlignedWords heads;                   // [node] first row, choices << 16
  AlignedWords draws;                   // [node] steps to the draw, begin of its places << 16
  AlignedWords places;                  // [begin + lane] index of the place drawn for
  // The same as [node] index for lane 0, and how much more it is from lane to lane; where
  // that is so for all of them.
  AlignedWords first_places;
  bool has_place_stride = false;
  std::uint32_t place_stride = 0;
  // [row] shape, (32 - bits of the counter) << 8, its top level << 13, taken << 15, shift << 27
  AlignedWords rows;
  AlignedWords nexts;  // [row] 8 bits a level: the node
  // [shape]
  AlignedWords durations, firings, waiting;
  // What a shape shows after `steps` steps: [shape] a change of the packed signals; 0: nothing.
  struct Show {
    std::uint32_t steps;
    AlignedWords changes;
  };
  std::vector<Show> shows;
  std::vector<std::uint32_t> ends;                   // all durations, each once
  bool has_waiting = false;                          // any but 0
  std::uint32_t most_firings = 0;                    // of a row
  std::vector<std::uint32_t> lanes;                  // [lane] state at the begin
  std::vector<std::array<std::uint8_t, 2>> tallies;  // [row] from 1; 0: none
};

}  // namespace pnsim
