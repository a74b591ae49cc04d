// The sequential 1-bit radix sort: the CPU baseline. It is not the reference of the other sorts.
#pragma once

#include "gpu/reference.h"

namespace pnsim::gpu {

// Sorts bit by bit, the lowest bit first. The number of ones before each key gives its new
// position.
class SequentialRadixSort {
 public:
  explicit SequentialRadixSort(Words input)
      : input_(std::move(input)), even_(input_), odd_(input_) {}

  // Sorts the input again without allocating memory.
  void run();
  const Words& result() const { return odd_; }

 private:
  void pass(const Words& source, Words& target, unsigned bit) const;

  Words input_;  // never written
  Words even_;   // target of passes 0, 2, 4 ...
  Words odd_;    // target of passes 1, 3, 5 ...
};

}  // namespace pnsim::gpu
