#include "gpu/recorded_launches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "simulator/base/error.h"
#include "tests/base/error_of.h"

namespace pnsim::gpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const kLaunchRow =
    R"row({"kernel":"add(float*)","grid":[4,1,1],"block":[128,1,1],"shared_bytes":0,)row"
    R"row("registers":16,"stream":7,"graph":false,"time_ns":1500})row";

std::string end_row(int launches, int dropped = 0) {
  return "{\"launches\":" + std::to_string(launches) +
         ",\"dropped_records\":" + std::to_string(dropped) + "}\n";
}

RecordedLaunch launch(const std::string& kernel, std::int64_t grid, double time_us = 1) {
  RecordedLaunch launch;
  launch.kernel = kernel;
  launch.grid = {grid, 1, 1};
  launch.block = {128, 1, 1};
  launch.time_us = time_us;
  launch.all_times_us = {time_us};
  return launch;
}

// Numbers the invocations as the reader does.
std::vector<RecordedLaunch> numbered(std::vector<RecordedLaunch> launches) {
  std::map<std::string, std::int64_t> seen;
  for (RecordedLaunch& one : launches) one.invocation = ++seen[kernel_base_name(one.kernel)];
  return launches;
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
  EXPECT_EQ(launches[1].invocation, 2);
  EXPECT_DOUBLE_EQ(launches[1].time_us, 1.5);
  EXPECT_EQ(launches[1].grid, (Extent{4, 1, 1}));
}

TEST(RecordedLaunches, TellHowManyOtherKernelsCameInBetween) {
  const auto row = [](std::string kernel) {
    return std::string(kLaunchRow).replace(std::string(kLaunchRow).find("add"), 3, kernel) + "\n";
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

TEST(ChosenLaunches, AvoidTheFirstInvocationWhereThereIsAnother) {
  const auto launches = numbered(
      {launch("f(int)", 1), launch("f(int)", 1), launch("f(int)", 1), launch("g(int)", 2)});
  const LaunchChoice choice = choose_launches(launches, 10);
  EXPECT_THAT(choice.invocations, ElementsAre(1, 2));  // g has its first only
  EXPECT_EQ(choice.kinds, 2u);
  EXPECT_EQ(choice.kinds_taken, 2u);
  EXPECT_EQ(choice.launches.size(), 3u);  // f 1, f 2, g 1
  EXPECT_DOUBLE_EQ(choice.share_of_time, 1);
}

std::vector<std::optional<RecordedLaunch>> profiled(const LaunchChoice& choice) {
  return {choice.launches.begin(), choice.launches.end()};
}

// The first f is profiled because g needs number 1, but it is no typical one.
TEST(ProfiledLaunches, StandForTheLaunchesOfTheirKind) {
  const auto launches =
      numbered({launch("f(int)", 1), launch("f(int)", 1), launch("f(int)", 1), launch("g(int)", 1),
                launch("h(int)", 1), launch("h(int)", 2, 10)});
  const LaunchChoice choice = choose_launches(launches, 10);
  ASSERT_EQ(choice.invocations, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(stood_for(profiled(choice)), (std::vector<double>{1, 2, 1, 1, 1}));
  const LaunchChoice few = choose_launches(launches, 2);
  ASSERT_EQ(few.invocations, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(stood_for(profiled(few)), (std::vector<double>{3, 1})) << "f and the second h";
}

TEST(ProfiledLaunches, ShareTheirKindWhereSeveralAreProfiled) {
  std::vector<RecordedLaunch> launches;
  for (int i = 0; i < 8; ++i) launches.push_back(launch("f(int)", 1));
  launches = numbered(launches);
  for (RecordedLaunch& of_f : launches) of_f.of_kind = 8;
  EXPECT_EQ(stood_for({launches[0], launches[3], launches[4]}), (std::vector<double>{1, 3.5, 3.5}));
  EXPECT_EQ(stood_for({launches[0]}), std::vector<double>{8}) << "there is no other";
  EXPECT_EQ(stood_for({std::nullopt, launches[3]}), (std::vector<double>{0, 8}))
      << "the page has a launch that not every run made";
}

TEST(ChosenLaunches, AreThoseWithTheLongestTimeWhenNotAllFit) {
  const auto launches =
      numbered({launch("f(int)", 1, 1), launch("f(int)", 2, 97), launch("f(int)", 3, 2)});
  const LaunchChoice choice = choose_launches(launches, 1);
  ASSERT_EQ(choice.launches.size(), 1u);
  EXPECT_EQ(choice.launches[0].grid[0], 2);
  EXPECT_DOUBLE_EQ(choice.share_of_time, 0.97);
  EXPECT_EQ(choice.kinds, 3u);
}

TEST(ChosenLaunches, NeverExceedTheirBound) {
  std::vector<RecordedLaunch> launches;
  for (int i = 0; i < 40; ++i) {
    for (int kernel = 0; kernel < 5; ++kernel) {
      launches.push_back(launch("k" + std::to_string(kernel) + "(int)", 1 + i * kernel % 7, 1 + i));
    }
  }
  launches = numbered(launches);
  for (std::size_t most = 1; most < 60; ++most) {
    const LaunchChoice choice = choose_launches(launches, most);
    EXPECT_LE(choice.launches.size(), most);
    EXPECT_EQ(choice.launches.empty(), choice.kinds_taken == 0) << most;
  }
}

TEST(ChosenLaunches, OneKindIsTriedBeforeTheBoundIsTooSmall) {
  std::vector<RecordedLaunch> launches{launch("a(int)", 1, 1), launch("a(int)", 2, 1),
                                       launch("a(int)", 3, 100)};
  for (const char* kernel : {"b(int)", "c(int)", "d(int)", "e(int)", "f(int)"}) {
    launches.push_back(launch(kernel, 1, 5));
    launches.push_back(launch(kernel, 2, 5));
  }
  const LaunchChoice choice = choose_launches(numbered(launches), 2);
  ASSERT_EQ(choice.launches.size(), 1u);
  EXPECT_EQ(choice.launches[0].grid[0], 3) << "only a(int) has a third invocation";
  const LaunchChoice none =
      choose_launches(numbered({launch("a(int)", 1, 1), launch("b(int)", 1, 1)}), 1);
  EXPECT_TRUE(none.launches.empty());
  EXPECT_EQ(none.least, 2u);
}

// Many kinds share a name, such as elementwise_kernel of PyTorch: each number is of one of them,
// while the first number is of every kernel.
TEST(ChosenLaunches, AddNumbersWhileTheyFit) {
  std::vector<RecordedLaunch> launches;
  for (int i = 0; i < 30; ++i) launches.push_back(launch("elementwise(int)", 1 + i, 10));
  for (int i = 0; i < 12; ++i) launches.push_back(launch("k" + std::to_string(i) + "(int)", 1, 50));
  const LaunchChoice choice = choose_launches(numbered(launches), 20);
  EXPECT_EQ(choice.launches.size(), 20u);
  EXPECT_EQ(choice.kinds, 42u);
  EXPECT_EQ(choice.kinds_taken, 20u);
  EXPECT_DOUBLE_EQ(choice.share_of_time, (12 * 50 + 8 * 10) / 900.0);
}

TEST(ChosenLaunches, AreSelectedByTheirInvocationNumbers) {
  EXPECT_EQ(kernel_id_argument({1, 40}), ":::^(1|40)$");
}

TEST(PageRows, FindTheirLaunchesInOrder) {
  const auto launches =
      numbered({launch("ns::f<int>(int)", 1), launch("ns::f<long>(long)", 1), launch("g(int)", 2)});
  const std::vector<PageLaunch> page = {{"void ns::f<T1>(T1)", {1, 1, 1}, {128, 1, 1}},
                                        {"g(int)", {2, 1, 1}, {128, 1, 1}}};
  const auto matched = match_page(page, launches, "raw.csv");
  ASSERT_EQ(matched.size(), 2u);
  EXPECT_EQ(matched[0]->kernel, "ns::f<int>(int)");
  EXPECT_EQ(matched[1]->kernel, "g(int)");
  const auto swapped = match_page({page[1], page[0]}, launches, "raw.csv");
  EXPECT_TRUE(swapped[0]);
  EXPECT_FALSE(swapped[1]) << "f is launched before g only";
}

// A program that launches something else in each run gives such a page.
TEST(PageRows, WithoutAnyLaunchOfTheTimedRunsAreRefused) {
  const std::vector<PageLaunch> page = {{"h(int)", {1, 1, 1}, {128, 1, 1}}};
  EXPECT_THAT(
      test::input_error_of([&] { match_page(page, numbered({launch("g(int)", 2)}), "raw.csv"); }),
      HasSubstr("raw.csv: row 1: found h with grid (1, 1, 1)"));
}

// The profiler writes a row of zeros for a launch that fails under it.
TEST(PageRows, NameALaunchThatFailed) {
  const std::vector<PageLaunch> page = {{"g(int)", {0, 0, 0}, {0, 0, 0}}};
  EXPECT_THAT(
      test::input_error_of([&] { match_page(page, numbered({launch("g(int)", 2)}), "raw.csv"); }),
      HasSubstr("no counters of g: its launch failed"));
}

}  // namespace
}  // namespace pnsim::gpu
