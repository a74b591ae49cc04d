// Which table of the source page belongs to which launch of the raw page.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace pnsim {

// How well a table fits a launch: in all its sums, with differences that are tolerated, or not.
enum class Fit { kNone, kTolerated, kExact };

struct TableMatch {
  std::vector<std::size_t> table;  // [launch]; kNoTable where none fits
  std::size_t unused = 0;          // tables that belong to no launch, copies counted
};
inline constexpr std::size_t kNoTable = static_cast<std::size_t>(-1);

// Both pages have the launches in the same order, but the source page has one table for some
// launches, two equal ones in a row for others, and none for some. Equal tables in a row are one
// entry of `copies`, which may also be those of equal launches in a row. Of all assignments in
// order the result gives tables to the most launches, then has the fewest tolerated differences,
// then the fewest tables that are unused or printed more than twice. Error 5 for pages so long that
// it would take too much memory.
TableMatch match_tables(std::size_t launches, const std::vector<std::size_t>& copies,
                        const std::function<Fit(std::size_t launch, std::size_t table)>& fit);

}  // namespace pnsim
