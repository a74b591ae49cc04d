#include "simulator/engine/draws.h"

#include <Random123/philox.h>

namespace pnsim {
namespace {

std::array<std::uint32_t, 4> philox(RunKey key, std::array<std::uint32_t, 4> counter) {
  const r123::Philox4x32::ctr_type c{{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::key_type k{{key[0], key[1]}};
  const r123::Philox4x32::ctr_type words = r123::Philox4x32{}(c, k);
  return {words[0], words[1], words[2], words[3]};
}

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

}  // namespace

RunKey run_key(RunId id) {
  const auto words = philox({low(id.seed), high(id.seed)}, {id.replica, id.stream, 0, 0});
  return {words[0], words[1]};
}

std::array<std::uint32_t, 4> draw_block(RunKey key, PlaceId place, std::uint64_t step,
                                        std::uint32_t block) {
  return philox(key, {place.value, low(step), high(step), block});
}

}  // namespace pnsim
