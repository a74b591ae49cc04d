// What the attention program shares with its reference. C++17 without dependencies, because nvcc
// compiles it.
#pragma once

#include <cstddef>

namespace pnsim::gpu {

// Queries of a block and keys of a step. The input's sequences are filled up with zeros to whole
// tiles.
inline constexpr unsigned kAttentionTile = 64;

inline constexpr std::size_t attention_rows(std::size_t sequence) {
  return (sequence + kAttentionTile - 1) / kAttentionTile * kAttentionTile;
}

}  // namespace pnsim::gpu
