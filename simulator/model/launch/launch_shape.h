// A kernel model's point with blocks of a given size: as recorded, or what it would be.
#pragma once

#include <optional>

#include "simulator/base/json.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// The axis that a what-if changes. Models whose problem lacks it (a square `tile` instead) have it
// where all launches of a point have blocks of one size.
inline constexpr const char* kBlockAxis = "block";

// Threads of the blocks that a what-if re-shapes: the axis "block" of the point, or the one size of
// all its launches. Nothing where there is none.
std::optional<std::int64_t> block_of(const RecordedPoint& point);

// The point with each launch of block_of() threads a block in blocks of `block`; launches of other
// sizes (one block that combines, say) stay as they are. `problem` has the new block, and the new
// grid where that is an axis. Error 3 for a block that does not fit on the device.
RecordedPoint reshape_point(const RecordedPoint& point, std::int64_t block,
                            const DeviceProfile& device);

// Whether the launches of block_of() have as many threads in both, to the last block of each.
bool same_threads(const RecordedPoint& from, const RecordedPoint& to);

struct ShapedPoint {
  const RecordedPoint* recorded =
      nullptr;  // of the model: the point itself, or where it comes from
  std::optional<RecordedPoint> what_if;

  const RecordedPoint& point() const { return what_if ? *what_if : *recorded; }
};

// The point of `model` at `overrides`, which may have "block". A recorded point wins, also one that
// another axis (`tile`) gives this block; else the one with the nearest block (of two, the smaller)
// and all other axes as wanted ("grid", where it is an axis and not in `overrides`, follows the
// block) is re-shaped. Error 4 when there is none, or when recorded points show that the grid does
// not follow the block: then blocks share the work in another way. Errors 2 and 4 as of
// KernelModel::point, error 3 as of reshape_point.
ShapedPoint shaped_point(const KernelModel& model, const Problem& overrides,
                         const DeviceProfile& device);

// {"source": "recorded"}, or {"source": "what-if", "from": the recorded problem}; with the resident
// blocks of the launches.
Json launch_shape_json(const ShapedPoint& shaped);

}  // namespace pnsim
