// The project's own programs that need tensor cores, asynchronous copies or barriers of newer GPUs.
#include "gpu/catalogue_rows.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

using Sizes = std::vector<std::map<std::string, std::int64_t>>;

constexpr std::int64_t kMostOfProduct = 1 << 15;

std::vector<ProgramAxis> product_axes(std::vector<std::int64_t> rows,
                                      std::vector<std::int64_t> ks) {
  return {{"m", "rows of A and of the result", rows, 1024, 1, kMostOfProduct},
          {"n", "rows of B, columns of the result", rows, 1024, 1, kMostOfProduct},
          {"k", "columns of A and of B", std::move(ks), 1024, 1, kMostOfProduct}};
}

Sizes odd_products() {
  return {{{"m", 1}, {"n", 1}, {"k", 1}},
          {{"m", 3}, {"n", 5}, {"k", 7}},
          {{"m", 129}, {"n", 65}, {"k", 33}},
          {{"m", 200}, {"n", 131}, {"k", 257}},
          {{"m", 257}, {"n", 300}, {"k", 1000}}};
}

Program gemm_mma() {
  Program program = {
      .name = "gemm_mma",
      .summary =
          "matrix product on tensor cores by mma.sync; tiles go through stages in shared memory by "
          "asynchronous copies, and by ldmatrix into registers",
      .source = "own: tensor cores, asynchronous copies over several stages",
      .axes = product_axes({1024, 4096}, {1024, 4096}),
      .reference = &gemm_reference(),
      .odd_sizes = odd_products(),
      .capability = 80};
  program.axes.push_back(
      listed("type", "elements: 0 half, 1 TF32, 2 int8, 3 double", {0, 1, 2, 3}, 0));
  program.axes.push_back(listed("tile", "rows and columns of a block", {64, 128}, 128));
  program.axes.push_back(listed("stages", "stages in shared memory", {2, 4}, 4));
  return program;
}

Program gemm_wgmma() {
  Program program = {
      .name = "gemm_wgmma",
      .summary =
          "matrix product of halves by warp groups (wgmma); a producer warp feeds them through the "
          "copy engine and barriers in shared memory",
      .source = "own: warp-group products, copy engine, warp roles; deep K included",
      .axes = product_axes({1024, 4096, 8192}, {1024, 4096, 28672}),
      .reference = &half_gemm_reference(),
      .odd_sizes = odd_products(),
      .capability = 90,
      .only_this_capability = true};
  program.axes.push_back(
      listed("columns", "columns of a block, which has 128 rows", {128, 256}, 256));
  return program;
}

Program sgemm_async() {
  Program program = {
      .name = "sgemm_async",
      .summary =
          "matrix product in single precision; tiles go through stages in shared memory by "
          "asynchronous copies that transpose them",
      .source = "own: asynchronous copies of words over several stages, arithmetic in registers",
      .axes = product_axes({1024, 4096}, {1024, 4096}),
      .reference = &float_gemm_reference(),
      .odd_sizes = odd_products(),
      .capability = 80};
  program.axes.push_back(listed("stages", "stages in shared memory", {2, 3, 4}, 3));
  return program;
}

Program attention() {
  return {.name = "attention",
          .summary =
              "attention of halves in one kernel: scores on tensor cores, a softmax that is "
              "corrected as it proceeds, weighted values",
          .source = "own: tensor cores, exponentials and shuffles in turn; uneven blocks if causal",
          .axes = {{"sequence", "queries and keys", {512, 2048, 8192}, 2048, 1, 1 << 15},
                   {"heads", "independent heads", {16}, 16, 1, 128},
                   listed("d", "elements of a query", {64, 128}, 64),
                   listed("causal", "1: a query sees no later keys", {0, 1}, 0)},
          .reference = &attention_reference(),
          .odd_sizes = {{{"sequence", 1}, {"heads", 1}},
                        {{"sequence", 3}, {"heads", 3}},
                        {{"sequence", 65}, {"heads", 1}},
                        {{"sequence", 200}, {"heads", 2}},
                        {{"sequence", 333}, {"heads", 2}}},
          .capability = 80};
}

Program grid_standardise() {
  return {.name = "grid_standardise",
          .summary =
              "numbers to mean 0 and variance 1 in one cooperative launch with two barriers of the "
              "whole grid",
          .source = "own: barriers of the grid",
          .axes = {{"n", "numbers", {1 << 16, 1 << 20, 1 << 24}, 1 << 20, 1, 1 << 26},
                   listed("blocks", "blocks, all resident", {33, 66, 132}, 66),
                   listed("block", "threads per block", {128, 256, 512}, 256)},
          .reference = &standardise_reference(),
          .odd_sizes = {{{"n", 1}}, {{"n", 3}}, {{"n", 5}}, {{"n", 4098}}, {{"n", 100003}}},
          .capability = 60};
}

Program lookback_scan() {
  return {.name = "lookback_scan",
          .summary =
              "prefix sums of all words in one pass; each block looks back over the flags of the "
              "blocks before it",
          .source = "own: a chain of flags between blocks",
          .axes = {{"n", "words", {1 << 16, 1 << 20, 1 << 24, 1 << 26}, 1 << 20, 1, 1 << 28},
                   block_axis()},
          .reference = &prefix_sums_reference(),
          .odd_sizes = {{{"n", 1}}, {{"n", 3}}, {{"n", 5}}, {{"n", 4098}}, {{"n", 100003}}},
          .capability = 70};
}

}  // namespace

std::vector<Program> tensor_rows() {
  return {gemm_mma(),  gemm_wgmma(),       sgemm_async(),
          attention(), grid_standardise(), lookback_scan()};
}

}  // namespace pnsim::gpu
