// What L2 misses and DRAM transfers of a launch are between the other launches of its program. The
// profiler repeats a launch many times to count all else, and each repetition finds in L2 what the
// one before left there. So these counters come from a raw page of their own, for which the
// profiler repeats the whole program instead (ncu --replay-mode application).
#pragma once

#include <string>
#include <vector>

#include "simulator/model/derive/profile_pages.h"

namespace pnsim {

// The columns of the page, which are the metrics to collect.
const std::vector<std::string>& in_place_columns();

// Sets the counters of the launches, and CacheStart::kInPlace. `text` is the raw page of the same
// launches as `pages`, from the file `origin`. A launch whose row is of another kernel or shape
// keeps the counters that it has, with a warning. Error 3 for a page with another number of
// launches, of another GPU or without these columns.
void add_in_place_page(const std::string& text, const std::string& origin, ProfilePages& pages);

}  // namespace pnsim
