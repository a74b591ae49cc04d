// Markings kept compactly, each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// Numbers distinct markings 0, 1, 2 ... in the order they come. A marking is kept as the bytes of
// its marked places (place gaps and tokens as variable-length integers): a net of many places, few
// of them marked, costs little.
class MarkingTable {
 public:
  explicit MarkingTable(std::size_t place_count) : place_count_(place_count) {}

  // The marking's number, a new one if it was not there.
  std::uint32_t number_of(const Marking& marking);

  Marking marking(std::uint32_t number) const;

  std::size_t size() const { return in_order_.size(); }
  std::size_t bytes() const { return bytes_; }  // of memory, about

 private:
  std::size_t place_count_;
  std::unordered_map<std::string, std::uint32_t> number_;
  std::vector<const std::string*> in_order_;  // keys of number_, whose addresses are stable
  std::size_t bytes_ = 0;
};

}  // namespace pnsim
