#include "simulator/model/launch/launch_shape.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "simulator/base/error.h"
#include "simulator/model/launch/block_work.h"
#include "simulator/model/launch/imbalance.h"
#include "simulator/model/launch/reshape.h"
#include "simulator/model/launch/square_tiles.h"

namespace pnsim {
namespace {

constexpr const char* kGridAxis = "grid";

const RecordedPoint* find_point(const KernelModel& model, const Problem& problem) {
  const auto it = std::find_if(model.points.begin(), model.points.end(),
                               [&](const RecordedPoint& p) { return p.problem == problem; });
  return it == model.points.end() ? nullptr : &*it;
}

// All axes but the block, and the grid where it follows the block.
Problem other_axes(Problem problem, bool grid_follows) {
  problem.erase(kBlockAxis);
  if (grid_follows) problem.erase(kGridAxis);
  return problem;
}

double distance(std::int64_t a, std::int64_t b) {
  return std::abs(std::log2(static_cast<double>(a) / static_cast<double>(b)));
}

// Recorded points that differ from `wanted` only in the shape of their launches.
std::vector<const RecordedPoint*> candidates(const KernelModel& model, const Problem& wanted,
                                             bool grid_follows) {
  const Problem others = other_axes(wanted, grid_follows);
  std::vector<const RecordedPoint*> out;
  for (const RecordedPoint& point : model.points) {
    if (block_of(point) && other_axes(point.problem, grid_follows) == others) out.push_back(&point);
  }
  return out;
}

// "; recorded blocks: block=[32,64]", which can be predicted.
std::string recorded_blocks_text(const std::vector<const RecordedPoint*>& points) {
  std::set<std::int64_t> blocks;
  for (const RecordedPoint* point : points) blocks.insert(*block_of(*point));
  std::string text;
  for (const std::int64_t block : blocks) text += (text.empty() ? "" : ",") + std::to_string(block);
  return "; recorded, and so predicted, are block=[" + text +
         "]; profile the program at another size for more";
}

// If recorded points with different blocks have different numbers of threads, the work per thread
// depends on the block, and no other block can be inferred.
void check_threads(const KernelModel& model, const std::vector<const RecordedPoint*>& points) {
  for (const RecordedPoint* point : points) {
    if (same_threads(*points.front(), *point)) continue;
    fail_unavailable("model " + model.name + ": the points " +
                     problem_text(points.front()->problem) + " and " +
                     problem_text(point->problem) +
                     " have different numbers of threads: the work of a warp depends on the block, "
                     "and a block that was not recorded cannot be inferred from them" +
                     recorded_blocks_text(points));
  }
}

// If recorded points of the same work in other tiles execute other kernels, a kernel is compiled
// for its block.
void check_kernels(const KernelModel& model, const RecordedPoint& from) {
  for (const RecordedPoint& point : model.points) {
    if (!tile_edge(point) || work_of(point.problem) != work_of(from.problem)) continue;
    if (same_kernels(from, point)) continue;
    fail_unavailable("model " + model.name + ": the points " + problem_text(from.problem) +
                     " and " + problem_text(point.problem) +
                     " execute different kernels: a kernel is compiled for its block, and one "
                     "that was not profiled cannot be inferred; profile the program at that size");
  }
}

const RecordedPoint* nearest(const std::vector<const RecordedPoint*>& points, std::int64_t block) {
  const auto closer = [&](const RecordedPoint* a, const RecordedPoint* b) {
    const std::int64_t of_a = *block_of(*a), of_b = *block_of(*b);
    const double to_a = distance(of_a, block), to_b = distance(of_b, block);
    return to_a < to_b || (to_a == to_b && of_a < of_b);
  };
  return points.empty() ? nullptr : *std::min_element(points.begin(), points.end(), closer);
}

// For models in which another axis sets the block (a square `tile`): the recorded point with this
// block and as many threads that differs from `from` in one axis only, which is not in `overrides`.
const RecordedPoint* by_another_name(const KernelModel& model, const RecordedPoint& from,
                                     const Problem& overrides) {
  if (model.problem.contains(kBlockAxis)) return nullptr;
  for (const RecordedPoint& point : model.points) {
    std::size_t others = 0;
    bool asked = false;
    for (const auto& [axis, value] : point.problem) {
      if (from.problem.at(axis) == value) continue;
      ++others;
      asked = asked || overrides.contains(axis);
    }
    if (others == 1 && !asked && block_of(point) == overrides.at(kBlockAxis) &&
        same_threads(from, point)) {
      return &point;
    }
  }
  return nullptr;
}

[[noreturn]] void fail_not_recorded(const KernelModel& model, Problem overrides) {
  if (!model.problem.contains(kBlockAxis)) {
    overrides.erase(kBlockAxis);
    model.point(overrides);
    fail_unavailable("model " + model.name + ": the launches of a point have blocks of different " +
                     "sizes, and no axis says which of them is meant");
  }
  model.point(overrides);  // its error lists the recorded points
  fail_unavailable("model " + model.name + " has no point to re-shape");
}

// Launches that keep their block may work on results of the re-shaped ones, one of each block.
void follow_grids(const RecordedPoint& from, std::int64_t block, RecordedPoint& to) {
  for (std::size_t kept = 0; kept < from.launches.size(); ++kept) {
    if (from.launches[kept].block == block) continue;
    for (std::size_t i = 0; i < from.launches.size(); ++i) {
      if (from.launches[i].block != block) continue;
      if (follow_grid(from.launches[i].grid, to.launches[i].grid, to.launches[kept])) break;
    }
  }
}

}  // namespace

std::optional<std::int64_t> block_of(const RecordedPoint& point) {
  const auto axis = point.problem.find(kBlockAxis);
  if (axis != point.problem.end()) {
    if (axis->second < 1) return std::nullopt;
    return axis->second;
  }
  const std::int64_t block = point.launches.front().block;
  const bool all = std::all_of(point.launches.begin(), point.launches.end(),
                               [&](const Launch& launch) { return launch.block == block; });
  return all ? std::optional(block) : std::nullopt;
}

bool same_kernels(const RecordedPoint& from, const RecordedPoint& to) {
  return std::equal(from.launches.begin(), from.launches.end(), to.launches.begin(),
                    to.launches.end(),
                    [](const Launch& a, const Launch& b) { return a.kernel == b.kernel; });
}

bool same_threads(const RecordedPoint& from, const RecordedPoint& to) {
  if (from.launches.size() != to.launches.size()) return false;
  const std::int64_t block = *block_of(from), other = *block_of(to);
  for (std::size_t i = 0; i < from.launches.size(); ++i) {
    const Launch &a = from.launches[i], &b = to.launches[i];
    if (a.block != block || b.block != other) continue;
    if (std::max(a.grid * block, b.grid * other) - std::min(a.grid * block, b.grid * other) >=
        std::max(block, other)) {
      return false;
    }
  }
  return true;
}

std::optional<std::int64_t> tile_edge(const RecordedPoint& point) {
  const auto block = block_of(point);
  for (const auto& [axis, value] : point.problem) {
    if (axis != kBlockAxis && value > 1 && value * value == block) return value;
  }
  return std::nullopt;
}

bool is_configuration_axis(const std::string& axis) {
  constexpr const char* kAxes[] = {kBlockAxis, "blocks", kGridAxis, "tile", "group"};
  return std::find(std::begin(kAxes), std::end(kAxes), axis) != std::end(kAxes);
}

Problem work_of(const Problem& problem) {
  Problem work = problem;
  std::erase_if(work, [](const auto& axis) { return is_configuration_axis(axis.first); });
  return work;
}

WhatIfBasis what_if_basis(const RecordedPoint& from) {
  // The busiest scheduler executes at least 15 % more than its programs say (imbalance.h).
  constexpr double kUneven = 1.15;
  const auto block = block_of(from);
  WhatIfBasis basis = tile_edge(from) ? WhatIfBasis::kTile : WhatIfBasis::kLine;
  for (const Launch& launch : from.launches) {
    if (launch.segments.empty() || launch.block != block) continue;
    Launch changed = launch;
    const BlockWork work = scale_block_work(launch.grid, launch.block, changed);
    const bool is_inferred = work.by_block || work.by_thread;
    if (is_inferred) basis = std::max(basis, WhatIfBasis::kInferredLoops);
    if (!is_inferred && data_imbalance(launch) >= kUneven) basis = WhatIfBasis::kData;
  }
  return basis;
}

const char* basis_text(WhatIfBasis basis) {
  switch (basis) {
    case WhatIfBasis::kLine:
      return "threads in a line";
    case WhatIfBasis::kInferredLoops:
      return "loops inferred";
    case WhatIfBasis::kTile:
      return "not sure: square tiles";
    case WhatIfBasis::kData:
      return "not sure: data-dependent";
  }
  return "";
}

RecordedPoint reshape_point(const RecordedPoint& point, std::int64_t block,
                            const DeviceProfile& device) {
  const std::optional<std::int64_t> from = block_of(point), edge = tile_edge(point);
  const std::int64_t new_edge = std::llround(std::sqrt(static_cast<double>(block)));
  RecordedPoint out{point.problem, {}};
  for (const Launch& launch : point.launches) {
    out.launches.push_back(launch.block == from ? reshape(launch, block, device) : launch);
    if (edge && new_edge * new_edge == block && launch.block == from) {
      reshape_tiles(*edge, new_edge, out.launches.back());
    }
  }
  follow_grids(point, *from, out);
  out.problem[kBlockAxis] = block;
  if (out.problem.contains(kGridAxis)) out.problem[kGridAxis] = out.launches.front().grid;
  return out;
}

ShapedPoint shaped_point(const KernelModel& model, const Problem& overrides,
                         const DeviceProfile& device) {
  const auto asked = overrides.find(kBlockAxis);
  if (asked == overrides.end()) return {&model.point(overrides), std::nullopt};
  if (asked->second < 1) fail_input("model " + model.name, "a block has at least one thread");
  Problem wanted = model.problem;
  for (const auto& [axis, value] : overrides) wanted[axis] = value;
  if (const RecordedPoint* point = find_point(model, wanted)) return {point, std::nullopt};
  const auto points = candidates(model, wanted, !overrides.contains(kGridAxis));
  const RecordedPoint* from = nearest(points, asked->second);
  if (!from) fail_not_recorded(model, overrides);
  if (block_of(*from) == asked->second) return {from, std::nullopt};
  if (const RecordedPoint* named = by_another_name(model, *from, overrides)) {
    return {named, std::nullopt};
  }
  check_threads(model, points);
  check_kernels(model, *from);
  RecordedPoint shaped = reshape_point(*from, asked->second, device);
  if (const RecordedPoint* point = find_point(model, shaped.problem)) return {point, std::nullopt};
  return {from, std::move(shaped)};
}

Json launch_shape_json(const ShapedPoint& shaped) {
  Json out;
  out["source"] = shaped.what_if ? "what-if" : "recorded";
  if (shaped.what_if) out["from"] = shaped.recorded->problem;
  for (const Launch& launch : shaped.point().launches) {
    out["resident_blocks"].push_back(launch.resident_blocks);
  }
  return out;
}

}  // namespace pnsim
