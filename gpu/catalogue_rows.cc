#include "gpu/catalogue_rows.h"

#include "gpu/radix_shape.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

using Values = std::vector<std::int64_t>;
using Sizes = std::vector<std::map<std::string, std::int64_t>>;

constexpr const char* kPaper =
    "Gogolinska, Mikulski, Piatkowski: GPU computations and memory access model based on Petri "
    "nets, PNSE'17, CEUR-WS Vol-1846 paper 7, section 5";
constexpr const char* kPaperFirstTests =
    "Gogolinska, Mikulski, Piatkowski: GPU computations and memory access model based on Petri "
    "nets, PNSE'17, CEUR-WS Vol-1846 paper 7, end of section 4";
constexpr const char* kReport = "Report Contest-CUDA Radix Sort, HPC 2021/2022, Case Study";
constexpr const char* kNotes = "Posts from the \"Parallel Computing\" Category";
constexpr const char* kHomework =
    "GPU Microarchitecture, Homework 1, 2024: base kernel and problem 1";

ProgramAxis keys_axis(Values values, std::int64_t preset, std::int64_t most) {
  return {"n", "keys", std::move(values), preset, 0, most};
}

Sizes odd_keys() { return {{{"n", 1}}, {{"n", 3}}, {{"n", 5}}, {{"n", 4097}}, {{"n", 10007}}}; }

Program radix_sort(std::string name, std::string summary) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .source = kPaper,
          .axes = {keys_axis(powers_of_two(12, 24), 1 << 20, kMaxKeys), block_axis()},
          .reference = &sort_by_passes_reference(),
          .passes = kPasses,
          .odd_sizes = odd_keys()};
}

// Each thread sums the bits of its block and of all blocks before it one by one, so larger inputs
// take very long.
constexpr std::int64_t kMaxKeysOfReport = 1 << 20;

Program report_sort(std::string name, std::string summary) {
  Program program = radix_sort(std::move(name), std::move(summary));
  program.source = kReport;
  program.axes[0] =
      keys_axis({1280, 2560, 5120, 10240, 20480, 40960, 81920}, 5120, kMaxKeysOfReport);
  return program;
}

Program radix_cpu() {
  return {.name = "radix_cpu",
          .summary =
              "1-bit LSD radix sort of 32-bit keys on one thread of the CPU, the baseline "
              "of the report",
          .source = std::string(kNotes) + ", 1. Sequential; " + kReport,
          .axes = {keys_axis({1280, 2560, 5120, 10240, 20480, 40960, 81920}, 5120, kMaxKeys)},
          .reference = &sort_reference(),
          .runner = Runner::kHost,
          .odd_sizes = odd_keys()};
}

Program cub_radix() {
  return {.name = "cub_radix",
          .summary = "CUB's DeviceRadixSort of 32-bit keys, the baseline of all sorts here",
          .source = "CUB, the library of the CUDA Toolkit",
          .axes = {keys_axis(powers_of_two(12, 24), 1 << 20, kMaxKeys)},
          .reference = &sort_reference(),
          .runner = Runner::kLibrary,
          .odd_sizes = odd_keys()};
}

Program matmul(std::string name, std::string summary) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .source = std::string(kPaperFirstTests) + ": matrix multiplication",
          .axes = {{"n", "rows and columns of the matrices", powers_of_two(5, 10), 512, 1, 4096},
                   tile_axis(16)},
          .reference = &matmul_reference(),
          .odd_sizes = {{{"n", 1}}, {{"n", 3}}, {{"n", 5}}, {{"n", 33}}, {{"n", 101}}}};
}

Program stability() {
  return {
      .name = "stability",
      .summary =
          "each pixel starts a damped linear oscillator, integrates it by explicit Euler "
          "and is coloured by whether the distance from rest grew",
      .source = std::string(kPaperFirstTests) +
                ": the stability example over time step and "
                "final time",
      .axes =
          {{"width", "pixels", {512}, 512, 1, 8192},
           {"height", "pixels", {512}, 512, 1, 8192},
           {"time_step_milli", "time step, thousandths", {5, 10, 20, 50, 100, 200}, 10, 1, 1000},
           {"final_time", "final time", {1, 5, 10, 20}, 10, 1, 100},
           {"damping_milli", "damping c, thousandths", {100}, 100, 0, 1000},
           tile_axis(16)},
      .reference = &stability_reference(),
      .odd_sizes = {{{"width", 1}, {"height", 1}},
                    {{"width", 3}, {"height", 1}},
                    {{"width", 3}, {"height", 3}},
                    {{"width", 33}, {"height", 17}},
                    {{"width", 101}, {"height", 67}, {"time_step_milli", 200}}}};
}

Program sobel(std::string name, std::string summary, std::string section) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .source = std::string(kNotes) + ", " + section,
          .axes = {{"width", "pixels", powers_of_two(8, 12), 1024, 1, 16384},
                   {"height", "pixels", {1024}, 1024, 1, 16384},
                   tile_axis(16)},
          .reference = &sobel_reference(),
          .odd_sizes = {{{"width", 1}, {"height", 1}},
                        {{"width", 3}, {"height", 3}},
                        {{"width", 5}, {"height", 3}},
                        {{"width", 33}, {"height", 35}},
                        {{"width", 67}, {"height", 131}}}};
}

Program norm(std::string name, std::string summary) {
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .source = kHomework,
      .axes = {{"n", "elements of all vectors", {1 << 20}, 1 << 20, 1, 1 << 26},
               {"d", "elements per vector", {4, 8, 32, 128, 1024}, 32, 1, 4096},
               listed("block", "threads per block", {32, 64, 128, 256, 384, 512, 768, 1024}, 256),
               {"blocks", "blocks in the grid", {132}, 132, 1, 65535},
               {"fixed_d",
                "1: d is a compile-time constant where it is 4, 8 or 32; 0: d is read at run time",
                {1},
                1,
                0,
                1}},
      .reference = &norm_reference(),
      .odd_sizes = {{{"n", 1}, {"d", 1}},
                    {{"n", 9}, {"d", 3}},
                    {{"n", 25}, {"d", 5}},
                    {{"n", 33033}, {"d", 33}, {"blocks", 3}},
                    {{"n", 49383}, {"d", 4}, {"blocks", 3}},
                    {{"n", 16395}, {"d", 8}, {"blocks", 3}},
                    {{"n", 32805}, {"d", 32}, {"blocks", 3}}}};
}

Program norm_group() {
  Program program =
      norm("norm_group",
           "subtracts from each vector its mean, one group of threads per vector, which "
           "sums by shuffles");
  program.axes.push_back(listed("group", "threads per vector", powers_of_two(0, 5), 8));
  return program;
}

std::vector<Program> rows_of_documents() {
  return {
      radix_sort("radix_global",
                 "1-bit LSD radix sort of 32-bit keys, everything in global memory: each thread "
                 "counts and scatters its own 8 keys, prefix sums go through global memory too"),
      radix_sort("radix_shared",
                 "1-bit LSD radix sort of 32-bit keys, the part of a block staged, counted and "
                 "prefix-summed in shared memory, keys scattered to their final positions"),
      radix_sort("radix_coalesced",
                 "1-bit LSD radix sort of 32-bit keys, each block orders its part in shared memory "
                 "first and writes it as two runs"),
      report_sort("radix_report_global",
                  "1-bit LSD radix sort of 32-bit keys, one thread per key: each sums the bits of "
                  "its block before it, then the blocks before its own, all in global memory"),
      report_sort("radix_report_shared",
                  "the sort of radix_report_global with the summands staged in shared memory"),
      report_sort("radix_report_texture",
                  "the sort of radix_report_shared that reads keys, bits and sums through texture "
                  "objects"),
      radix_cpu(),
      cub_radix(),
      matmul("matmul_plain",
             "matrix product, one thread per element, all reads from global memory"),
      matmul(
          "matmul_tiled",
          "matrix product, one thread per element, square tiles of both factors staged in shared "
          "memory"),
      stability(),
      sobel("sobel_global",
            "Sobel edge detection, one thread per pixel, which reads its eight neighbours from "
            "global "
            "memory",
            "Use Global Memory"),
      sobel("sobel_tiled",
            "Sobel edge detection, each block stages a tile with its border in shared memory and "
            "colours "
            "the pixels inside the border",
            "Use Tiled Matrix in Shared Memory"),
      norm("norm_base", "subtracts from each vector its mean, one thread per vector"),
      norm_group(),
  };
}

}  // namespace

std::vector<std::int64_t> powers_of_two(unsigned first, unsigned last) {
  Values values;
  for (unsigned e = first; e <= last; ++e) values.push_back(std::int64_t{1} << e);
  return values;
}

ProgramAxis listed(std::string name, std::string meaning, Values values, std::int64_t preset) {
  const std::int64_t least = values.front(), most = values.back();
  return {std::move(name), std::move(meaning), std::move(values), preset, least, most, true};
}

ProgramAxis tile_axis(std::int64_t preset) {
  return listed("tile", "edge of a square block, in threads", {8, 16, 32}, preset);
}

ProgramAxis block_axis() { return listed("block", "threads per block", powers_of_two(6, 10), 256); }

std::vector<Program> catalogue_rows() {
  std::vector<Program> rows = rows_of_documents();
  for (Program& row : own_rows()) rows.push_back(std::move(row));
  for (Program& row : more_rows()) rows.push_back(std::move(row));
  for (Program& row : tensor_rows()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace pnsim::gpu
