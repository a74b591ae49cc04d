// What L2 misses and DRAM transfers of a launch are between the other launches of its program. The
// profiler repeats a launch many times to count all else, and each repetition finds in L2 what the
// one before left there. So these counters come from a raw page of their own, for which the
// profiler repeats the whole program instead (ncu --replay-mode application). Between other kernels
// a launch may also have to fetch its code anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/model/derive/derive.h"

namespace pnsim {

// The columns of the page, which are the metrics to collect.
const std::vector<std::string>& in_place_columns();

// A column of the page that experiment profile adds: other kernels that were launched since the
// kernel's last launch. 0: the launch before it was of the same kernel, whose code is still there.
// Empty: the kernel's first launch, or one that is not known. Its code is taken not to be there.
inline constexpr const char* kOtherKernelsColumn = "pnsim__other_kernels_before";

// The raw page with this column, from the number of each of its launches (nothing: empty). Errors
// are those of with_column().
std::string with_other_kernels(const std::string& text, const std::string& origin,
                               const std::vector<std::optional<std::int64_t>>& others);

// Sets the counters of the launches, and CacheStart::kInPlace. `text` is the raw page, from the
// file `origin`, of the `count` launches of the other page, of which `launches` have a model.
// Returns warnings. A launch whose row is of another launch, without counts, or with an invalid
// cell keeps the counters that it has, with a warning. Without kOtherKernelsColumn, another warning
// says that code is taken to be fetched. Where a launch reads little from DRAM beyond its code, all
// its misses of L2 are read from there, or none. Error 3 for a page with another number of
// launches, of another GPU or without these columns.
std::vector<std::string> add_in_place_page(const std::string& text, const std::string& origin,
                                           std::size_t count,
                                           std::vector<ProfiledLaunch>& launches);

}  // namespace pnsim
