// Random draws of the firing rule and bit operations, for host and device (C++17).
#pragma once

#include <cstdint>

#include "simulator/engine/cuda/replica_tables.h"

namespace pnsim {

struct DrawWords {
  std::uint32_t w[4];
};

PNSIM_HOST_DEVICE std::uint32_t multiply_high(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
}

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011).
PNSIM_HOST_DEVICE DrawWords philox(std::uint32_t key0, std::uint32_t key1, DrawWords c) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p = std::uint64_t{0xD2511F53u} * c.w[0];
    const std::uint64_t q = std::uint64_t{0xCD9E8D57u} * c.w[2];
    c = {{static_cast<std::uint32_t>(q >> 32) ^ c.w[1] ^ key0, static_cast<std::uint32_t>(q),
          static_cast<std::uint32_t>(p >> 32) ^ c.w[3] ^ key1, static_cast<std::uint32_t>(p)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c;
}

struct ReplicaKey {
  std::uint32_t k0, k1;
};

// The same as run_key() of draws.h.
PNSIM_HOST_DEVICE ReplicaKey replica_key(std::uint64_t seed, std::uint32_t replica,
                                         std::uint32_t stream) {
  const DrawWords words = philox(static_cast<std::uint32_t>(seed),
                                 static_cast<std::uint32_t>(seed >> 32), {{replica, stream, 0, 0}});
  return {words.w[0], words.w[1]};
}

// The same as draw_block() of draws.h, for steps below 2^32.
PNSIM_HOST_DEVICE DrawWords draw_block(ReplicaKey key, std::uint32_t place, std::uint32_t step,
                                       std::uint32_t block) {
  return philox(key.k0, key.k1, {{place, step, 0, block}});
}

PNSIM_HOST_DEVICE std::uint32_t popcount(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popc(bits));
#else
  return static_cast<std::uint32_t>(__builtin_popcount(bits));
#endif
}

// Position of set bit number j (from 0). More than j bits must be set.
PNSIM_HOST_DEVICE std::uint32_t select_bit(std::uint32_t bits, std::uint32_t j) {
  std::uint32_t at = 0;
  for (std::uint32_t width = 16; width != 0; width /= 2) {
    const std::uint32_t count = popcount(bits >> at & ((1u << width) - 1));
    if (j >= count) {
      j -= count;
      at += width;
    }
  }
  return at;
}

}  // namespace pnsim
