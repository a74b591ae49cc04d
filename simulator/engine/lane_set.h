// Sets of lanes with fast removal of the j-th lane in order.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace pnsim {

// Bit operations of the processor: count(bits) is the number of set bits; select(bits, j) is the
// position of set bit number j (from 0, below the count).
struct PortableBits {
  static std::uint32_t count(std::uint64_t bits) {
    return static_cast<std::uint32_t>(std::popcount(bits));
  }
  static std::uint32_t select(std::uint64_t bits, std::uint32_t j) {
    for (; j > 0; --j) bits &= bits - 1;
    return static_cast<std::uint32_t>(std::countr_zero(bits));
  }
};

#if defined(__x86_64__)
// For processors with BMI2 only. It uses assembly, because the compiler refuses to inline the
// intrinsics into functions that are also compiled for older processors.
struct Bmi2Bits {
  static std::uint32_t count(std::uint64_t bits) {
    std::uint64_t out;
    asm("popcnt %1, %0" : "=r"(out) : "r"(bits) : "cc");
    return static_cast<std::uint32_t>(out);
  }
  static std::uint32_t select(std::uint64_t bits, std::uint32_t j) {
    std::uint64_t out;
    asm("pdep %2, %1, %0" : "=r"(out) : "r"(std::uint64_t{1} << j), "r"(bits));
    return static_cast<std::uint32_t>(std::countr_zero(out));
  }
};
#endif

// Up to 64 lanes.
class OneWordSet {
 public:
  explicit OneWordSet(std::size_t /*lanes*/) {}

  static constexpr bool kIsOneWord = true;

  bool empty() const { return bits_ == 0; }
  template <class Bits>
  std::uint32_t count() const {
    return Bits::count(bits_);
  }
  // The number of lanes in the set below this one, which may be the first one after the last.
  std::uint32_t count_below(std::uint32_t lane) const {
    const std::uint64_t below = lane < 64 ? (std::uint64_t{1} << lane) - 1 : ~std::uint64_t{0};
    return PortableBits::count(bits_ & below);
  }
  void insert(std::uint32_t lane) { bits_ |= std::uint64_t{1} << lane; }
  void erase(std::uint32_t lane) { bits_ &= ~(std::uint64_t{1} << lane); }
  void insert_all(std::uint64_t bits) { bits_ |= bits; }
  void clear() { bits_ = 0; }

  // Removes and returns the j-th lane.
  template <class Bits>
  std::uint32_t take(std::uint32_t j) {
    const std::uint32_t lane = Bits::select(bits_, j);
    erase(lane);
    return lane;
  }

  // Calls visit(lane) for each lane, in order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint64_t bits = bits_; bits != 0; bits &= bits - 1) {
      visit(static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }

 private:
  std::uint64_t bits_ = 0;  // bit w: lane w
};

// Any number of lanes. Counts per block of words locate the j-th lane.
class ManyWordSet {
 public:
  explicit ManyWordSet(std::size_t lanes)
      : words_((lanes + 63) / 64), block_count_((words_.size() + kBlock - 1) / kBlock) {
    words_.resize(block_count_.size() * kBlock);
  }

  static constexpr bool kIsOneWord = false;

  bool empty() const { return count_ == 0; }
  template <class Bits>
  std::uint32_t count() const {
    return count_;
  }
  std::uint32_t count_below(std::uint32_t lane) const {
    std::uint32_t count = 0;
    const std::uint32_t block = lane / (64 * kBlock);
    for (std::uint32_t b = 0; b < block; ++b) count += block_count_[b];
    for (std::uint32_t w = block * kBlock; w < lane / 64; ++w)
      count += PortableBits::count(words_[w]);
    const std::uint64_t below = (std::uint64_t{1} << (lane % 64)) - 1;
    return lane % 64 == 0 ? count : count + PortableBits::count(words_[lane / 64] & below);
  }
  // The lane must not be in the set.
  void insert(std::uint32_t lane) { flip(lane, 1); }
  // The lane must be in the set.
  void erase(std::uint32_t lane) { flip(lane, ~std::uint32_t{0}); }
  void clear() { *this = ManyWordSet(words_.size() * 64); }

  template <class Bits>
  std::uint32_t take(std::uint32_t j) {
    std::size_t block = 0;
    for (; j >= block_count_[block]; ++block) j -= block_count_[block];
    std::size_t word = block * kBlock;
    for (std::uint32_t in_word; (in_word = Bits::count(words_[word])) <= j; ++word) j -= in_word;
    const auto lane = static_cast<std::uint32_t>(word * 64) + Bits::select(words_[word], j);
    erase(lane);
    return lane;
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1) {
        visit(static_cast<std::uint32_t>(w * 64) +
              static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
    }
  }

 private:
  static constexpr std::size_t kBlock = 16;  // words

  void flip(std::uint32_t lane, std::uint32_t change) {
    words_[lane / 64] ^= std::uint64_t{1} << (lane % 64);
    block_count_[lane / (64 * kBlock)] += change;
    count_ += change;
  }

  std::vector<std::uint64_t> words_;        // bit w mod 64 of word w / 64: lane w
  std::vector<std::uint32_t> block_count_;  // number of lanes in each block of kBlock words
  std::uint32_t count_ = 0;
};

}  // namespace pnsim
