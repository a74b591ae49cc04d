// The input of a point and its expected result, made once for points that share them.
#pragma once

#include <optional>
#include <string>

#include "gpu/reference.h"

namespace pnsim::gpu {

struct PreparedInput {
  Words input;
  Expected expected;
};

// Caches the most recent input. Points share it when they differ only in properties that the
// reference does not depend on (the program, the block).
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
