#include "gpu/page_launches.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

// What page and recording both know of a launch, as a number: equal ones are equal launches.
class Shapes {
 public:
  template <class Launch>
  std::vector<std::size_t> of(const std::vector<Launch>& launches) {
    std::vector<std::size_t> out;
    for (const Launch& launch : launches) {
      const auto shape = std::tuple(kernel_base_name(launch.kernel), launch.grid, launch.block);
      out.push_back(numbers_.emplace(shape, numbers_.size()).first->second);
    }
    return out;
  }

 private:
  std::map<std::tuple<std::string, Extent, Extent>, std::size_t> numbers_;
};

using Matches = std::vector<std::optional<std::size_t>>;  // [row] the index of its launch

// The longest common subsequence of rows and launches.
Matches common_order(const std::vector<std::size_t>& page,
                     const std::vector<std::size_t>& launches) {
  Matches matched(page.size());
  const std::size_t shorter = std::min(page.size(), launches.size());
  std::size_t start = 0;
  for (; start < shorter && page[start] == launches[start]; ++start) matched[start] = start;
  const std::size_t rows = page.size() - start, columns = launches.size() - start;
  // [row][launch] the most matches of rows and launches from these on, behind the common start
  std::vector<std::vector<std::uint32_t>> most(rows + 1, std::vector<std::uint32_t>(columns + 1));
  const auto is_same = [&](std::size_t r, std::size_t l) {
    return page[start + r] == launches[start + l];
  };
  for (std::size_t r = rows; r-- > 0;) {
    for (std::size_t l = columns; l-- > 0;)
      most[r][l] =
          is_same(r, l) ? most[r + 1][l + 1] + 1 : std::max(most[r + 1][l], most[r][l + 1]);
  }
  for (std::size_t r = 0, l = 0; r < rows && l < columns;) {
    if (is_same(r, l)) {
      matched[start + r++] = start + l++;
    } else if (most[r][l + 1] >= most[r + 1][l]) {
      ++l;
    } else {
      ++r;
    }
  }
  return matched;
}

// Rows in another place, as of two streams: each takes the first launch of its shape that is left.
void match_others(const std::vector<std::size_t>& page, const std::vector<std::size_t>& launches,
                  Matches& matched) {
  std::vector<bool> is_taken(launches.size());
  for (const auto& launch : matched) {
    if (launch) is_taken[*launch] = true;
  }
  std::map<std::size_t, std::vector<std::size_t>> left;  // [shape] the last one first
  for (std::size_t l = launches.size(); l-- > 0;) {
    if (!is_taken[l]) left[launches[l]].push_back(l);
  }
  for (std::size_t r = 0; r < page.size(); ++r) {
    std::vector<std::size_t>& of_shape = left[page[r]];
    if (matched[r] || of_shape.empty()) continue;
    matched[r] = of_shape.back();
    of_shape.pop_back();
  }
}

std::string shape_text(const Extent& extent) {
  return "(" + std::to_string(extent[0]) + ", " + std::to_string(extent[1]) + ", " +
         std::to_string(extent[2]) + ")";
}

}  // namespace

std::vector<std::optional<RecordedLaunch>> match_page(const std::vector<PageLaunch>& page,
                                                      const std::vector<RecordedLaunch>& launches,
                                                      const std::string& origin) {
  Shapes shapes;
  const std::vector<std::size_t> rows = shapes.of(page), recorded = shapes.of(launches);
  Matches matches = common_order(rows, recorded);
  match_others(rows, recorded, matches);
  std::vector<std::optional<RecordedLaunch>> matched;
  bool has_some = page.empty();
  for (const std::optional<std::size_t>& launch : matches) {
    matched.push_back(launch ? std::optional(launches[*launch]) : std::nullopt);
    has_some = has_some || launch;
  }
  if (has_some) return matched;
  if (page[0].grid == Extent{0, 0, 0}) {
    fail_input(origin + ": row 1", "the profiler has no counters of " +
                                       kernel_base_name(page[0].kernel) +
                                       ": its launch failed. Run `compute-sanitizer PROGRAM` "
                                       "to see whether it also fails without the profiler");
  }
  fail_input(origin + ": row 1", "found " + kernel_base_name(page[0].kernel) + " with grid " +
                                     shape_text(page[0].grid) + " and block " +
                                     shape_text(page[0].block) +
                                     ", which the timed runs did not launch there, nor any other "
                                     "row: does the program do the same work in each run?");
}

LaunchShare launch_share(double made, double firsts, double laters) {
  if (laters == 0) return {made / firsts, 0};
  return {1, (made - firsts) / laters};
}

std::vector<StoodFor> stood_for(const std::vector<std::optional<RecordedLaunch>>& profiled) {
  struct Rows {
    double firsts = 0, laters = 0;
    double firsts_us = 0;
  };
  std::map<Kind, Rows> rows;
  const auto is_first = [](const RecordedLaunch& launch) { return launch.number == 1; };
  for (const auto& launch : profiled) {
    if (!launch) continue;
    Rows& of_kind = rows[kind_of(*launch)];
    ++(is_first(*launch) ? of_kind.firsts : of_kind.laters);
    if (is_first(*launch)) of_kind.firsts_us += launch->time_us;
  }
  std::vector<StoodFor> out;
  for (const auto& launch : profiled) {
    if (!launch) {
      out.emplace_back();
      continue;
    }
    const auto& [firsts, laters, firsts_us] = rows.at(kind_of(*launch));
    const LaunchShare share = launch_share(static_cast<double>(launch->of_kind), firsts, laters);
    if (!is_first(*launch)) {
      out.push_back({share.later, (launch->of_kind_us - firsts_us) / laters});
    } else {
      out.push_back({share.first, laters == 0 ? launch->of_kind_us / firsts : launch->time_us});
    }
  }
  return out;
}

}  // namespace pnsim::gpu
