// Starts threads, and copes with a system that grants fewer than requested.
#pragma once

#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace pnsim {

// A thread that is joined on scope exit. Without threads (WebAssembly), no object of it exists.
#if defined(__cpp_lib_jthread)
using Thread = std::jthread;
#else
class Thread {};
#endif

// Starts up to `count` threads that each run `work`, and returns how many were started. It is fewer
// when the system refuses more (a limit on processes or on address space), and 0 without threads.
std::size_t start_threads(std::size_t count, const std::function<void()>& work,
                          std::vector<Thread>& threads);

}  // namespace pnsim
