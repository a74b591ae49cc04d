// Threads where the system may not grant as many as are wanted.
#pragma once

#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace pnsim {

// Starts up to `count` threads that each do `work`, and returns how many there are: fewer when the
// system grants no more (a limit of processes or of addresses).
std::size_t start_threads(std::size_t count, const std::function<void()>& work,
                          std::vector<std::jthread>& threads);

}  // namespace pnsim
