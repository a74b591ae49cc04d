// The project's own programs, which no document requires. Each represents a kind of code that a
// performance model must handle.
#include "gpu/catalogue_rows.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

// Positions are 32-bit, with room for the rest of a grid.
constexpr std::int64_t kMaxWords = 1 << 28;

// 256 KiB to 256 MiB: from sizes that fit into the L2 cache to sizes that do not.
std::vector<std::int64_t> word_counts() {
  return {1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26};
}

ProgramAxis words_axis(std::string meaning) {
  return {"n", std::move(meaning), word_counts(), 1 << 20, 1, kMaxWords};
}

ProgramAxis choice(std::string name, std::string meaning) {
  return listed(std::move(name), std::move(meaning), {0, 1}, 1);
}

std::vector<std::map<std::string, std::int64_t>> odd_words() {
  return {{{"n", 1}}, {{"n", 3}}, {{"n", 5}}, {{"n", 4097}}, {{"n", 100003}}};
}

std::vector<ProgramAxis> plane_axes() {
  return {{"width", "cells", powers_of_two(8, 12), 1024, 1, 16384},
          {"height", "cells", {1024}, 1024, 1, 16384}};
}

std::vector<std::map<std::string, std::int64_t>> odd_planes() {
  return {{{"width", 1}, {"height", 1}},
          {{"width", 3}, {"height", 3}},
          {{"width", 5}, {"height", 3}},
          {{"width", 33}, {"height", 35}},
          {{"width", 167}, {"height", 131}}};
}

Program copy() {
  return {
      .name = "copy",
      .summary = "copies words; each thread makes one access of one or four words",
      .source = "own: streaming, the bandwidth of memory and of the caches",
      .axes = {words_axis("words"), listed("words", "words per access", {1, 4}, 4), block_axis()},
      .reference = &copy_reference(),
      .odd_sizes = odd_words()};
}

Program transpose() {
  return {
      .name = "transpose",
      .summary =
          "transposes a square matrix by tiles in shared memory, with bank conflicts "
          "or without them",
      .source = "own: bank conflicts combined with streaming",
      .axes = {{"n", "rows and columns of the matrix", powers_of_two(8, 13), 2048, 1, 16384},
               choice("padding",
                      "padding words per row of the tile; 0: column accesses cause bank conflicts"),
               listed("rows", "rows of threads in a block for its tile of 32 x 32",
                      powers_of_two(1, 5), 8)},
      .reference = &transpose_reference(),
      .odd_sizes = {{{"n", 1}}, {{"n", 3}}, {{"n", 5}}, {{"n", 33}}, {{"n", 301}}}};
}

Program stencil_5point() {
  Program program = {
      .name = "stencil_5point",
      .summary =
          "one diffusion step on a grid, one thread per cell, neighbours read from global memory",
      .source = "own: neighbour reads that hit in the caches",
      .axes = plane_axes(),
      .reference = &stencil_reference(),
      .odd_sizes = odd_planes()};
  program.axes.push_back(tile_axis(16));
  return program;
}

Program block_program(std::string name, std::string summary, std::string source,
                      const Reference& reference) {
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .source = std::move(source),
      .axes = {words_axis("words"), block_axis(),
               choice("shuffle", "1: warps exchange words by shuffles; 0: through shared memory")},
      .reference = &reference,
      .odd_sizes = odd_words()};
}

Program histogram() {
  return {
      .name = "histogram",
      .summary =
          "counts keys by their lowest bits with atomic additions, per block in shared "
          "memory first, or directly in global memory",
      .source = "own: contended atomic additions",
      .axes = {words_axis("keys"), listed("bins", "different keys", {4, 256}, 256),
               choice("shared", "1: each block counts in shared memory first; 0: in global memory"),
               block_axis()},
      .reference = &histogram_reference(),
      .odd_sizes = odd_words()};
}

Program bitonic_block() {
  return {.name = "bitonic_block",
          .summary = "each block sorts two keys per thread in shared memory with a bitonic network",
          .source = "own: shared memory and barriers",
          .axes = {words_axis("keys"), block_axis()},
          .reference = &block_sort_reference(),
          .odd_sizes = odd_words()};
}

Program nbody() {
  return {.name = "nbody",
          .summary =
              "n-body acceleration of each body by all others, staged in shared memory per block",
          .source = "own: arithmetic and reciprocal square roots on data in shared memory",
          .axes = {{"n", "bodies", powers_of_two(10, 16), 8192, 1, 1 << 17}, block_axis()},
          .reference = &nbody_reference(),
          .odd_sizes = {{{"n", 1}}, {{"n", 3}}, {{"n", 5}}, {{"n", 257}}, {{"n", 2053}}}};
}

Program spmv() {
  return {
      .name = "spmv",
      .summary = "sparse matrix (compressed rows) times a vector, one thread or one warp per row",
      .source = "own: loops with different trip counts, gathers (indexed loads)",
      .axes = {{"rows",
                "rows and columns of the matrix",
                {1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20},
                1 << 16,
                1,
                1 << 20},
               {"entries", "average entries per row", {8, 64}, 64, 1, 256},
               choice("uneven", "1: rows have 1 to 2 * entries - 1 entries; 0: all rows are equal"),
               choice("by_warps", "1: one warp per row; 0: one thread per row"),
               block_axis()},
      .reference = &spmv_reference(),
      .odd_sizes = {{{"rows", 1}, {"entries", 1}},
                    {{"rows", 3}, {"entries", 5}},
                    {{"rows", 5}, {"entries", 3}},
                    {{"rows", 4097}, {"entries", 7}},
                    {{"rows", 1003}, {"entries", 100}}}};
}

Program gather() {
  return {
      .name = "gather",
      .summary = "loads words from random positions of a table",
      .source = "own: gathers (indexed loads) from the L2 cache and from device memory",
      .axes = {words_axis("words loaded"),
               {"table", "words in the table", {1 << 14, 1 << 20, 1 << 26}, 1 << 20, 1, kMaxWords},
               block_axis()},
      .reference = &gather_reference(),
      .odd_sizes = {{{"n", 1}, {"table", 1}},
                    {{"n", 3}, {"table", 5}},
                    {{"n", 5}, {"table", 3}},
                    {{"n", 4097}, {"table", 100003}},
                    {{"n", 100003}, {"table", 1001}}}};
}

Program mandelbrot() {
  Program program = {
      .name = "mandelbrot",
      .summary = "each pixel iterates z^2 + c until |z| exceeds 2",
      .source = "own: arithmetic with data-dependent trip counts that differ between lanes",
      .axes = plane_axes(),
      .reference = &mandelbrot_reference(),
      .odd_sizes = odd_planes()};
  program.axes.push_back(
      {"most_steps", "maximum number of iterations", {256, 1024}, 256, 1, 1 << 16});
  program.axes.push_back(tile_axis(16));
  return program;
}

Program softmax_rows() {
  return {
      .name = "softmax_rows",
      .summary =
          "softmax of each row of a matrix, one block per "
          "row",
      .source = "own: repeated reads from the caches, exponentials, barriers",
      .axes =
          {{"rows", "rows of the matrix", {1 << 8, 1 << 10, 1 << 12, 1 << 14}, 1 << 12, 1, 1 << 16},
           {"columns", "columns of the matrix", {128, 1024, 8192}, 1024, 1, 1 << 14},
           block_axis()},
      .reference = &softmax_reference(),
      .odd_sizes = {{{"rows", 1}, {"columns", 1}},
                    {{"rows", 3}, {"columns", 5}},
                    {{"rows", 5}, {"columns", 3}},
                    {{"rows", 33}, {"columns", 1001}},
                    {{"rows", 257}, {"columns", 67}}}};
}

}  // namespace

std::vector<Program> own_rows() {
  return {
      copy(),
      transpose(),
      stencil_5point(),
      block_program("block_reduction", "each block sums its part of the numbers",
                    "own: block reduction with barriers or shuffles", block_reduction_reference()),
      block_program("block_scan", "inclusive prefix sums within the part of each block",
                    "own: block scan with barriers or shuffles", block_scan_reference()),
      histogram(),
      bitonic_block(),
      nbody(),
      spmv(),
      gather(),
      mandelbrot(),
      softmax_rows()};
}

}  // namespace pnsim::gpu
