// The sequential 1-bit radix sort: the CPU's yardstick, not the reference of the others.
#pragma once

#include "gpu/reference.h"

namespace pnsim::gpu {

// Bit after bit, the lowest first: counts the ones before each key, which gives its new position.
class SequentialRadixSort {
 public:
  explicit SequentialRadixSort(Words input)
      : input_(std::move(input)), even_(input_), odd_(input_) {}

  // Sorts the input once more; allocates nothing.
  void run();
  const Words& result() const { return odd_; }

 private:
  void pass(const Words& source, Words& target, unsigned bit) const;

  Words input_;  // never written
  Words even_;   // target of passes 0, 2, 4 ...
  Words odd_;    // target of passes 1, 3, 5 ...
};

}  // namespace pnsim::gpu
