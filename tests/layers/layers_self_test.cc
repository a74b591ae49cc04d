// The checks of the house rules on small trees and texts that break them.
#include <gtest/gtest.h>

#include "tests/base/temp_folder.h"
#include "tests/layers/function_lengths.h"
#include "tests/layers/house_rules.h"
#include "tests/layers/include_cycles.h"
#include "tests/layers/include_rules.h"

namespace pnsim {
namespace {

using Lines = std::vector<std::string>;

TEST(LayersSelfTest, AnIncludeOfAnotherRoomIsFound) {
  const test::TempFolder folder;
  folder.write("simulator/base/ok.cc", "#include \"simulator/base/ok.h\"\n#include <vector>\n");
  folder.write("simulator/net/up.cc", "// text\n  #  include \"simulator/engine/law.h\"\n");
  folder.write("simulator/engine/side.h", "#include \"simulator/model/paper/waves.h\"\n");
  folder.write("simulator/engine/cuda/ok.cu", "#include \"simulator/engine/law.h\"\n");
  folder.write("gpu/host.h", "#include \"gpu/kernels/k.cuh\"\n");
  folder.write("gpu/live/ok.cc", "#include \"gpu/kernels/k.h\"\n");
  folder.write("experiments/spec/run.cc",
               "#include \"gpu/point.h\"\n#include \"gpu/live/run.h\"\n");
  folder.write("simulator/model/sm/relative.cc", "#include \"waves.h\"\n");
  folder.write("simulator/cli/tests.cc", "#include \"tests/base/error_of.h\"\n");
  folder.write("simulator/new_room/x.cc", "#include \"simulator/base/ok.h\"\n");
  EXPECT_EQ(
      test::include_faults(folder.path()),
      (Lines{
          "experiments/spec/run.cc:2: includes gpu/live/run.h, which experiments/spec may not",
          "gpu/host.h:1: includes gpu/kernels/k.cuh, which gpu may not",
          "simulator/cli/tests.cc:1: includes tests/base/error_of.h, which simulator/cli may not",
          "simulator/engine/side.h:1: includes simulator/model/paper/waves.h, which "
          "simulator/engine "
          "may not",
          "simulator/model/sm/relative.cc:1: includes waves.h, which simulator/model/sm may not",
          "simulator/net/up.cc:2: includes simulator/engine/law.h, which simulator/net may not",
          "simulator/new_room/x.cc:1: lies in no room that may include anything"}));
}

TEST(LayersSelfTest, ExperimentsMayNotIncludeTheCommandsOfPnsim) {
  const test::TempFolder folder;
  folder.write("experiments/cli/main.cc", "#include \"simulator/cli/options.h\"\n");
  folder.write("experiments/spec/ok.cc", "#include \"simulator/analysis/predict/predict.h\"\n");
  folder.write("simulator/cli/ok.cc", "#include \"simulator/cli/options.h\"\n");
  EXPECT_EQ(test::include_faults(folder.path()),
            (Lines{"experiments/cli/main.cc:1: includes simulator/cli/options.h, which "
                   "experiments/cli may not"}));
}

TEST(LayersSelfTest, CyclesBetweenUnitsAreFoundAndNamed) {
  const test::TempFolder folder;
  folder.write("simulator/net/a.h", "");
  folder.write("simulator/net/a.cc",
               "#include \"simulator/net/a.h\"\n#include \"simulator/net/b.h\"\n");
  folder.write("simulator/net/b.h", "#include \"simulator/net/c.h\"\n");
  folder.write("simulator/net/c.h", "#include \"simulator/net/a.h\"\n");
  folder.write("simulator/net/d.h", "#include \"simulator/net/c.h\"\n");
  folder.write("gpu/k.cu", "#include \"gpu/l.h\"\n");
  folder.write("gpu/k.h", "");
  folder.write("gpu/l.h", "#include \"gpu/k.h\"\n");
  folder.write("experiments/run/e.h", "#include \"experiments/run/missing.h\"\n");
  EXPECT_EQ(test::include_cycles(folder.path()),
            (Lines{"gpu/k -> gpu/l -> gpu/k",
                   "simulator/net/a -> simulator/net/b -> simulator/net/c -> simulator/net/a"}));
}

TEST(LayersSelfTest, OneShortestCycleStandsForUnitsThatIncludeEachOther) {
  const test::TempFolder folder;
  folder.write("gpu/a.h", "#include \"gpu/b.h\"\n#include \"gpu/c.h\"\n");
  folder.write("gpu/b.h", "#include \"gpu/c.h\"\n");
  folder.write("gpu/c.h", "#include \"gpu/a.h\"\n");
  EXPECT_EQ(test::include_cycles(folder.path()), (Lines{"gpu/a -> gpu/c -> gpu/a"}));
}

TEST(LayersSelfTest, AMissingAShortAndALongReadmeAreFound) {
  const test::TempFolder folder;
  const auto lines = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "line\n";
    return text;
  };
  folder.write("gpu/a.h", "");
  folder.write("simulator/base/a.h", "");
  folder.write("simulator/base/README.md", lines(4));
  folder.write("simulator/net/a.h", "");
  folder.write("simulator/net/README.md", lines(5));
  folder.write("simulator/model/sm/a.h", "");
  folder.write("simulator/model/sm/README.md", lines(16));
  folder.write("simulator/model/README.md", lines(15));
  EXPECT_EQ(test::readme_faults(folder.path()),
            (Lines{"gpu: no README.md", "simulator/base: README.md has 4 lines, expected 5 to 15",
                   "simulator/model/sm: README.md has 16 lines, expected 5 to 15"}));
}

TEST(LayersSelfTest, TestsNamedOtherwiseAreFound) {
  const test::TempFolder folder;
  folder.write("tests/net/ok_test.cc",
               "TEST(Net, AddsUp) {\nTEST_F(NetFile,\n       Has2Places) {\n// TEST(x, y)\n");
  folder.write("tests/net/odd_test.cc",
               "TEST(Net, adds_up) {\nTEST_P(net, AddsUp) {\nTEST(Net,\n     Adds_Up) {\n"
               "RC_GTEST_PROP(Net, OfNothing, ()) {\nTEST(Net, WhoWaits) {\nTEST(Net, Often) {\n");
  EXPECT_EQ(
      test::test_name_faults(folder.path()),
      (Lines{"tests/net/odd_test.cc:1: Net, adds_up", "tests/net/odd_test.cc:2: net, AddsUp",
             "tests/net/odd_test.cc:3: Net, Adds_Up", "tests/net/odd_test.cc:5: Net, OfNothing",
             "tests/net/odd_test.cc:6: Net, WhoWaits"}));
}

TEST(LayersSelfTest, ALongFileIsFound) {
  const test::TempFolder folder;
  std::string text;
  for (int i = 0; i < 400; ++i) text += "//\n";
  folder.write("simulator/base/just.cc", text);
  folder.write("gpu/kernels/over.cu", text + "//\n");
  folder.write("tests/base/over.cc", text + "//\n");
  EXPECT_EQ(test::long_files(folder.path(), 400),
            (Lines{"gpu/kernels/over.cu: 401 lines, expected at most 400",
                   "tests/base/over.cc: 401 lines, expected at most 400"}));
}

// "line:lines" of each function.
std::string lengths(const std::string& source) {
  std::string out;
  for (const auto& f : test::function_lengths(source)) {
    out += (out.empty() ? "" : " ") + std::to_string(f.line) + ":" + std::to_string(f.lines);
  }
  return out;
}

TEST(LayersSelfTest, FunctionsAreMeasuredFromBraceToBrace) {
  EXPECT_EQ(lengths("int f() { return 1; }\n"), "1:1");
  EXPECT_EQ(lengths("namespace a {\nint f(int x,\n      int y) {\n  if (x) {\n  }\n}\n}\n"), "3:4");
  EXPECT_EQ(
      lengths("struct A {\n  int g() const {\n    return 1;\n  }\n  int x = 0;\n  int h();\n};\n"),
      "2:3");
  EXPECT_EQ(lengths("A::A(int a) : a_(a), b_{1, 2} {\n  f();\n}\n"), "1:3");
  EXPECT_EQ(lengths("void f(std::vector<int> x = {}) {\n\n}\n"), "1:3");
  EXPECT_EQ(lengths("auto f() -> std::map<int, int> {\n}\nauto g() noexcept {\n}\n"), "1:2 3:2");
  EXPECT_EQ(lengths("TEST(A, B) {\n}\n__global__ void k(int* p) {\n}\n"), "1:2 3:2");
}

TEST(LayersSelfTest, WhatIsNoFunctionIsNotMeasured) {
  EXPECT_EQ(lengths("const int x[] = {\n 1,\n 2};\nenum class E { kA, kB };\nstruct S {\n};\n"),
            "");
  EXPECT_EQ(lengths("int f();\nextern \"C\" {\nint g();\n}\n"), "");
}

TEST(LayersSelfTest, BracesInTextAreNotBraces) {
  EXPECT_EQ(lengths("void f() {\n  g(\"}{\", '}', R\"(\n}\n)\");  // }\n  /* }\n */\n}\n"), "1:7");
  EXPECT_EQ(lengths("#define X(a) \\\n  do { a\nvoid f() {\n  x = 1'000'000;\n}\n"), "3:3");
}

TEST(LayersSelfTest, LambdasBelongToTheFunctionAroundThem) {
  EXPECT_EQ(lengths("void f() {\n  const auto g = [](int x) {\n    return x;\n  };\n  g(1);\n}\n"),
            "1:6");
}

}  // namespace
}  // namespace pnsim
