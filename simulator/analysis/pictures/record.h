// Runs a net up to the end of a window and records a picture of it.
#pragma once

#include "simulator/analysis/pictures/run_picture.h"
#include "simulator/model/template/unit_tracks.h"
#include "simulator/model/template/warp_states.h"

namespace pnsim {

// From the states of warps that a template names. In the net schedulers are anonymous tokens of one
// place, so the picture numbers them: warps are processed in order, those that return a scheduler
// first, and each warp that acquires one gets the lowest free number. A default window starts with
// step 0. Throws error 5 when a given window has more than kMaxPictureSpans spans.
RunPicture record_warps(const Net& net, const WarpStates& states, RunId id, std::uint64_t max_steps,
                        const PictureWindow& window);

// From the states of units that a template gives as its "reasons". A unit other than a warp is
// shown with the warp whose transition took the unit last.
RunPicture record_units(const Net& net, const TemplateTracks& tracks, RunId id,
                        std::uint64_t max_steps, const PictureWindow& window);

// The one of the two that the template supports; reasons come first. `net` must have been built
// from the template and the values. Throws error 3 when the template supports neither.
RunPicture record_picture(const Net& net, const NetTemplate& net_template,
                          const ParameterValues& values, RunId id, std::uint64_t max_steps,
                          const PictureWindow& window);

}  // namespace pnsim
