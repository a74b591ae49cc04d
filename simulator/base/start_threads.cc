#include "simulator/base/start_threads.h"

#include <system_error>

namespace pnsim {

#if defined(__cpp_lib_jthread)

std::size_t start_threads(std::size_t count, const std::function<void()>& work,
                          std::vector<Thread>& threads) {
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

#else

std::size_t start_threads(std::size_t, const std::function<void()>&, std::vector<Thread>&) {
  return 0;
}

#endif

}  // namespace pnsim
