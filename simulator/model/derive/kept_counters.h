// Counters that a model keeps from a row of the raw page: sums over the launch, by their names in a
// model.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/model/derive/raw_row.h"

namespace pnsim {

// Counters that the page has, and counters that follow from others. A page of `ncu --set full` has
// some counters only as percentages of a unit's maximum over the elapsed cycles.
std::map<std::string, std::int64_t> kept_counters(const RawRow& row);

// Error 3 where two columns contradict each other: more hits than sectors, less on the busiest
// scheduler than on the mean one, fewer instructions than the launch has `warps`, sectors of loads
// without an instruction that loads (`classes` are the launch's); and more bytes than any GPU moves
// in the time of the launch.
void check_counters(const RawRow& row, std::int64_t warps,
                    const std::map<std::string, std::int64_t>& classes);

// Error 3 where the row has more bytes or sectors than any GPU moves in `us` microseconds; none for
// us = 0, a time that is not known.
void check_rates(const RawRow& row, double us);

// The columns that decide a time predicted by the SM net and that this row lacks: without them a
// launch would seem to find all its data in L1 or L2, or to need no cycles of L1. `classes` are the
// launch's: columns of atomics are missing only for a launch that executes atomics.
std::vector<std::string> missing_columns(const RawRow& row,
                                         const std::map<std::string, std::int64_t>& classes);

// The same for columns of the busiest slice of L2: without them atomics on few words seem to be
// spread over all slices, and their time is too short.
std::vector<std::string> missing_slice_columns(const RawRow& row,
                                               const std::map<std::string, std::int64_t>& classes);

}  // namespace pnsim
