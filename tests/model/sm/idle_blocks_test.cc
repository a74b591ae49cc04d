// Blocks that end at once, in the net.
#include <gtest/gtest.h>

#include "simulator/engine/run.h"
#include "simulator/model/sm/sm_parameters.h"
#include "simulator/model/template/instantiate.h"
#include "tests/support/launches_of_tests.h"
#include "tests/support/shipped.h"

namespace pnsim {
namespace {

// 132 blocks work, and 264 end at once, before or behind them.
TEST(IdleBlocks, TakeNoTimeFromThoseThatWork) {
  Launch launch = uneven_launch();
  launch.grid = 396;
  launch.block = 32;
  const WarpKind works{132, {loop(500, {item(0)})}}, ends{264, {item(1)}};
  const auto steps = [&](bool ends_first) {
    launch.segments[1].end = SegmentEnd::kExit;
    launch.warp_kinds = ends_first ? std::vector{ends, works} : std::vector{works, ends};
    launch.block_kinds.clear();
    return static_cast<double>(
        run_reference(instantiate(test::sm_net(), sm_parameters(launch, test::h200())), {},
                      1'000'000)
            .steps);
  };
  const double last = steps(false);
  EXPECT_GT(last, 500 * 10) << "instructions of a warp that works";
  EXPECT_NEAR(steps(true), last, 0.3 * last) << "the blocks before take their places in turn";
}

}  // namespace
}  // namespace pnsim
