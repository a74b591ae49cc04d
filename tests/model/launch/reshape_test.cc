// A launch in blocks of another size: the same warps, dealt anew.
#include "simulator/model/launch/reshape.h"

#include <gtest/gtest.h>

#include "simulator/base/data_files.h"
#include "simulator/model/launch/block_work.h"
#include "simulator/model/launch/imbalance.h"
#include "simulator/model/launch/launch_json.h"
#include "tests/base/error_of.h"

namespace pnsim {
namespace {

ProgramItem counts(std::int64_t arithmetic) { return {1, {arithmetic, 0, 0}, {}, std::nullopt}; }

// Two kinds of warps: the first and the second one of every block.
Launch two_kinds() {
  Launch launch;
  launch.kernel = "two";
  launch.grid = 6;
  launch.block = 64;
  launch.registers = 32;
  launch.shared_bytes = 640;
  launch.resident_blocks = 32;
  launch.warp_kinds = {{6, {counts(5)}}, {6, {counts(7)}}};
  launch.block_kinds = {{6, {{0, 1}, {1, 1}}}};
  launch.counters = {{"l1_load_sectors", 1000}};
  return launch;
}

std::int64_t arithmetic_of(const Launch& launch) {
  std::int64_t sum = 0;
  for (const WarpKind& kind : launch.warp_kinds) {
    sum += kind.warps * total_counts(kind.program, "test").arithmetic;
  }
  return sum;
}

// The same check as that of the reader of models: warps and blocks add up to the grid.
void expect_sound(const Launch& launch) {
  const std::string text = launch_json(launch).dump();
  const InputJson json = parse_json(text, "launch");
  EXPECT_EQ(launch_json(read_launch(JsonReader(json, "launch"))).dump(), text);
}

// Read once: under sanitizers that takes longer than what is checked.
const std::vector<KernelModel>& shipped_models() {
  static const std::vector<KernelModel> models = [] {
    std::vector<KernelModel> out;
    for (const std::string& name : shipped_names("models")) {
      out.push_back(load_kernel_model(find_data_file(name, {"models"})));
    }
    return out;
  }();
  return models;
}

template <class Check>
void for_shipped_launches(const Check& check) {
  for (const KernelModel& model : shipped_models()) {
    SCOPED_TRACE(model.name);
    for (const RecordedPoint& point : model.points) {
      SCOPED_TRACE(problem_text(point.problem));
      for (const Launch& launch : point.launches) check(launch);
    }
  }
}

TEST(Reshape, ResidentBlocksAreTheProfilersForEveryShippedLaunch) {
  const DeviceProfile device = load_device_profile("h200");
  for_shipped_launches([&](const Launch& launch) {
    EXPECT_EQ(resident_blocks(launch, device), launch.resident_blocks) << launch.kernel;
  });
}

TEST(Reshape, TheSameBlockIsTheSameLaunch) {
  const DeviceProfile device = load_device_profile("h200");
  for_shipped_launches([&](const Launch& launch) {
    ASSERT_EQ(launch_json(reshape(launch, launch.block, device)), launch_json(launch));
  });
}

TEST(Reshape, WholeWarpsKeepEverySum) {
  const DeviceProfile device = load_device_profile("h200");
  constexpr std::int64_t kSizes[] = {32, 96, 256};
  int tried = 0;
  for_shipped_launches([&](const Launch& launch) {
    const std::int64_t warps = launch.grid * launch.warps_per_block();
    if (launch.block % 32 != 0 || warps > 1024) return;  // the larger ones take seconds
    Launch same = launch;
    const BlockWork work = scale_block_work(launch.grid, launch.block, same);
    if (work.by_block || work.by_thread) return;  // these sums change with the block
    ++tried;
    for (const std::int64_t block : kSizes) {
      const Launch other = reshape(launch, block, device);
      EXPECT_EQ(other.grid, (launch.grid * launch.block + block - 1) / block);
      EXPECT_EQ(arithmetic_of(other), arithmetic_of(launch));
      auto counters = launch.counters, others = other.counters;
      counters.erase(kBusiestScheduler);
      others.erase(kBusiestScheduler);
      EXPECT_EQ(others, counters);
      // The costly check is of one size a launch, of each size in turn.
      if (kSizes[static_cast<std::size_t>(tried) % std::size(kSizes)] == block) expect_sound(other);
    }
  });
  EXPECT_GT(tried, 100);
}

TEST(Reshape, WarpsAreDealtInTheirOrder) {
  const Launch launch = reshape(two_kinds(), 128, load_device_profile("h200"));
  EXPECT_EQ(launch.grid, 3);
  EXPECT_EQ(launch.shared_bytes, 1280) << "the same a thread";
  ASSERT_EQ(launch.block_kinds.size(), 1u);
  EXPECT_EQ(launch.block_kinds[0].blocks, 3);
  ASSERT_EQ(launch.block_kinds[0].warps.size(), 4u);
  EXPECT_EQ(launch.block_kinds[0].warps[1].kind, 1u);
  EXPECT_EQ(launch.block_kinds[0].warps[2].kind, 0u);
}

TEST(Reshape, SmallerBlocksAreOfTheKindsOfTheirWarps) {
  const Launch launch = reshape(two_kinds(), 32, load_device_profile("h200"));
  ASSERT_EQ(launch.block_kinds.size(), 12u);
  EXPECT_EQ(launch.block_kinds[0].warps[0].kind, 0u);
  EXPECT_EQ(launch.block_kinds[1].warps[0].kind, 1u);
}

// 384 threads are 12 warps: a block of 10 full warps, and a block in which 2 of 10 warps have
// threads.
TEST(Reshape, WarpsWithoutThreadsHaveNoProgram) {
  const Launch launch = reshape(two_kinds(), 320, load_device_profile("h200"));
  EXPECT_EQ(launch.grid, 2);
  ASSERT_EQ(launch.warp_kinds.size(), 3u);
  EXPECT_EQ(launch.warp_kinds[2].warps, 8);
  EXPECT_TRUE(launch.warp_kinds[2].program.empty());
  EXPECT_EQ(arithmetic_of(launch), arithmetic_of(two_kinds()));
  expect_sound(launch);
}

// 384 threads in blocks of 48: 8 blocks of 2 warps, each kind has its half of the 16.
TEST(Reshape, WarpsOfOtherNumbersOfLanesAreShared) {
  const Launch launch = reshape(two_kinds(), 48, load_device_profile("h200"));
  EXPECT_EQ(launch.grid, 8);
  EXPECT_EQ(launch.warp_kinds[0].warps + launch.warp_kinds[1].warps, 16);
  EXPECT_EQ(launch.warp_kinds[0].warps, 8);
  expect_sound(launch);
}

TEST(Reshape, HugeGridsOfOneKindAreCheap) {
  Launch launch = two_kinds();
  launch.grid = std::int64_t{1} << 38;
  launch.warp_kinds = {{2 * launch.grid, {counts(1)}}};
  launch.block_kinds = {{launch.grid, {{0, 2}}}};
  const Launch other = reshape(launch, 1024, load_device_profile("h200"));
  EXPECT_EQ(other.grid, std::int64_t{1} << 34);
  EXPECT_EQ(other.block_kinds.size(), 1u);
}

// Half the warps and blocks of an H200, the same registers, 64 KiB of shared memory.
TEST(Reshape, AnotherDeviceHoldsOtherNumbersOfBlocks) {
  const DeviceProfile turing = load_device_profile("rtx2060super");
  ASSERT_TRUE(tells_resident_blocks(turing));
  Launch launch = two_kinds();
  EXPECT_EQ(on_device(launch, turing).resident_blocks, 16);
  launch.block = 512;
  EXPECT_EQ(on_device(launch, turing).resident_blocks, 2);
  launch.block = 64;
  launch.shared_bytes = 30'000;
  EXPECT_EQ(on_device(launch, turing).resident_blocks, 2) << "nothing is reserved";
  EXPECT_EQ(on_device(launch, load_device_profile("h200")).resident_blocks, 7);
  EXPECT_FALSE(tells_resident_blocks(DeviceProfile{}));
}

TEST(Reshape, LimitsOfTheDeviceAreKept) {
  Launch launch = two_kinds();
  launch.shared_bytes = 0;
  launch.registers = 255;  // 8 KiB a warp: 8 warps an SM
  EXPECT_EQ(reshape(launch, 256, load_device_profile("h200")).resident_blocks, 1);
  EXPECT_EQ(reshape(launch, 64, load_device_profile("h200")).resident_blocks, 4);
  test::input_error_of([&] { reshape(launch, 512, load_device_profile("h200")); });
  test::input_error_of([&] { reshape(launch, 2048, load_device_profile("h200")); });
  test::input_error_of([&] { reshape(launch, 0, load_device_profile("h200")); });
}

}  // namespace
}  // namespace pnsim
