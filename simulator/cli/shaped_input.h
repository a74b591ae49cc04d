// A kernel model at a point of `pnsim compare` and `pnsim rank`: recorded, or a what-if of another
// block size.
#pragma once

#include "simulator/base/error.h"
#include "simulator/cli/input.h"
#include "simulator/model/launch/launch_shape.h"

namespace pnsim {

// The net of these commands where --net is not given: the one whose times and reasons need no fit.
inline constexpr const char* kComparedNet = "sm";
inline constexpr const char* kComparedNetHelp =
    "net template with times and reasons, by name or file; default: sm, whatever net the model "
    "names";

struct ShapedInput {
  std::unique_ptr<ModelInput> input;
  ShapedPoint shaped;   // may point into `input`
  std::string what_if;  // what the what-if rests on; "" for a recorded point
};

// `options.set` may have a block that was not recorded. Throws the errors of input.h and of
// shaped_point().
ShapedInput load_shaped_input(const InputOptions& options, const FoundInput& found,
                              SharedInputs& shared);

// Error 3 of load_shaped_input() where the block does not fit on the device. Other sizes may.
class UnfitBlock : public Error {
 public:
  explicit UnfitBlock(const Error& error) : Error(error.code(), error.what()) {}
};

// What the shaped point rests on; "" for a recorded one.
std::string what_if_text(const ShapedPoint& shaped);

// Error 2 where two sides do different work, by the axes that both problems have: names the axes
// and the command that sets them. `a` and `b` are the names of the sides.
void refuse_other_work(const std::string& a, const Problem& of_a, const std::string& b,
                       const Problem& of_b);

// Predicts the point with the reasons of its waits. `mode` is "warm" or "cold". Error 2 for a net
// without reasons or without a time. The result points into `input`.
ModelRunReport predict_shaped(const ShapedInput& input, const RecordedPoint& point,
                              PointOptions options, const std::string& mode, SharedInputs& shared);

}  // namespace pnsim
