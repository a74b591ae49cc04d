// A kernel model's point for a given block size: a recorded point, or one re-shaped for a what-if.
#pragma once

#include <optional>

#include "simulator/base/json.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// The axis that a what-if changes. A model without it (with a square `tile`, say) also has a block
// where all launches of a point have blocks of one size.
inline constexpr const char* kBlockAxis = "block";

// Threads of the blocks that a what-if re-shapes: the value of the axis "block", or the common size
// of all launches. Nothing where neither exists.
std::optional<std::int64_t> block_of(const RecordedPoint& point);

// Axes that change how the work of a program is launched, but not the work: block, blocks, grid,
// tile, group.
bool is_configuration_axis(const std::string& axis);

// The axes of the problem that determine the work: all but the configuration.
Problem work_of(const Problem& problem);

// What a what-if of another block rests on, best first. What a launch does not hold cannot be
// known.
enum class WhatIfBasis : std::uint8_t {
  kLine,           // one-dimensional blocks whose threads do the same work at every block size
  kInferredLoops,  // besides, loops whose sums are those of block_work.h
  kTile,           // square tiles: other rows mean other sectors and other reuse
  kData,           // data determine the trip counts of some warps
};
WhatIfBasis what_if_basis(const RecordedPoint& from);
const char* basis_text(WhatIfBasis basis);  // "threads in a line", "square tiles" ...
inline bool is_sure(WhatIfBasis basis) { return basis <= WhatIfBasis::kInferredLoops; }

// The edge of square blocks: the value of an axis whose square is block_of().
std::optional<std::int64_t> tile_edge(const RecordedPoint& point);

// The point with blocks of `block` threads in each launch that had blocks of block_of() threads.
// Launches with other blocks (a final one of a single block, say) stay as they are. The problem has
// the new block, and the new grid where that is an axis. Square blocks (tile_edge()) become square
// ones of another edge where `block` is a square. Error 3 for a block that does not fit on
// the device.
RecordedPoint reshape_point(const RecordedPoint& point, std::int64_t block,
                            const DeviceProfile& device);

// True where the launches with blocks of block_of() threads have equally many threads in both
// points, up to their last block.
bool same_threads(const RecordedPoint& from, const RecordedPoint& to);

// True where both points execute the same kernels. A kernel that is compiled for one block size has
// another name at each (or a template argument in it).
bool same_kernels(const RecordedPoint& from, const RecordedPoint& to);

struct ShapedPoint {
  const RecordedPoint* recorded = nullptr;  // the point, or the one that was re-shaped
  std::optional<RecordedPoint> what_if;

  const RecordedPoint& point() const { return what_if ? *what_if : *recorded; }
};

// The point of `model` at `overrides`, which may have "block".
// - A recorded point is used first, also one that has this block by another axis (`tile`).
// - Otherwise the recorded point with the nearest block (of two, the smaller) and with equal other
//   axes is re-shaped. "grid" follows the block where it is an axis and not in `overrides`.
// Error 4 when there is no such point. It is also an error when recorded points show that the
// number of threads, or the kernel, depends on the block: it cannot be re-shaped. Errors 2 and 4
// are those of KernelModel::point(), error 3 that of reshape_point().
ShapedPoint shaped_point(const KernelModel& model, const Problem& overrides,
                         const DeviceProfile& device);

// {"source": "recorded"} or {"source": "what-if", "from": the recorded problem}; both with the
// resident blocks of the launches.
Json launch_shape_json(const ShapedPoint& shaped);

}  // namespace pnsim
