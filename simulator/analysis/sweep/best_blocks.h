// Of the rows of a sweep over block sizes: which takes the fewest steps.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace pnsim {

// Of predictions for sizes in rising order, the first that is within kMaxLeftOutError (0.5 %) of
// the least: closer ones are told apart by nothing but the blocks that were left out, and of sizes
// that take as long the smallest ends soonest and leaves most room beside it. An index; values is
// not empty.
std::size_t first_of_the_least(std::span<const double> values);

class BestBlocks {
 public:
  struct Row {
    std::string others;  // the other axes: rows of the same ones are held against each other
    std::int64_t block = 0;
    double steps = 0;
    double us = 0;  // predicted; 0: there is no time
    bool what_if = false;
    bool ended = true;  // every run came to its end: the steps of others say nothing
  };

  // Safe to call from several threads; rows may come in any order.
  void add(const Row& row);

  // A line for each setting of the other axes, at most `most` of them: "n=4096: the fewest steps at
  // block=256 (what-if), of 5 sizes; at most 3 % more at 512", and the time of each where they are
  // few. Of ties it is the smallest size ("but for 0.5 %", first_of_the_least). Sizes whose runs
  // did not come to their end are told last and are never the best. None for a single size.
  std::vector<std::string> lines(std::size_t most = 20) const;
  bool has_what_if() const;

 private:
  // "l1=20" before "l1=100": digits are compared as the numbers that they are.
  struct ByNumbers {
    bool operator()(const std::string& a, const std::string& b) const;
  };
  mutable std::mutex mutex_;
  std::map<std::string, std::map<std::int64_t, Row>, ByNumbers> rows_;  // others -> block -> row
};

}  // namespace pnsim
