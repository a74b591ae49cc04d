// Sums of the accesses of a launch's segments over all of its warps.
#pragma once

#include <algorithm>
#include <vector>

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// `part` over `whole`, clamped to 0 ... 1; 0 where `whole` is 0.
inline double share_of(double part, double whole) {
  return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 0;
}

// `segments` [Launch::segments] has the value of one execution of each segment.
double sum_over_warps(const Launch& launch, const std::vector<double>& segments);

template <class OfSegment>
double sum_over(const Launch& launch, OfSegment&& of_segment) {
  std::vector<double> segments;
  for (const Segment& segment : launch.segments) segments.push_back(of_segment(segment));
  return sum_over_warps(launch, segments);
}

// Does the launch load from global memory, or store there? Atomics without a result are stores.
bool makes_loads(const Launch& launch);
bool makes_stores(const Launch& launch);

// Bytes that the stores of all warps write; a word that is written twice counts twice.
double stored_bytes(const Launch& launch);

// The same without atomics, which L2 executes itself; and the sectors of these stores.
double plainly_stored_bytes(const Launch& launch);
double plainly_stored_sectors(const Launch& launch);

double local_store_sectors(const Launch& launch);
double l1_tags(const Launch& launch);  // look-ups in L1
double atomic_sectors(const Launch& launch);
// Written into shared memory by asynchronous copies through L1, or by those that bypass it.
double copied_wavefronts(const Launch& launch, bool through_l1);
double shared_wavefronts(const Launch& launch);  // one for each shared access at least

}  // namespace pnsim
