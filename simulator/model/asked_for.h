// Which sectors the loads of straight code ask for, as far as their addresses tell.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/model/flow.h"

namespace pnsim {

// An address as it is written: registers, and an offset from them in bytes.
struct LoadAddress {
  std::string registers;  // "R2.64+UR4+"; empty when there is none
  std::int64_t offset = 0;
};

// Of "LDG.E R2, desc[UR4][R2.64+0x10]": what stands in the last brackets.
LoadAddress address_of(const std::string& text);

// Loads in order, and what is written to registers between them.
class AskedFor {
 public:
  // The share of a load's sectors that no load before it has asked for from the same registers, 1
  // where there is none; remembers them. `sectors` and `lanes` of one execution.
  double fresh(const std::string& text, double sectors, double lanes);

  // Addresses from registers that are written to are others from here on.
  void write(const SassInstruction& sass);

 private:
  std::map<std::string, std::vector<std::int64_t>> offsets_;  // [registers]
};

}  // namespace pnsim
