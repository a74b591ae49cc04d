// The references of the catalogue's programs: input, result and work of each.
#pragma once

#include "gpu/reference.h"

namespace pnsim::gpu {

// The result: n keys, sorted. The radix sorts also compare every pass with a stable partition by
// its bit. That proves stability, because equal keys cannot be distinguished in the final result.
const Reference& sort_reference();
const Reference& sort_by_passes_reference();

// C = A * B, all n x n, row-major; the input holds A, then B.
const Reference& matmul_reference();

// 1 when a damped oscillator that starts at a pixel ends farther from rest than it began.
const Reference& stability_reference();

// The edges of an image by Sobel's operator.
const Reference& sobel_reference();

// Vectors minus their mean.
const Reference& norm_reference();

// The results: n words copied; a square matrix of words transposed; n words gathered from a table,
// whose positions the input holds before it; one diffusion step on a grid.
const Reference& copy_reference();
const Reference& transpose_reference();
const Reference& gather_reference();
const Reference& stencil_reference();

// For the part of each block: its sum, its inclusive prefix sums, its keys sorted.
const Reference& block_reduction_reference();
const Reference& block_scan_reference();
const Reference& block_sort_reference();

// Number of keys per value of the lowest bits.
const Reference& histogram_reference();

// A sparse matrix times a vector.
const Reference& spmv_reference();

// The acceleration of each body by all bodies.
const Reference& nbody_reference();

// The number of iterations until |z| exceeds 2.
const Reference& mandelbrot_reference();

// Softmax of each row.
const Reference& softmax_reference();

// C = A * B' with rows of A and B of small fractions, by type or of halves; C in single precision,
// in double precision for doubles. Of large products some rows are computed and compared.
const Reference& gemm_reference();
const Reference& half_gemm_reference();
const Reference& float_gemm_reference();

// softmax(Q * K' / sqrt(d)) * V per head; the input holds Q, K and V in halves.
const Reference& attention_reference();

// Rows, or all numbers, to mean 0 and variance 1; rows are then scaled and shifted by column.
const Reference& layer_norm_reference();
const Reference& standardise_reference();

// Prefix sums of all words.
const Reference& prefix_sums_reference();

// In double precision: one diffusion step on a grid, and the acceleration of each body.
const Reference& double_stencil_reference();
const Reference& double_nbody_reference();

// The Black-Scholes prices of calls, then of puts.
const Reference& option_reference();

// Words that look up others in a table; a picture through a separable filter; the number of words
// of a sorted table that are less than each key; the level of each vertex of a graph.
const Reference& constant_table_reference();
const Reference& convolution_reference();
const Reference& search_reference();
const Reference& bfs_reference();

// One pass of a radix sort: keys with the bit clear first, then those with it set, each in their
// original order.
Words partition_by_bit(const Words& keys, unsigned bit);

// The words that hold these numbers.
Words words_of(const std::vector<float>& numbers);
std::vector<float> numbers_of(const Words& words);

// Half the distance from 1 to the next float: the maximum relative error of one rounding.
inline constexpr double kRounding = 0x1p-24;

}  // namespace pnsim::gpu
