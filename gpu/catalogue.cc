#include "gpu/catalogue.h"

#include "gpu/radix_shape.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"

namespace pnsim::gpu {
namespace {

constexpr const char* kPaper =
    "Gogolinska, Mikulski, Piatkowski: GPU computations and memory access model based on Petri "
    "nets, PNSE'17, CEUR-WS Vol-1846 paper 7, section 5";

std::vector<std::uint32_t> powers_of_two(unsigned first, unsigned last) {
  std::vector<std::uint32_t> values;
  for (unsigned exponent = first; exponent <= last; ++exponent) values.push_back(1u << exponent);
  return values;
}

Program radix_sort(std::string name, std::string summary) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .source = kPaper,
          .n = powers_of_two(12, 24),
          .block = {64, 128, 256, 512, 1024},
          .default_n = 1u << 20,
          .default_block = 256,
          .keys_per_thread = kKeysPerThread,
          .passes = kPasses};
}

const std::vector<Program>& rows() {
  static const std::vector<Program> programs = {
      radix_sort("radix_global",
                 "1-bit LSD radix sort of 32-bit keys, everything in global memory: each thread "
                 "counts and scatters its own 8 keys, prefix sums go through global memory too"),
      radix_sort("radix_shared",
                 "1-bit LSD radix sort of 32-bit keys, the part of a block staged, counted and "
                 "prefix-summed in shared memory, keys scattered to their final positions"),
      radix_sort("radix_coalesced",
                 "1-bit LSD radix sort of 32-bit keys, each block orders its part in shared memory "
                 "first and writes it as two runs"),
  };
  return programs;
}

}  // namespace

std::span<const Program> catalogue() { return rows(); }

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const Program& program : rows()) names.push_back(program.name);
  return names;
}

const Program& find_program(std::string_view name) {
  for (const Program& program : rows()) {
    if (program.name == name) return program;
  }
  fail_usage("unknown program \"" + std::string(name) + "\"" + suggestion(name, program_names()));
}

}  // namespace pnsim::gpu
