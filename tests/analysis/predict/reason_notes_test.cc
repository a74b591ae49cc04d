// The words beside the breakdown of --reasons.
#include "simulator/analysis/predict/reason_notes.h"

#include <gmock/gmock.h>

#include "tests/support/shipped.h"

namespace pnsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Launch launch_of(std::int64_t grid, std::int64_t block, std::int64_t resident) {
  Launch launch;
  launch.kernel = "k";
  launch.grid = grid;
  launch.block = block;
  launch.resident_blocks = resident;
  return launch;
}

std::vector<std::string> notes(const Launch& launch, double launching, double dispatch,
                               double empty) {
  return notes_on_idle({{&launch, &test::h200(), 1, launching, dispatch, empty}});
}

TEST(ReasonNotes, EveryStateOfTheSmNetHasAMeaning) {
  const ReasonsSpec& spec = test::sm_net().reasons;
  for (const UnitSpec& unit : {*spec.schedulers, spec.warps}) {
    for (const StateSpec& state : unit.states) {
      // These are shown as the levels that serve the loads, or as the states of the warps.
      const bool is_divided = state.detail == "latency" || state.detail == "bandwidth";
      if (is_divided || state.name == spec.shared_out) continue;
      EXPECT_NE(meaning_of_state(state.name), "") << state.name;
    }
  }
  EXPECT_NE(meaning_of_state(spec.schedulers->rest), "");
  for (const char* part :
       {"pipes", "L1 latency", "L2 latency", "DRAM latency", "L2 bandwidth", "DRAM bandwidth"}) {
    EXPECT_NE(meaning_of_state(part), "") << part;
  }
  EXPECT_EQ(meaning_of_state("a state of another net"), "");
}

TEST(ReasonNotes, ABusySmHasNone) {
  EXPECT_THAT(notes(launch_of(1320, 256, 8), 0.05, 0.05, 0.05), IsEmpty());
  EXPECT_THAT(notes_on_idle({}), IsEmpty());
}

// Two warps on four schedulers: the same threads in larger blocks would leave SMs without a block.
TEST(ReasonNotes, SchedulersWithoutAWarpWantALargerBlock) {
  EXPECT_THAT(
      notes(launch_of(132, 64, 8), 0, 0, 0.5),
      ElementsAre("k: an SM runs 1 block of 2 warps at a time, so 2 of its 4 schedulers have "
                  "no warp. A block of 128 threads would give each of them one if the grid "
                  "keeps its 132 blocks. With as many threads in all, the grid shrinks to "
                  "66 blocks for 132 SMs, which does not help."));
  EXPECT_THAT(notes(launch_of(264, 32, 8), 0, 0, 0.5),
              ElementsAre(HasSubstr("A block of 64 threads would give each of them one if the grid "
                                    "keeps its 264 blocks. With as many threads in all, the grid "
                                    "shrinks to 132 blocks for 132 SMs")));
  // One block at a time, of many that wait.
  EXPECT_THAT(
      notes(launch_of(1320, 64, 1), 0, 0, 0.5),
      ElementsAre(testing::EndsWith("A block of 128 threads would give each of them one.")));
}

TEST(ReasonNotes, SchedulersThatRunOutOfWarpsAndSmsWithoutBlocksAreNamed) {
  EXPECT_THAT(
      notes(launch_of(264, 256, 8), 0, 0, 0.2),
      ElementsAre(HasSubstr("k: in 20.0 % of the cycles its schedulers have no warp left")));
  EXPECT_THAT(
      notes(launch_of(2, 1024, 1), 0, 0, 0),
      ElementsAre("k has 2 blocks for 132 SMs: 130 SMs have nothing to do in its 100.0 % of "
                  "the cycles."));
  EXPECT_THAT(
      notes(launch_of(1320, 256, 8), 0.3, 0.2, 0),
      ElementsAre(HasSubstr("Before the first block starts, 30.0 % of the cycles pass. This launch "
                            "overhead is part of the predicted time; "),
                  HasSubstr("next block to start in 20.0 % of the cycles")));
}

TEST(MeaningOfState, ShortScoreboardResultsIncludeShuffles) {
  EXPECT_THAT(meaning_of_state("shared"), HasSubstr("shuffles"));
}

}  // namespace
}  // namespace pnsim
