#include "simulator/base/ordered.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "simulator/base/error.h"
#include "tests/base/error_of.h"

namespace pnsim {
namespace {

std::string numbers(std::uint64_t first, std::uint64_t count) {
  std::string text;
  for (std::uint64_t i = first; i < count; ++i) text += std::to_string(i) + "\n";
  return text;
}

// The concatenated results that `take` received.
struct Taken {
  std::string text;
  std::uint64_t done = 0;
  std::function<void(const std::string&, std::uint64_t)> take = [this](const std::string& results,
                                                                       std::uint64_t now) {
    text += results;
    EXPECT_GT(now, done);
    done = now;
  };
};

TEST(RunInOrder, GivesResultsInOrderForAnyThreads) {
  for (const unsigned threads : {1u, 2u, 7u, 0u}) {
    for (const std::uint64_t first : {0u, 5u, 2000u}) {
      Taken taken;
      run_in_order({first, 2000, threads, [](std::uint64_t i) { return std::to_string(i) + "\n"; },
                    taken.take, nullptr});
      EXPECT_EQ(taken.text, numbers(first, 2000)) << threads;
    }
  }
}

TEST(RunInOrder, NeverHoldsMoreThanABoundedNumberOfResults) {
  std::atomic<std::uint64_t> made{0};
  std::uint64_t most_ahead = 0;
  run_in_order({0, 20'000, 4, [&](std::uint64_t) { return ++made, std::string(); },
                [&](const std::string&, std::uint64_t done) {
                  most_ahead = std::max(most_ahead, made - std::min<std::uint64_t>(made, done));
                },
                nullptr});
  EXPECT_EQ(made, 20'000u);
  EXPECT_LE(most_ahead, 4 * 64u);
}

TEST(RunInOrder, AJobThatThrowsKeepsTheResultsBeforeIt) {
  for (const unsigned threads : {1u, 4u}) {
    Taken taken;
    const auto make = [](std::uint64_t i) {
      if (i >= 300) fail_usage("job " + std::to_string(i));
      return std::to_string(i) + "\n";
    };
    const std::string said = test::error_of(ExitCode::kUsage, [&] {
      run_in_order({0, 1000, threads, make, taken.take, nullptr});
    });
    EXPECT_EQ(said, "job 300") << "the exception of the lowest job, not of the fastest thread";
    EXPECT_EQ(taken.text, numbers(0, 300));
  }
}

TEST(RunInOrder, StopsWhenResultsCannotBeTaken) {
  std::atomic<std::uint64_t> made{0};
  int calls = 0;
  const auto take = [&](const std::string&, std::uint64_t) {
    ++calls;
    throw Error(ExitCode::kOutput, "full");
  };
  test::error_of(ExitCode::kOutput, [&] {
    run_in_order(
        {0, 1'000'000, 3, [&](std::uint64_t) { return ++made, std::string("x"); }, take, nullptr});
  });
  EXPECT_EQ(calls, 1) << "nothing is delivered after a missing result";
  EXPECT_LT(made, 1'000u);
}

TEST(RunInOrder, OneWorkerIsTheCallingThread) {
  std::thread::id worker, watcher;
  const auto make = [&](std::uint64_t) {
    worker = std::this_thread::get_id();
    return std::string("x");
  };
  Taken taken;
  run_in_order(
      {0, 3, 1, make, taken.take, [&](std::uint64_t) { watcher = std::this_thread::get_id(); }});
  EXPECT_EQ(worker, std::this_thread::get_id());
  EXPECT_NE(watcher, worker);
  EXPECT_EQ(taken.done, 3u);
}

TEST(RunInOrder, OneWorkerEndsWithItsError) {
  const auto make = [](std::uint64_t i) -> std::string {
    if (i == 1) throw std::bad_alloc();
    return "x";
  };
  Taken taken;
  EXPECT_THROW(run_in_order({0, 3, 1, make, taken.take, [](std::uint64_t) {}}), std::bad_alloc);
  EXPECT_EQ(taken.text, "x");
}

TEST(RunInOrder, TicksWhileJobsRun) {
  std::atomic<bool> ticked{false};
  const auto make = [&](std::uint64_t) {
    while (!ticked) {
    }
    return std::string("x");
  };
  Taken taken;
  run_in_order({0, 1, 1, make, taken.take, [&](std::uint64_t) { ticked = true; }});
  EXPECT_EQ(taken.text, "x");
}

}  // namespace
}  // namespace pnsim
