// The input of a point and what must come out of it, made once for points that share them.
#pragma once

#include <optional>
#include <string>

#include "gpu/reference.h"

namespace pnsim::gpu {

struct PreparedInput {
  Words input;
  Expected expected;
};

// Keeps the input used last: points that differ only in what the reference does not depend on
// (the program, the block) share it.
class InputCache {
 public:
  const PreparedInput& get(const Point& point);

 private:
  std::string key_;
  std::optional<PreparedInput> prepared_;
};

// Equal for points that share input and result: the reference with its axes and the input.
std::string reference_key(const Point& point);

}  // namespace pnsim::gpu
