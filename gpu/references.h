// The references of the catalogue's programs: input, result and work of each.
#pragma once

#include "gpu/reference.h"

namespace pnsim::gpu {

// n keys, sorted. The radix sorts also compare every pass with a stable partition by its bit: this
// is what proves stability, since equal keys cannot be told apart in the end.
const Reference& sort_reference();
const Reference& sort_by_passes_reference();

// C = A * B, all n x n, row by row; the input holds A, then B.
const Reference& matmul_reference();

// Whether a damped oscillator started at a pixel ends farther from rest than it began.
const Reference& stability_reference();

// The edges of an image by Sobel's operator.
const Reference& sobel_reference();

// Vectors less their mean.
const Reference& norm_reference();

// n words as they are; a square of words turned over; n words of a table, whose places the input
// holds before it; a step of diffusion on a grid.
const Reference& copy_reference();
const Reference& transpose_reference();
const Reference& gather_reference();
const Reference& stencil_reference();

// Of the part of each block: its sum, its inclusive prefix sums, its keys sorted.
const Reference& block_reduction_reference();
const Reference& block_scan_reference();
const Reference& block_sort_reference();

// How many keys have the same lowest bits.
const Reference& histogram_reference();

// A sparse matrix times a vector.
const Reference& spmv_reference();

// The pull of all bodies on each.
const Reference& nbody_reference();

// The steps until a point leaves the circle of radius 2.
const Reference& mandelbrot_reference();

// Rows as shares of their sum of exponentials.
const Reference& softmax_reference();

// One pass of a radix sort: keys with the bit clear first, then those with it set, each in their
// old order.
Words partition_by_bit(const Words& keys, unsigned bit);

// Words that hold these numbers.
Words words_of(const std::vector<float>& numbers);
std::vector<float> numbers_of(const Words& words);

// Half the distance of 1 to the next float: what one rounding may change, relatively.
inline constexpr double kRounding = 0x1p-24;

}  // namespace pnsim::gpu
