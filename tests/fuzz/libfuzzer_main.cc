// The program that libFuzzer drives: one target, named by PNSIM_FUZZ_TARGET.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/target.h"

namespace {

const pnsim::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const char* name = std::getenv("PNSIM_FUZZ_TARGET");
  chosen = pnsim::fuzz::find_target(name ? name : "");
  if (chosen) return 0;
  std::fputs("PNSIM_FUZZ_TARGET must be one of:", stderr);
  for (const auto& target : pnsim::fuzz::targets())
    std::fprintf(stderr, " %s", std::string(target.name).c_str());
  std::fputs("\n", stderr);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
