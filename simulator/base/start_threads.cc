#include "simulator/base/start_threads.h"

#include <system_error>

namespace pnsim {

std::size_t start_threads(std::size_t count, const std::function<void()>& work,
                          std::vector<std::jthread>& threads) {
  threads.reserve(threads.size() + count);
  for (std::size_t t = 0; t < count; ++t) {
    try {
      threads.emplace_back(work);
    } catch (const std::system_error&) {
      return t;
    }
  }
  return count;
}

}  // namespace pnsim
