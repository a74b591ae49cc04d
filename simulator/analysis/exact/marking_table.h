// A compact table of distinct markings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// Numbers distinct markings 0, 1, 2 ... in the order of their first appearance. A marking is stored
// as the bytes of its marked places (gaps between places and token counts as variable-length
// integers), so that a net with many places and few marked ones needs little memory.
class MarkingTable {
 public:
  explicit MarkingTable(std::size_t place_count) : place_count_(place_count) {}

  // The number of the marking. A marking that is not in the table is added.
  std::uint32_t number_of(const Marking& marking);

  Marking marking(std::uint32_t number) const;

  std::size_t size() const { return in_order_.size(); }
  std::size_t bytes() const { return bytes_; }  // estimate of the memory in use

 private:
  std::size_t place_count_;
  std::unordered_map<std::string, std::uint32_t> number_;
  std::vector<const std::string*> in_order_;  // keys of number_, whose addresses are stable
  std::size_t bytes_ = 0;
};

}  // namespace pnsim
