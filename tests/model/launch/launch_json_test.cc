// Launches with programs of segments, read strictly.
#include "simulator/model/launch/launch_json.h"

#include <gtest/gtest.h>

#include "simulator/model/paper/waves.h"
#include "tests/model/launch/model_json.h"

namespace pnsim {
namespace {

using test::expect_faults;
using test::read_text;

const std::string kLaunch = R"({
  "kernel": "down", "grid": 3, "block": 40, "resident_blocks": 2,
  "segments": [
    {"end": "load", "classes": {"int": 3, "global_load": 2}, "dependence_distances": [1, 0, 2],
     "critical_path": 2,
     "accesses": [{"class": "global_load", "count": 2, "bytes": 4, "sectors": 8.5,
                   "tag_lookups": 2}]},
    {"waits_for": ["shared", "global"], "end": "exit", "classes": {"control": 1, "shared_store": 1},
     "active_lanes": 30.5, "accesses": [{"class": "shared_store", "count": 1, "wavefronts": 4}]}],
  "warps": [{"count": 4, "program": [0, {"repeat": 7, "body": [0, 1]}, {"arithmetic": 2}]},
            {"count": 2, "program": [1]}],
  "blocks": [{"count": 2, "warps": [[0, 1], [1, 1]]}, {"count": 1, "warps": [[0, 2]]}],
  "counters": {"l2_hit_sectors": 12}, "unknown_opcodes": {"FOO.BAR": 1}})";

std::string replaced_once(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

Launch launch_of(const std::string& text) { return read_text(text, read_launch); }

TEST(LaunchJson, HasSegmentsByNumber) {
  const Launch launch = launch_of(kLaunch);
  EXPECT_EQ(total_counts(launch.warp_kinds[0].program, "t"),
            (InstructionCounts{3 + 7 * (3 + 1) + 2, 7, 2 + 7 * 2}));
  EXPECT_EQ(launch.segments[1].waits_for,
            (std::vector<LateResult>{LateResult::kShared, LateResult::kGlobal}));
  EXPECT_EQ(launch.segments[0].accesses[0].sectors, 8.5);
  EXPECT_EQ(launch.segments[0].accesses[0].lanes, 32);
  EXPECT_EQ(launch.counters.at("l2_hit_sectors"), 12);
  EXPECT_EQ(launch_json(launch_of(launch_json(launch).dump())).dump(), launch_json(launch).dump());
}

TEST(LaunchJson, MayHaveTemplateArguments) {
  Launch launch = launch_of(kLaunch);
  EXPECT_EQ(launch.template_arguments, "");
  EXPECT_FALSE(launch_json(launch).contains("template_arguments"));
  launch.template_arguments = "<int, a::b<4>>";
  EXPECT_EQ(launch_of(launch_json(launch).dump()).template_arguments, launch.template_arguments);
}

TEST(LaunchJson, ATextureFetchSaysWhatItReads) {
  std::string text = kLaunch;
  for (const char* from : {"\"global_load\": 2", "\"class\": \"global_load\""}) {
    const std::size_t at = text.find("global_load", text.find(from));
    text.replace(at, std::string("global_load").size(), "texture");
  }
  const auto with = [&](const std::string& texture) {
    return replaced_once(text, "\"bytes\": 4,", "\"bytes\": 4, \"texture\": " + texture + ",");
  };
  EXPECT_EQ(launch_of(text).segments[0].accesses[0].texture, TextureKind::kMemory);
  const Launch launch = launch_of(with(R"("3d")"));
  EXPECT_EQ(launch.segments[0].accesses[0].texture, TextureKind::k3d);
  EXPECT_EQ(launch_of(launch_json(launch).dump()).segments[0].accesses[0].texture,
            TextureKind::k3d);
}

TEST(LaunchJson, WavesOfANetWithoutBlocksHaveTheSumsDealtOutAsForAnyProfile) {
  const LaunchWaves waves = launch_waves(launch_of(kLaunch), 1);
  std::vector<std::int64_t> arithmetic;
  for (const InstructionCounts& warp : waves.full.warps) arithmetic.push_back(warp.arithmetic);
  // 4 * 33 + 2 = 6 * 22 + 2 instructions; warps 0, 2, 3, 5 of 6.
  EXPECT_EQ(arithmetic, (std::vector<std::int64_t>{23, 22, 22, 22}));
}

TEST(LaunchJsonFaults, NameThePlaceInASegment) {
  expect_faults(
      kLaunch,
      {{"/segments/0/end", R"("stop")",
        "/segments/0/end: found \"stop\", expected load, barrier, exit or edge"},
       {"/segments/0/end", "", "/segments/0: the key \"end\" is missing"},
       {"/segments/0/classes/globl_load", "1",
        "/segments/0/classes/globl_load: unknown class \"globl_load\"; did you mean "
        "\"global_load\"?"},
       {"/segments/0/classes/int", "0",
        "/segments/0/classes/int: found 0, expected an integer from 1 to 4611686018427387904"},
       {"/segments/0/classes/int", "4611686018427387904",
        "/segments/0/classes/int: the instruction counts add up to over 2^62"},
       {"/segments/0/dependence_distances", "[1, 2]",
        "/segments/0/dependence_distances: found an array, expected 3 counts"},
       {"/segments/0/dependence_distances/0", "6",
        "/segments/0/dependence_distances/0: found 6, expected an integer from 0 to 5"},
       {"/segments/0/critical_path", "6",
        "/segments/0/critical_path: found 6, expected an integer from 0 to 5"},
       {"/segments/0/accesses/0/class", R"("int")",
        "/segments/0/accesses/0/class: found \"int\", expected a class of accesses to memory"},
       {"/segments/0/accesses/0/class", R"("global_atomic")",
        "/segments/0/accesses/0: it is of global_atomic, of which \"classes\" counts no "
        "instruction"},
       {"/segments/0/accesses/0/texture", R"("2d")",
        "/segments/0/accesses/0/texture: found in class \"global_load\", expected only in class "
        "texture"},
       {"/segments/0/accesses/0/count", "3",
        "/segments/0/accesses/0/count: found 3, expected an integer from 1 to 2"},
       {"/segments/1/active_lanes", "33",
        "/segments/1/active_lanes: found 33, expected a number from 0 to 32"},
       {"/segments/1/waits_for/0", R"("globl")",
        "/segments/1/waits_for/0: unknown kind of result \"globl\"; did you mean \"global\"?"},
       {"/segments/1/activ_lanes", "1",
        "/segments/1: unknown key \"activ_lanes\"; did you mean \"active_lanes\"?"}},
      read_launch);
}

TEST(LaunchJsonFaults, NameThePlaceInProgramsAndBlocks) {
  expect_faults(
      kLaunch,
      {{"/warps/0/program/0", "2", "/warps/0/program/0: found 2, expected an integer from 0 to 1"},
       {"/warps/0/program/0", "-1",
        "/warps/0/program/0: found -1, expected an integer from 0 to 1"},
       {"/warps/0/program/1/body", "[]",
        "/warps/0/program/1/body: found an array, expected at least one item"},
       {"/warps/0/program/2/arithmetic", "4000000000000000000",
        "/warps/0: the instruction counts add up to over 2^62"},
       {"/blocks/0/count", "1", "/blocks: found 2 blocks, expected the 3 of the grid"},
       {"/blocks/1/count", "3", "/blocks: found 5 or more blocks, expected the 3 of the grid"},
       {"/blocks/1/warps/0/1", "1", "/blocks/1/warps: found 1 warps, expected the 2 of a block"},
       {"/blocks/1/warps/0/0", "2",
        "/blocks/1/warps/0/0: found 2, expected an integer from 0 to 1"},
       {"/blocks/1/warps/0", "[0]",
        "/blocks/1/warps/0: found an array, expected a pair: [kind, warps]"},
       {"/blocks/1/warps/0/0", "1", "/blocks: found 2 warps of kind 0, expected its count, 4"}},
      read_launch);
}

}  // namespace
}  // namespace pnsim
