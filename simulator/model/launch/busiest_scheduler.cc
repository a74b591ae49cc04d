#include "simulator/model/launch/busiest_scheduler.h"

namespace pnsim {

std::optional<std::int64_t> profiled_sms(const Launch& launch) {
  constexpr std::int64_t kMostSms = 1 << 16;
  const auto it = launch.counters.find(kProfiledSms);
  if (it == launch.counters.end() || it->second < 1 || it->second > kMostSms) return std::nullopt;
  return it->second;
}

}  // namespace pnsim
