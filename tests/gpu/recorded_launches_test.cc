#include "gpu/recorded_launches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/base/error.h"
#include "tests/base/error_of.h"
#include "tests/gpu/recorded.h"

namespace pnsim::gpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const kLaunchRow =
    R"row({"kernel":"add(float*)","symbol":"_Z3addPf","grid":[4,1,1],"block":[128,1,1],"shared_bytes":0,)row"
    R"row("registers":16,"stream":7,"graph":false,"time_ns":1500})row";

std::string end_row(int launches, int dropped = 0) {
  return "{\"launches\":" + std::to_string(launches) +
         ",\"dropped_records\":" + std::to_string(dropped) + "}\n";
}

std::string refusal(const std::string& text) {
  try {
    read_recorded_launches(text, "rows");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "no error";
}

TEST(KernelBaseName, LeavesOutTypesNamespacesAndArguments) {
  EXPECT_EQ(kernel_base_name("alpha(float*)"), "alpha");
  EXPECT_EQ(kernel_base_name("void beta<float>(float*, int)"), "beta");
  EXPECT_EQ(kernel_base_name("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>("
                             "at::native::ReduceOp<float>)"),
            "reduce_kernel");
  EXPECT_EQ(kernel_base_name("void (anonymous namespace)::softmax<a::b>(a::b)"), "softmax");
  EXPECT_EQ(kernel_base_name("void f<a::g()::{lambda(int)#1}>(int)"), "f");
  EXPECT_EQ(kernel_base_name("void f<tag<auto (*)(int)->float>, g<1u>>(int)"), "f") << "an arrow";
  EXPECT_EQ(kernel_base_name("void outputs<2, lambda(float) (instance 1)], Array<char *, 6>, "
                             "Offsets<4, unsigned int>>(int, T2)"),
            "outputs")
      << "a bracket that ncu left of a lambda";
  EXPECT_EQ(kernel_base_name("void unnamed>::grid_stride<float, void uniform<Generator *>(Base &, "
                             "unnamed>::OpType)::[lambda() (instance 1)]>(long)"),
            "grid_stride")
      << "ncu has dropped the namespaces around an unnamed one";
  EXPECT_EQ(kernel_base_name("void fill<4, void impl<unnamed>::masked(Iterator &)::[lambda(bool) "
                             "(instance 1)]>(Base &)::[lambda(int) (instance 1)]>(int, T3)"),
            "fill")
      << "and with them the bracket of one of two template arguments";
  EXPECT_EQ(kernel_base_name("saxpy"), "saxpy");
  EXPECT_EQ(kernel_base_name("_ZN17cutlass__5x_cudnn6KernelINS_4conv6kernel23ImplicitEEvT_"),
            "Kernel")
      << "a name that is still mangled";
  EXPECT_EQ(kernel_base_name("_Z5saxpyPf"), "saxpy");
  EXPECT_EQ(kernel_base_name("_Z6kernel6ParamsPf"), "kernel") << "the class of a parameter";
  EXPECT_EQ(kernel_base_name("_ZL7partialPf"), "partial") << "static";
  EXPECT_EQ(kernel_base_name("_ZN1aL6kernelEPf"), "kernel");
  EXPECT_EQ(kernel_base_name("_ZN12_GLOBAL__N_16kernelEPf"), "kernel");
  EXPECT_EQ(kernel_base_name("_ZSt3fooi"), "foo");
  for (const char* broken : {"_Z", "_ZN", "_ZN9a", "_Z0", "_ZN99999999999999999999a"})
    EXPECT_EQ(kernel_base_name(broken), broken);
}

TEST(RecordedLaunches, AreReadAndNumberedByKernel) {
  const auto launches = read_recorded_launches(
      std::string(kLaunchRow) + "\n" + kLaunchRow + "\n" + end_row(2), "rows");
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[1].symbol, "_Z3addPf");
  EXPECT_EQ(launches[1].invocation, 2);
  EXPECT_EQ(launches[1].number, 2);
  EXPECT_DOUBLE_EQ(launches[1].time_us, 1.5);
  EXPECT_EQ(launches[1].grid, (Extent{4, 1, 1}));
}

TEST(RecordedLaunches, TellHowManyOtherKernelsCameInBetween) {
  const auto row = [](std::string kernel) {
    std::string text = std::string(kLaunchRow) + "\n";
    for (const char* name : {"add(", "_Z3add"})
      text.replace(text.find(name) + std::string(name).find("add"), 3, kernel);
    return text;
  };
  const auto launches = read_recorded_launches(
      row("add") + row("add") + row("mul") + row("sub") + row("mul") + row("add") + end_row(6),
      "rows");
  std::vector<std::optional<std::int64_t>> others;
  for (const RecordedLaunch& launch : launches) others.push_back(launch.others_before);
  EXPECT_THAT(others, ElementsAre(std::nullopt, 0, std::nullopt, std::nullopt, 1, 2))
      << "a kernel's first launch follows none; two launches of one kernel count once";
}

TEST(RecordedLaunches, RefuseFilesThatAreNotComplete) {
  const std::string row = std::string(kLaunchRow) + "\n";
  EXPECT_THAT(refusal(""), HasSubstr("ended before its launches were written"));
  EXPECT_THAT(refusal(row), HasSubstr("ended before its launches were written"));
  EXPECT_THAT(refusal(row + end_row(3)), HasSubstr("rows: line 2"));
  EXPECT_THAT(refusal(row + end_row(1, 4)), HasSubstr("dropped 4 records"));
  EXPECT_THAT(refusal("{\"kernel\":\"f\"}\n" + end_row(1)), HasSubstr("rows: line 1"));
  EXPECT_THAT(refusal("no json\n"), HasSubstr("rows: line 1"));
}

TEST(AgreedLaunches, HaveTheMedianOfTheRuns) {
  const auto first = numbered({launch("f(int)", 1, 10), launch("g(int)", 2, 5)});
  const auto second = numbered({launch("f(int)", 1, 30), launch("g(int)", 3, 5)});
  const auto third = numbered({launch("f(int)", 1, 11), launch("g(int)", 2, 5)});
  const AgreedLaunches agreed = agree({first, second, third});
  ASSERT_EQ(agreed.launches.size(), 1u);  // g had another grid in the second run
  EXPECT_EQ(agreed.differing, 1u);
  EXPECT_DOUBLE_EQ(agreed.launches[0].time_us, 11);
}

TEST(AgreedLaunches, CountWhatOnlyALaterRunLaunched) {
  const auto first = numbered({launch("f(int)", 1)});
  const auto second = numbered({launch("f(int)", 1), launch("g(int)", 1)});
  EXPECT_EQ(agree({first, second}).differing, 1u);
  EXPECT_EQ(agree({first, first}).differing, 0u);
}

// f has many short blocks, so its instrumented record is longer; a serial record of g came late.
TEST(AgreedLaunches, AreLeftWithoutWhatEachKindOfRecordAdds) {
  const AgreedLaunches instrumented =
      agree({numbered({launch("f(int)", 900, 40), launch("g(int)", 2, 5), launch("h(int)", 1)}),
             numbered({launch("f(int)", 900, 42), launch("g(int)", 2, 5), launch("h(int)", 1)})});
  const AgreedLaunches serial =
      agree({numbered({launch("f(int)", 900, 31.3), launch("g(int)", 2, 7.3)}),
             numbered({launch("f(int)", 900, 33.3), launch("g(int)", 2, 7.1)})});
  const AgreedLaunches agreed = without_instrumentation(instrumented, serial, 1.3);
  ASSERT_EQ(agreed.launches.size(), 2u);
  EXPECT_EQ(agreed.differing, 1u) << "h";
  EXPECT_DOUBLE_EQ(agreed.launches[0].time_us, 31);
  EXPECT_THAT(agreed.launches[0].all_times_us,
              ElementsAre(testing::DoubleEq(30), testing::DoubleEq(32)));
  EXPECT_DOUBLE_EQ(agreed.launches[1].time_us, 5);
  EXPECT_EQ(agreed.launches[1].all_times_us, (std::vector<double>{5, 5}));
}

// A serial record shorter than the offset: nothing is known of the launch but the other one.
TEST(AgreedLaunches, KeepTheInstrumentedTimeWhereTheSerialOneIsNone) {
  const AgreedLaunches one = agree({numbered({launch("f(int)", 1, 0.8)})});
  EXPECT_DOUBLE_EQ(without_instrumentation(one, one, 1.3).launches.at(0).time_us, 0.8);
}

}  // namespace
}  // namespace pnsim::gpu
