#include "gpu/radix_cpu.h"

#include "gpu/radix_shape.h"

namespace pnsim::gpu {

void SequentialRadixSort::pass(const Words& source, Words& target, unsigned bit) const {
  std::size_t ones = 0;
  for (const std::uint32_t key : source) ones += (key >> bit) & 1u;
  const std::size_t zeros = source.size() - ones;
  std::size_t ones_before = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if ((source[i] >> bit) & 1u) {
      target[zeros + ones_before++] = source[i];
    } else {
      target[i - ones_before] = source[i];
    }
  }
}

void SequentialRadixSort::run() {
  for (unsigned bit = 0; bit < kPasses; ++bit) {
    const Words& before = bit % 2 == 0 ? odd_ : even_;
    pass(bit == 0 ? input_ : before, bit % 2 == 0 ? even_ : odd_, bit);
  }
}

}  // namespace pnsim::gpu
