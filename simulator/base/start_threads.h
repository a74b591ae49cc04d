// Starts threads, and copes with a system that grants fewer than requested.
#pragma once

#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace pnsim {

// Starts up to `count` threads that each run `work`, and returns how many were started. It is fewer
// when the system refuses more (a limit on processes or on address space).
std::size_t start_threads(std::size_t count, const std::function<void()>& work,
                          std::vector<std::jthread>& threads);

}  // namespace pnsim
