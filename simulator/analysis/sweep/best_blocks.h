// Finds the block size with the fewest steps among the rows of a sweep.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace pnsim {

// The index of the first prediction within kMaxLeftOutError (0.5 %) of the smallest one. `values`
// are the predictions for block sizes in ascending order and must not be empty. Smaller differences
// are within the error of skipping steady blocks. Among sizes of equal time the smallest is
// preferred, because it ends soonest and leaves the most room on the SM.
std::size_t first_of_the_least(std::span<const double> values);

class BestBlocks {
 public:
  struct Row {
    std::string others;  // the values of the other axes; rows with equal values are compared
    std::int64_t block = 0;
    double steps = 0;
    double us = 0;  // predicted time in microseconds; 0 when there is none
    bool what_if = false;
    bool ended = true;  // every run ended; otherwise the steps cannot be compared
  };

  // May be called from several threads. Rows may come in any order.
  void add(const Row& row);

  // One line per setting of the other axes, at most `most` lines: "n=4096: block=256 (what-if)
  // takes the fewest steps of 5 sizes; nearly as good: 512 (+2.1 % steps)", which are those that
  // take up to 3 % more, with the time of each size when there are few. Ties go to the smallest
  // size (see first_of_the_least). Sizes whose runs did not end are listed last and are never the
  // best. No line for a single size.
  std::vector<std::string> lines(std::size_t most = 20) const;
  bool has_what_if() const;

 private:
  // Compares digits as numbers: "l1=20" comes before "l1=100".
  struct ByNumbers {
    bool operator()(const std::string& a, const std::string& b) const;
  };
  mutable std::mutex mutex_;
  std::map<std::string, std::map<std::int64_t, Row>, ByNumbers> rows_;  // others -> block -> row
};

}  // namespace pnsim
