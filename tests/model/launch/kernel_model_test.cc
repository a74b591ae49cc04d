#include "simulator/model/launch/kernel_model.h"

#include <gtest/gtest.h>

#include "tests/model/launch/model_json.h"

namespace pnsim {
namespace {

using test::error_of;
using test::expect_faults;
using test::input_error_of;

const char* const kModel = R"({
  "$schema": "schema/kernel_model.schema.json",
  "kind": "kernel-model", "version": 2, "name": "scan", "description": "of the tests",
  "net": "wpnm", "device": "h200", "parameters": {"l1": 30},
  "problem": {"n": 4096, "block": 256},
  "provenance": {"from": "raw.csv", "command": "pnsim derive"},
  "points": [
    {"problem": {"n": 4096, "block": 256}, "launches": [
      {"kernel": "up", "repeat": 3, "grid": 2, "block": 40, "registers": 16, "shared_bytes": 1024,
       "resident_blocks": 8,
       "warps": [{"count": 3, "program": [
                    {"arithmetic": 10, "global": 2},
                    {"repeat": 4, "body": [{"shared": 5},
                                           {"repeat": 2, "body": [{"arithmetic": 1}]}]}]},
                 {"count": 1, "program": []}],
       "classes": {"global_load": 6}},
      {"kernel": "down", "grid": 1, "block": 32, "resident_blocks": 1,
       "warps": [{"count": 1, "program": [{}]}]}]},
    {"problem": {"n": 65536, "block": 128}, "launches": [
      {"kernel": "up", "grid": 1, "block": 128, "resident_blocks": 1,
       "warps": [{"count": 4, "program": []}]}]}]
})";

KernelModel model() { return test::read_text(kModel, read_kernel_model); }

TEST(KernelModel, ReadsEverything) {
  const KernelModel m = model();
  EXPECT_EQ(m.name, "scan");
  EXPECT_EQ(m.net, "wpnm");
  EXPECT_EQ(m.device, "h200");
  EXPECT_EQ(m.parameters, (ParameterValues{{"l1", {30}}}));
  EXPECT_EQ(m.axes(), (std::vector<std::string>{"block", "n"}));
  EXPECT_EQ(m.provenance.at("from"), "raw.csv");
  ASSERT_EQ(m.points.size(), 2u);
  ASSERT_EQ(m.points[0].launches.size(), 2u);
  const Launch& up = m.points[0].launches[0];
  EXPECT_EQ(up.kernel, "up");
  EXPECT_EQ(up.repeat, 3);
  EXPECT_EQ(up.grid, 2);
  EXPECT_EQ(up.registers, 16);
  EXPECT_EQ(up.shared_bytes, 1024);
  EXPECT_EQ(up.resident_blocks, 8);
  EXPECT_EQ(up.warps_per_block(), 2);  // 40 threads
  EXPECT_EQ(up.classes, (std::map<std::string, std::int64_t>{{"global_load", 6}}));
  const Launch& down = m.points[0].launches[1];
  EXPECT_EQ(down.repeat, 1);
  EXPECT_EQ(down.registers, 0);
}

TEST(KernelModel, SumsAProgramOverItsLoops) {
  const KernelModel m = model();
  const auto sum = [&](std::size_t kind) {
    return total_counts(m.points[0].launches[0].warp_kinds[kind].program, "t");
  };
  EXPECT_EQ(sum(0), (InstructionCounts{10 + 4 * 2, 4 * 5, 2}));
  EXPECT_EQ(sum(1), (InstructionCounts{}));
}

TEST(KernelModel, ALoopOfNoRepeatsCountsNothing) {
  const std::vector<ProgramItem> program = {
      {.repeat = 0, .counts = {}, .body = {{.repeat = 1, .counts = {7, 7, 7}, .body = {}}}}};
  EXPECT_EQ(total_counts(program, "t"), (InstructionCounts{}));
}

TEST(KernelModel, SumsOver2To62AreRefused) {
  std::vector<ProgramItem> program = {{.repeat = 1, .counts = {0, 0, 1}, .body = {}}};
  for (int depth = 0; depth < 8; ++depth) {
    program = {{.repeat = 1'000'000'000, .counts = {}, .body = program}};
  }
  EXPECT_EQ(input_error_of([&] { total_counts(program, "t"); }),
            "t: the instruction counts add up to over 2^62");
  const std::vector<ProgramItem> twice(2, {.repeat = 1, .counts = {kMaxTokens, 0, 0}, .body = {}});
  EXPECT_EQ(input_error_of([&] { total_counts(twice, "t"); }),
            "t: the instruction counts add up to over 2^62");
  const std::vector<ProgramItem> once(twice.begin(), twice.begin() + 1);
  EXPECT_EQ(total_counts(once, "t").arithmetic, kMaxTokens);
}

TEST(KernelModel, FindsTheRecordedPoint) {
  const KernelModel m = model();
  EXPECT_EQ(&m.point({}), &m.points[0]);
  EXPECT_EQ(&m.point({{"n", 65536}, {"block", 128}}), &m.points[1]);
}

TEST(KernelModel, NamesTheNearestOfAPointThatWasNotRecorded) {
  const KernelModel m = model();
  EXPECT_EQ(error_of(ExitCode::kUnavailable,
                     [&] {
                       m.point({{"n", 8192}});
                     }),
            "model scan: the point block=256 n=8192 was not recorded; the nearest one is block=256 "
            "n=4096 (record more with: experiment counts)");
  EXPECT_NE(error_of(ExitCode::kUnavailable,
                     [&] {
                       m.point({{"n", 32768}, {"block", 128}});
                     })
                .find("the nearest one is block=128 n=65536"),
            std::string::npos);
}

TEST(KernelModel, AnAxisItDoesNotHaveIsAUsageError) {
  const KernelModel m = model();
  EXPECT_EQ(error_of(ExitCode::kUsage,
                     [&] {
                       m.point({{"blok", 64}});
                     }),
            "model scan has no axis \"blok\"; did you mean \"block\"?");
}

TEST(KernelModel, ItsTextReadsAsTheSameModel) {
  const KernelModel m = model();
  const std::string text = kernel_model_text(m);
  const KernelModel again = test::read_text(text, read_kernel_model);
  EXPECT_EQ(kernel_model_text(again), text);
  const InputJson before = InputJson::parse(kModel), after = InputJson::parse(text);
  for (const char* same : {"/name", "/net", "/device", "/parameters", "/problem", "/provenance",
                           "/points/0/launches/0", "/points/1/problem"}) {
    const InputJson::json_pointer at(same);
    EXPECT_EQ(after.at(at), before.at(at)) << same;
  }
}

TEST(KernelModel, ItsTextHasOneLaunchALine) {
  const std::string text = kernel_model_text(model());
  for (const char* start :
       {"\n   {\"kernel\":\"up\",\"repeat\":3,", "\n   {\"kernel\":\"down\","}) {
    EXPECT_NE(text.find(start), std::string::npos) << text;
  }
}

TEST(KernelModel, NamesAProblem) {
  EXPECT_EQ(problem_text({{"n", 4096}, {"block", 256}}), "block=256 n=4096");
  EXPECT_EQ(problem_text({}), "");
}

TEST(KernelModelFaults, NameThePlaceInTheFile) {
  expect_faults(
      kModel,
      {
          {"/kind", "\"net-template\"", "/kind: found \"net-template\", expected \"kernel-model\""},
          {"/version", "0", "/version: found 0, expected an integer from 2 to 2"},
          {"/version", "1",
           "/version: found version 1, expected 2: the keys of segments have changed; make the "
           "model anew with: pnsim derive --ncu RAW.csv --source SOURCE.csv -o DIR"},
          {"/net", "", "(top level): the key \"net\" is missing"},
          {"/device", "1", "/device: found 1, expected a string"},
          {"/point", "[]", "(top level): unknown key \"point\"; did you mean \"points\"?"},
          {"/provenance", "\"typed\"", "/provenance: found \"typed\", expected an object"},
          {"/provenance", R"({"profiled_on": 3})",
           "/provenance/profiled_on: found 3, expected a string"},
          {"/provenance", R"({"profiled_us": -5})",
           "/provenance/profiled_us: found -5, expected a time over 0 us and up to 1e12 us"},
          {"/points", "[]", "/points: a model has at least one recorded point"},
          {"/problem/n", "-1",
           "/problem/n: found -1, expected an integer from 0 to 4611686018427387904"},
          {"/problem/n", "0.5",
           "/problem/n: found 0.5, expected an integer from 0 to 4611686018427387904"},
          {"/problem", "[]", "/problem: found an array, expected an object"},
          {"/parameters/l1", "\"30\"",
           "/parameters/l1: found \"30\", expected an integer from -4611686018427387904 to "
           "4611686018427387904"},
          {"/points/0/launches", "[]", "/points/0/launches: a point has at least one launch"},
          {"/points/0/launch", "[]",
           "/points/0: unknown key \"launch\"; did you mean \"launches\"?"},
          {"/points/0/problem/m", "1",
           "/points/0/problem: found the axes block, m, n; expected those of the model: block, n"},
          {"/points/1/problem/n", "",
           "/points/1/problem: found the axes block; expected those of the model: block, n"},
          {"/points/1/problem/block", "64",
           "/points/1/problem/block: found 64, expected 128, the block of the point's only launch "
           "(/launches/0/block)"},
          {"/points/1/problem", R"({"n": 4096, "block": 256})",
           "/points/1/problem: the point stands twice"},
      },
      read_kernel_model);
}

TEST(KernelModelFaults, NameThePlaceInALaunch) {
  expect_faults(
      kModel,
      {
          {"/points/0/launches/0/grid", "0",
           "/points/0/launches/0/grid: found 0, expected an integer from 1 to 1099511627776"},
          {"/points/0/launches/0/grid", "3",
           "/points/0/launches/0/warps: found 4 warps, expected 6 (grid times warps of a block)"},
          {"/points/0/launches/0/block", "1025",
           "/points/0/launches/0/block: found 1025, expected an integer from 1 to 1024"},
          {"/points/0/launches/0/repeat", "0",
           "/points/0/launches/0/repeat: found 0, expected an integer from 1 to 1000000000"},
          {"/points/0/launches/0/resident_blocks", "",
           "/points/0/launches/0: the key \"resident_blocks\" is missing"},
          {"/points/0/launches/0/registers", "-1",
           "/points/0/launches/0/registers: found -1, expected an integer from 0 to 1024"},
          {"/points/0/launches/0/shared_bytes", "1e3",
           "/points/0/launches/0/shared_bytes: found 1000.0, expected an integer from 0 to "
           "16777216"},
          {"/points/0/launches/0/kernal", "\"k\"",
           "/points/0/launches/0: unknown key \"kernal\"; did you mean \"kernel\"?"},
          {"/points/0/launches/0/classes/global_load", "-6",
           "/points/0/launches/0/classes/global_load: found -6, expected an integer from 0 to "
           "4611686018427387904"},
          {"/points/0/launches/0/warps", "[]",
           "/points/0/launches/0/warps: found 0 warps, expected 4 (grid times warps of a block)"},
          {"/points/0/launches/0/warps/1/count", "35184372088832",
           "/points/0/launches/0/warps: found more than the 4 warps of the launch (grid times "
           "warps of a "
           "block)"},
          {"/points/0/launches/0/warps/0/count", "0",
           "/points/0/launches/0/warps/0/count: found 0, expected an integer from 1 to "
           "35184372088832"},
      },
      read_kernel_model);
}

TEST(KernelModelFaults, NameThePlaceInAProgram) {
  expect_faults(
      kModel,
      {
          {"/points/0/launches/0/warps/0/program/0/arithmetic", "-10",
           "/points/0/launches/0/warps/0/program/0/arithmetic: found -10, expected an integer from "
           "0 to "
           "4611686018427387904"},
          {"/points/0/launches/0/warps/0/program/0/arithmetic", "9223372036854775808",
           "/points/0/launches/0/warps/0/program/0/arithmetic: found 9223372036854775808, expected "
           "an "
           "integer from 0 to 4611686018427387904"},
          {"/points/0/launches/0/warps/0/program/0/globl", "1",
           "/points/0/launches/0/warps/0/program/0: unknown key \"globl\"; did you mean "
           "\"global\"?"},
          {"/points/0/launches/0/warps/0/program/1/repeat", "",
           "/points/0/launches/0/warps/0/program/1: the key \"repeat\" is missing"},
          {"/points/0/launches/0/warps/0/program/1/shared", "1",
           "/points/0/launches/0/warps/0/program/1: unknown key \"shared\"; known: repeat, body"},
          {"/points/0/launches/0/warps/0/program/1/body/0", "7",
           "/points/0/launches/0/warps/0/program/1/body/0: found a number, but the launch has no "
           "\"segments\""},
          {"/points/0/launches/0/warps/0/program/1",
           R"({"repeat": 1000000000, "body": [{"repeat": 1000000000, "body": [{"global": 5}]}]})",
           "/points/0/launches/0/warps/0: the instruction counts add up to over 2^62"},
      },
      read_kernel_model);
}

}  // namespace
}  // namespace pnsim
