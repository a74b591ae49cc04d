// Requests to the slices of L2 in launches of a microbenchmark, counted by the profiler.
#pragma once

#include <string>
#include <vector>

namespace pnsim::gpu {

struct SliceRequests {
  std::string kernel;     // as the profiler prints it, with template arguments
  double ns = 0;          // of the launch
  double of_busiest = 0;  // requests to the slice with the most
};

// Runs `experiment microbench bench` in a process of its own under Nsight Compute, and returns its
// launches of the kernel of this name. Where the profiler is missing or may not count, there are
// none, and `why` says so.
std::vector<SliceRequests> slice_requests(const std::string& bench, const std::string& kernel,
                                          std::string* why);

// The same from a raw page in base units (ns). Error 3 for a page that lacks a column or a number.
std::vector<SliceRequests> requests_on_page(const std::string& csv, const std::string& origin);

}  // namespace pnsim::gpu
