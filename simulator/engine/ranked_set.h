// A set of the numbers 0 ... n - 1 that finds and removes its k-th member in O(log n).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace pnsim {

// A binary indexed tree (Fenwick 1994) of the counts of the members.
class RankedSet {
 public:
  // All numbers below `size` are members.
  explicit RankedSet(std::uint32_t size) : size_(size), tree_(size + 1), is_member_(size, true) {
    for (std::uint32_t i = 1; i <= size; ++i) tree_[i] = i & (~i + 1);
  }

  std::uint32_t size() const { return size_; }
  bool contains(std::uint32_t number) const { return is_member_[number]; }

  // The number must be a member.
  void remove(std::uint32_t number) {
    for (std::uint32_t i = number + 1; i < tree_.size(); i += i & (~i + 1)) --tree_[i];
    is_member_[number] = false;
    --size_;
  }

  // Removes and returns member k in increasing order (from 0, below size()).
  std::uint32_t take(std::uint32_t k) {
    std::uint32_t number = 0;
    const auto all = static_cast<std::uint32_t>(tree_.size());
    for (std::uint32_t half = std::bit_floor(all); half != 0; half /= 2) {
      if (number + half >= all || tree_[number + half] > k) continue;
      number += half;
      k -= tree_[number];
    }
    remove(number);
    return number;
  }

 private:
  std::uint32_t size_;
  std::vector<std::uint32_t> tree_;  // [i] members among the (i & -i) numbers before number i
  std::vector<char> is_member_;
};

}  // namespace pnsim
