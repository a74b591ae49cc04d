#include "gpu/input_cache.h"

#include <utility>

#include "gpu/catalogue.h"

namespace pnsim::gpu {

std::string reference_key(const Point& point) {
  const Reference& reference = *find_program(point.program).reference;
  std::string key = reference.name;
  for (const char* axis : reference.axes) key += " " + std::to_string(point.at(axis));
  return key + " " + distribution_name(point.input.distribution) + " " +
         std::to_string(point.input.seed);
}

const PreparedInput& InputCache::get(const Point& point) {
  const std::string key = reference_key(point);
  if (!prepared_ || key_ != key) {
    prepared_.reset();  // both at once would take twice the memory
    const Reference& reference = *find_program(point.program).reference;
    Words input = reference.input(point);
    Expected expected = reference.result(point, input);
    prepared_ = PreparedInput{std::move(input), std::move(expected)};
    key_ = key;
  }
  return *prepared_;
}

}  // namespace pnsim::gpu
