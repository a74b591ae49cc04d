// Pictures of runs of models/nets/sm.json: their bars are the states that a run counts.
#include "simulator/analysis/pictures/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "simulator/base/error.h"
#include "simulator/model/template/unit_states_of.h"
#include "tests/support/shipped.h"

namespace pnsim {
namespace {

using test::sm_net;

// Two block slots of three warps, five blocks. A segment with loads, then one that waits for them.
ParameterValues two_segments() {
  return {{"R", {2}},        {"Wb", {3}},       {"B", {5}},         {"blocks", {0, 5}},
          {"K", {2}},        {"S", {2}},        {"launch", {40}},   {"issue", {3, 2}},
          {"work", {9, 4}},  {"port", {4, 0}},  {"memory", {6, 0}}, {"latency", {50, 0}},
          {"waits", {0, 2}}, {"next", {1, -1}}, {"slow", {2, 0}},   {"quick_latency", {12, 0}}};
}

// A segment's list has a value for each warp and segment.
ParameterValues for_all_warps(ParameterValues values) {
  for (const char* name :
       {"issue", "work", "port", "memory", "latency", "waits", "next", "slow", "quick_latency"}) {
    const std::vector<std::int64_t> one = values.at(name);
    for (int warp = 1; warp < 6; ++warp) {
      values[name].insert(values[name].end(), one.begin(), one.end());
    }
  }
  return values;
}

RunPicture picture_of(const ParameterValues& values, const PictureWindow& window,
                      std::uint64_t max_steps = kDefaultMaxSteps) {
  return record_picture(instantiate(sm_net(), values), sm_net(), values, {1, 0, 0}, max_steps,
                        window);
}

PictureWindow whole_run() { return {StepWindow{}, 0}; }

// "warp 0 (block 0)" -> steps by state.
std::map<std::string, std::map<std::string, std::uint64_t>> times_of(const RunPicture& picture) {
  std::map<std::string, std::map<std::string, std::uint64_t>> out;
  for (const PictureSpan& span : picture.spans) {
    out[picture.track_name(span.track)][picture.states[span.state].name] += span.to - span.from;
  }
  return out;
}

TEST(RecordUnits, TheBarsAddUpToTheTimesThatTheRunCounts) {
  const ParameterValues values = for_all_warps(two_segments());
  const std::vector<UnitStates> units = unit_states_of(sm_net(), values);
  const RunResult run =
      run_reference(instantiate(sm_net(), values), {1, 0, 0}, kDefaultMaxSteps, nullptr, units);
  const RunPicture picture = picture_of(values, whole_run());
  EXPECT_EQ(picture.end, run.steps);
  std::map<std::string, std::map<std::string, std::uint64_t>> sums;  // by the kind of the track
  for (const auto& [track, times] : times_of(picture)) {
    const std::string kind = track.substr(0, track.find_first_of("0123456789(") - 1);
    std::uint64_t all = 0;
    for (const auto& [state, steps] : times) {
      sums[track.starts_with("warp") || track.starts_with("scheduler") ? kind : track][state] +=
          steps;
      all += steps;
    }
    EXPECT_EQ(all, run.steps) << track;
  }
  const std::vector<std::pair<std::size_t, std::string>> compared = {
      {0, "scheduler"}, {1, "warp"}, {4, "shared memory and L1 port"}, {5, "way to L2 and DRAM"}};
  for (const auto& [unit, kind] : compared) {
    for (std::size_t s = 0; s < units[unit].states.size(); ++s) {
      const std::string state = units[unit].states[s].empty() ? "no warp" : units[unit].states[s];
      EXPECT_EQ(sums[kind][state], run.state_times[unit][s]) << kind << " " << state;
    }
  }
}

TEST(RecordUnits, AUnitIsShownWithTheWarpThatUsesIt) {
  const RunPicture picture = picture_of(for_all_warps(two_segments()), whole_run());
  std::map<std::string, std::map<std::uint32_t, std::uint64_t>> busy;  // [track][warp] steps
  for (const PictureSpan& span : picture.spans) {
    if (span.warp != kNoWarp)
      busy[picture.track_name(span.track)][span.warp] += span.to - span.from;
  }
  // Five blocks of three warps in two slots: a warp's first segment takes 4 and 6 cycles.
  std::uint64_t port = 0, memory = 0;
  for (std::uint32_t warp = 0; warp < 6; ++warp) {
    const std::uint64_t mine = busy["shared memory and L1 port"][warp];
    EXPECT_EQ(mine % 4, 0u);
    EXPECT_EQ(busy["way to L2 and DRAM"][warp], mine / 4 * 6);
    port += mine;
    memory += busy["way to L2 and DRAM"][warp];
    EXPECT_EQ(busy["scheduler " + std::to_string((warp + 1) % 2)][warp], 0u) << "not its own";
    EXPECT_EQ(busy["scheduler " + std::to_string(warp % 2)][warp], mine / 4 * (3 + 2));
  }
  EXPECT_EQ(port, 15u * 4);
  EXPECT_EQ(memory, 15u * 6);
}

TEST(RecordUnits, NamesWarpsByBlockAndUnitsByScheduler) {
  const RunPicture picture = picture_of(for_all_warps(two_segments()), whole_run());
  ASSERT_EQ(picture.groups.size(), 3u);
  EXPECT_THAT(picture.groups[0].tracks, testing::Contains("warp 4 (block 1)"));
  EXPECT_THAT(picture.groups[1].tracks, testing::ElementsAre("scheduler 0", "scheduler 1"));
  EXPECT_THAT(
      picture.groups[2].tracks,
      testing::ElementsAre("special functions (scheduler 0)", "special functions (scheduler 1)",
                           "shared memory and L1 port", "way to L2 and DRAM", "atomics in L2",
                           "tensor cores (scheduler 0)", "tensor cores (scheduler 1)",
                           "address divergence unit", "block dispatcher"));
  EXPECT_EQ(picture.step, "cycle");
}

TEST(RecordUnits, TheDefaultWindowBeginsWithTheFirstWarp) {
  const ParameterValues values = for_all_warps(two_segments());
  const RunPicture whole = picture_of(values, whole_run());
  std::uint64_t first = whole.end;
  for (const PictureSpan& span : whole.spans) {
    const bool is_warp = span.track < whole.groups[0].tracks.size();
    if (is_warp && !whole.states[span.state].is_rest) first = std::min(first, span.from);
  }
  EXPECT_GE(first, 40u) << "after the launch";
  const RunPicture part = picture_of(values, {std::nullopt, 20});
  EXPECT_EQ(part.first, first);
  EXPECT_EQ(part.end, first + 20);
  EXPECT_FALSE(part.outcome);
}

TEST(RecordUnits, AWindowShowsThoseStepsAsTheWholeRunDoes) {
  const ParameterValues values = for_all_warps(two_segments());
  const RunPicture whole = picture_of(values, whole_run());
  const RunPicture part = picture_of(values, {StepWindow{60, 90}, 0});
  EXPECT_EQ(part.first, 60u);
  EXPECT_EQ(part.end, 91u);
  for (const PictureSpan& span : part.spans) {
    const auto same = [&](const PictureSpan& other) {
      return other.track == span.track && other.state == span.state && other.warp == span.warp &&
             other.from <= span.from && span.to <= other.to;
    };
    EXPECT_TRUE(std::any_of(whole.spans.begin(), whole.spans.end(), same))
        << part.track_name(span.track) << " " << part.span_name(span) << " " << span.from;
  }
}

TEST(RunPicture, SaysHowTheRunEnded) {
  const ParameterValues values = for_all_warps(two_segments());
  EXPECT_EQ(cut_off_text(picture_of(values, whole_run())), "");
  const RunPicture cut = picture_of(values, whole_run(), 70);
  EXPECT_EQ(cut.end, 70u);
  EXPECT_EQ(cut_off_text(cut), "The run was cut off here: it reached the limit of --max-steps.");
  RunPicture later = picture_of(values, {StepWindow{0, 50}, 0}, 70);
  EXPECT_EQ(cut_off_text(later), "");
  set_end(later, Outcome::kLimit, true, false);
  EXPECT_THAT(cut_off_text(later), testing::StartsWith("The run was cut off after this window"));
  set_end(later, Outcome::kDead, false, true);
  EXPECT_EQ(cut_off_text(later), "") << "an end when no goal is declared";
  set_end(later, Outcome::kDead, true, true);
  EXPECT_THAT(cut_off_text(later), testing::StartsWith("The run got stuck here"));
}

TEST(RunPicture, SaysThatTheRunEndedBeforeTheWindow) {
  const RunPicture none = picture_of(for_all_warps(two_segments()), {StepWindow{5000, 6000}, 0});
  EXPECT_EQ(none.first, none.end);
  EXPECT_THAT(steps_text(none), testing::EndsWith("cycles, before the window"));
  EXPECT_TRUE(none.spans.empty());
  timeline_svg(none);
  chrome_trace(none);
}

}  // namespace
}  // namespace pnsim
