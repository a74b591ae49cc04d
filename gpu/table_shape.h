// What the programs on tables and pictures share with their references. C++17 without dependencies,
// because nvcc compiles it.
#pragma once

#include <cstdint>

namespace pnsim::gpu {

// constant_table: word i of the table in constant memory, and the look-ups of a word.
inline constexpr unsigned kConstantWords = 16 * 1024, kLookUps = 8;
constexpr std::uint32_t constant_word(std::uint32_t i) { return (i + 1) * 2654435761u; }

// convolution_texture: a row of Pascal's triangle, which adds up to 256.
inline constexpr int kFilterRadius = 4;
inline constexpr float kFilter[2 * kFilterRadius + 1] = {1 / 256.0f,  8 / 256.0f,  28 / 256.0f,
                                                         56 / 256.0f, 70 / 256.0f, 56 / 256.0f,
                                                         28 / 256.0f, 8 / 256.0f,  1 / 256.0f};

}  // namespace pnsim::gpu
