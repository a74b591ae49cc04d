// The house rules that a program can check: who includes whom, how long files and functions are.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/base/temp_folder.h"
#include "tests/layers/function_lengths.h"
#include "tests/layers/include_rules.h"

namespace pnsim {
namespace {

using Lines = std::vector<std::string>;

const std::filesystem::path kRoot =
    std::filesystem::path(PNSIM_TEST_DATA).parent_path().parent_path();

TEST(Layers, NoRoomIncludesWhatItMayNot) {
  EXPECT_GT(test::source_files(kRoot).size(), 50u);
  EXPECT_EQ(test::include_faults(kRoot), Lines{});
}

TEST(Layers, NoHeaderOfTheGpuRoomShowsTheCompilerOfTheDeviceSpdlog) {
  for (const std::string& file : test::source_files(kRoot)) {
    if (!file.starts_with("gpu/")) continue;
    EXPECT_EQ(test::text_of(kRoot / file).find("#include <spdlog"), std::string::npos) << file;
  }
}

TEST(Sizes, NoFileIsLongerThan400Lines) { EXPECT_EQ(test::long_files(kRoot, 400), Lines{}); }

// Of the sources, not of the tests; CUDA kernels included.
TEST(Sizes, FunctionsAreShort) {
  std::vector<std::size_t> lengths;
  for (const std::string& file : test::source_files(kRoot)) {
    for (const auto& function : test::function_lengths(test::text_of(kRoot / file))) {
      EXPECT_LE(function.lines, 60u) << file << ":" << function.line;
      lengths.push_back(function.lines);
    }
  }
  ASSERT_GT(lengths.size(), 300u);
  std::sort(lengths.begin(), lengths.end());
  EXPECT_LE(lengths[lengths.size() / 2], 8u);
  EXPECT_LE(lengths[lengths.size() * 95 / 100], 40u);
}

TEST(LayersSelfTest, AnIncludeOfAnotherRoomIsFound) {
  const test::TempFolder folder;
  folder.write("simulator/base/ok.cc", "#include \"simulator/base/ok.h\"\n#include <vector>\n");
  folder.write("simulator/net/up.cc", "// text\n  #  include \"simulator/engine/law.h\"\n");
  folder.write("simulator/engine/side.h", "#include \"simulator/model/paper/waves.h\"\n");
  folder.write("simulator/engine/cuda/ok.cu", "#include \"simulator/engine/law.h\"\n");
  folder.write("gpu/host.h", "#include \"gpu/kernels/k.cuh\"\n");
  folder.write("gpu/live/ok.cc", "#include \"gpu/kernels/k.h\"\n");
  folder.write("experiments/run.cc", "#include \"gpu/point.h\"\n#include \"gpu/live/run.h\"\n");
  folder.write("simulator/model/relative.cc", "#include \"waves.h\"\n");
  folder.write("simulator/cli/tests.cc", "#include \"tests/base/error_of.h\"\n");
  folder.write("simulator/new_room/x.cc", "#include \"simulator/base/ok.h\"\n");
  EXPECT_EQ(
      test::include_faults(folder.path()),
      (Lines{
          "experiments/run.cc:2: includes gpu/live/run.h, which experiments may not",
          "gpu/host.h:1: includes gpu/kernels/k.cuh, which gpu may not",
          "simulator/cli/tests.cc:1: includes tests/base/error_of.h, which simulator/cli may not",
          "simulator/engine/side.h:1: includes simulator/model/paper/waves.h, which "
          "simulator/engine "
          "may not",
          "simulator/model/relative.cc:1: includes waves.h, which simulator/model may not",
          "simulator/net/up.cc:2: includes simulator/engine/law.h, which simulator/net may not",
          "simulator/new_room/x.cc:1: lies in no room that may include anything"}));
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
