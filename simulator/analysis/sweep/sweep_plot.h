// A plot of a sweep: a line over one axis, or a heat map over two.
#pragma once

#include <span>
#include <string>

#include "simulator/analysis/sweep/sweep_table.h"
#include "simulator/base/axis.h"

namespace pnsim {

// Axes with one value do not count. Throws error 2 when more than two axes have several values, and
// for more values than a picture can show.
void check_plot(std::span<const Axis> axes);

// The SVG text. It shows the predicted times, and beside a line the measured ones; or the steps
// where a point has no time. Points that are missing, or did not come to their end, are left out.
// An axis of names is drawn as a heat map of one row. `axes` are those of the table.
std::string sweep_plot(std::span<const Axis> axes, const SweepTable& table);

}  // namespace pnsim
