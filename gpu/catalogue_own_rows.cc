// The programs that no document asks for: each stands for a kind of code that a model of time must
// get right.
#include "gpu/catalogue_rows.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

constexpr std::int64_t kMostWords = 1 << 28;  // positions are 32-bit, with room for a grid's rest

// 256 KiB to 256 MiB: from what the L2 cache holds to what it does not.
std::vector<std::int64_t> word_counts() {
  return {1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26};
}

ProgramAxis words_axis(std::string meaning) {
  return {"n", std::move(meaning), word_counts(), 1 << 20, 1, kMostWords};
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
      .summary = "copies words, one or four a thread by one access",
      .source = "own: streaming, the bandwidth of memory and of the caches",
      .axes = {words_axis("words"), listed("words", "words of an access", {1, 4}, 4), block_axis()},
      .reference = &copy_reference(),
      .odd_sizes = odd_words()};
}

Program transpose() {
  return {.name = "transpose",
          .summary =
              "transposes a square matrix by tiles in shared memory, with conflicts of banks "
              "or without",
          .source = "own: bank conflicts beside streaming",
          .axes = {{"n", "rows and columns of the matrix", powers_of_two(8, 13), 2048, 1, 16384},
                   choice("padding", "words that lengthen a row of the tile; 0: columns conflict"),
                   listed("rows", "threads of a block down its tile of 32 x 32",
                          powers_of_two(1, 5), 8)},
          .reference = &transpose_reference(),
          .odd_sizes = {{{"n", 1}}, {{"n", 3}}, {{"n", 5}}, {{"n", 33}}, {{"n", 301}}}};
}

Program stencil_5point() {
  Program program = {
      .name = "stencil_5point",
      .summary = "a step of diffusion on a grid, a thread a cell, neighbours from global memory",
      .source = "own: neighbours that the caches serve",
      .axes = plane_axes(),
      .reference = &stencil_reference(),
      .odd_sizes = odd_planes()};
  program.axes.push_back(tile_axis(16));
  return program;
}

Program block_program(std::string name, std::string summary, std::string source,
                      const Reference& reference) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .source = std::move(source),
          .axes = {words_axis("words"), block_axis(),
                   choice("shuffle", "1: warps exchange words by shuffles; 0: in shared memory")},
          .reference = &reference,
          .odd_sizes = odd_words()};
}

Program histogram() {
  return {.name = "histogram",
          .summary =
              "counts keys by their lowest bits with atomic additions, of a block in shared "
              "memory first or all in global memory",
          .source = "own: atomic additions that meet",
          .axes = {words_axis("keys"), listed("bins", "different keys", {4, 256}, 256),
                   choice("shared", "1: a block counts in shared memory first; 0: global memory"),
                   block_axis()},
          .reference = &histogram_reference(),
          .odd_sizes = odd_words()};
}

Program bitonic_block() {
  return {.name = "bitonic_block",
          .summary = "each block sorts two keys a thread in shared memory by a bitonic network",
          .source = "own: shared memory and barriers",
          .axes = {words_axis("keys"), block_axis()},
          .reference = &block_sort_reference(),
          .odd_sizes = odd_words()};
}

Program nbody() {
  return {.name = "nbody",
          .summary = "the pull of all bodies on each, which a block stages in shared memory",
          .source = "own: arithmetic and reciprocal roots from shared memory",
          .axes = {{"n", "bodies", powers_of_two(10, 16), 8192, 1, 1 << 17}, block_axis()},
          .reference = &nbody_reference(),
          .odd_sizes = {{{"n", 1}}, {{"n", 3}}, {{"n", 5}}, {{"n", 257}}, {{"n", 2053}}}};
}

Program spmv() {
  return {.name = "spmv",
          .summary = "a sparse matrix in compressed rows times a vector, a thread or a warp a row",
          .source = "own: loops of different lengths, scattered accesses",
          .axes = {{"rows",
                    "rows and columns of the matrix",
                    {1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20},
                    1 << 16,
                    1,
                    1 << 20},
                   {"entries", "entries of a row on average", {8, 64}, 64, 1, 256},
                   choice("uneven", "1: rows of 1 to 2 entries - 1; 0: all alike"),
                   choice("by_warps", "1: a warp a row; 0: a thread a row"),
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
      .summary = "fetches words from random places of a table",
      .source = "own: scattered accesses from the L2 cache and from memory",
      .axes = {words_axis("words fetched"),
               {"table", "words of the table", {1 << 14, 1 << 20, 1 << 26}, 1 << 20, 1, kMostWords},
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
      .summary = "each pixel iterates z^2 + c until it leaves the circle of radius 2",
      .source = "own: arithmetic with trip counts that differ from lane to lane",
      .axes = plane_axes(),
      .reference = &mandelbrot_reference(),
      .odd_sizes = odd_planes()};
  program.axes.push_back({"most_steps", "steps at most", {256, 1024}, 256, 1, 1 << 16});
  program.axes.push_back(tile_axis(16));
  return program;
}

Program softmax_rows() {
  return {
      .name = "softmax_rows",
      .summary =
          "turns each row of a matrix into shares of its sum of exponentials, a block a "
          "row",
      .source = "own: rows read again from the caches, exponentials, barriers",
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
      block_program("block_reduction", "each block adds up its part of the numbers",
                    "own: adding up in a block, barriers or shuffles", block_reduction_reference()),
      block_program("block_scan", "inclusive prefix sums within the part of each block",
                    "own: prefix sums in a block, barriers or shuffles", block_scan_reference()),
      histogram(),
      bitonic_block(),
      nbody(),
      spmv(),
      gather(),
      mandelbrot(),
      softmax_rows()};
}

}  // namespace pnsim::gpu
