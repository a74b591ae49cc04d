// More of the project's own programs: double precision, tables, textures, searches, graphs.
#include "gpu/catalogue_rows.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

using Sizes = std::vector<std::map<std::string, std::int64_t>>;

constexpr std::int64_t kMostWordsOfRow = 1 << 26;

ProgramAxis count_axis(std::string meaning) {
  return {"n", std::move(meaning), {1 << 16, 1 << 20, 1 << 24}, 1 << 20, 1, kMostWordsOfRow};
}

Sizes odd_counts() { return {{{"n", 1}}, {{"n", 3}}, {{"n", 5}}, {{"n", 4098}}, {{"n", 100003}}}; }

Sizes odd_pictures() {
  return {{{"width", 1}, {"height", 1}},
          {{"width", 3}, {"height", 3}},
          {{"width", 5}, {"height", 3}},
          {{"width", 34}, {"height", 35}},
          {{"width", 167}, {"height", 131}}};
}

std::vector<ProgramAxis> picture_axes(std::string what) {
  return {{"width", what, {256, 1024, 4096}, 1024, 1, 16384},
          {"height", std::move(what), {1024, 4096}, 1024, 1, 8192},
          tile_axis(16)};
}

Program layer_norm() {
  return {.name = "layer_norm",
          .summary =
              "rows to mean 0 and variance 1, scaled and shifted by column, with accesses of four "
              "words; one block per row",
          .source = "own: reductions of rows that stay in the caches",
          .axes = {{"rows", "rows", {256, 4096, 16384}, 4096, 1, 1 << 16},
                   {"columns", "columns", {256, 1024, 8192}, 1024, 1, 1 << 14},
                   block_axis()},
          .reference = &layer_norm_reference(),
          .odd_sizes = {{{"rows", 1}, {"columns", 1}},
                        {{"rows", 3}, {"columns", 5}},
                        {{"rows", 5}, {"columns", 3}},
                        {{"rows", 33}, {"columns", 1002}},
                        {{"rows", 257}, {"columns", 68}}}};
}

Program stencil_fp64() {
  return {.name = "stencil_fp64",
          .summary = "one diffusion step on a grid of doubles, one thread per cell",
          .source = "own: doubles, neighbour reads that hit in the caches",
          .axes = picture_axes("cells"),
          .reference = &double_stencil_reference(),
          .odd_sizes = odd_pictures()};
}

Program nbody_fp64() {
  return {.name = "nbody_fp64",
          .summary =
              "n-body acceleration in double precision, bodies staged in shared memory per block",
          .source = "own: the double-precision pipe, reciprocal square roots by software",
          .axes = {{"n", "bodies", {1 << 10, 1 << 13, 1 << 15}, 1 << 13, 1, 1 << 16}, block_axis()},
          .reference = &double_nbody_reference(),
          .odd_sizes = {{{"n", 1}}, {{"n", 3}}, {{"n", 5}}, {{"n", 258}}, {{"n", 2053}}}};
}

Program option_prices() {
  return {.name = "option_prices",
          .summary = "Black-Scholes prices of calls and puts, one option per thread",
          .source = "own: logarithms, exponentials, roots and divisions on streamed data",
          .axes = {count_axis("options"), block_axis()},
          .reference = &option_reference(),
          .odd_sizes = odd_counts()};
}

Program constant_table() {
  return {
      .name = "constant_table",
      .summary =
          "words look up others in a table in constant memory, at indices that depend on "
          "them",
      .source = "own: constant memory by lanes that differ",
      .axes = {count_axis("words"),
               listed("table", "words of the table", {1, 16, 256, 2048, 16384}, 256), block_axis()},
      .reference = &constant_table_reference(),
      .odd_sizes = odd_counts()};
}

Program convolution_texture() {
  return {.name = "convolution_texture",
          .summary = "a separable filter of 9 x 9 in two launches that read through textures",
          .source = "own: texture fetches of neighbours",
          .axes = picture_axes("pixels"),
          .reference = &convolution_reference(),
          .odd_sizes = odd_pictures()};
}

Program binary_search() {
  return {
      .name = "binary_search",
      .summary = "places of keys in a sorted table, by halving",
      .source = "own: dependent loads at addresses that drift apart",
      .axes =
          {count_axis("keys"),
           {"table", "words of the sorted table", {1 << 12, 1 << 20, 1 << 24}, 1 << 20, 1, 1 << 26},
           block_axis()},
      .reference = &search_reference(),
      .odd_sizes = {{{"n", 1}, {"table", 1}},
                    {{"n", 3}, {"table", 5}},
                    {{"n", 5}, {"table", 3}},
                    {{"n", 4098}, {"table", 10007}},
                    {{"n", 100003}, {"table", 1001}}}};
}

Program bfs_level() {
  return {
      .name = "bfs_level",
      .summary =
          "breadth-first search on a graph in compressed rows, one launch per level over all "
          "vertices",
      .source = "own: loops of different length and gathers, most threads leave at once",
      .axes =
          {{"vertices", "vertices of the graph", {1 << 14, 1 << 18, 1 << 20}, 1 << 18, 1, 1 << 22},
           {"degree", "average neighbours of a vertex", {8}, 8, 1, 64},
           {"levels", "launches after the first", {8}, 8, 1, 64},
           block_axis()},
      .reference = &bfs_reference(),
      .odd_sizes = {{{"vertices", 1}, {"degree", 1}},
                    {{"vertices", 3}, {"degree", 3}},
                    {{"vertices", 5}, {"degree", 1}},
                    {{"vertices", 4098}, {"degree", 7}},
                    {{"vertices", 10007}, {"degree", 20}}}};
}

}  // namespace

std::vector<Program> more_rows() {
  return {layer_norm(),     stencil_fp64(),        nbody_fp64(),    option_prices(),
          constant_table(), convolution_texture(), binary_search(), bfs_level()};
}

}  // namespace pnsim::gpu
