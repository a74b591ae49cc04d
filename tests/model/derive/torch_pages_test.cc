// Pages of `ncu --set full` of a PyTorch program (tests/data/pages).
#include <gmock/gmock.h>

#include "simulator/model/derive/profile_pages.h"
#include "simulator/model/launch/counters.h"
#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kTorchRaw = PNSIM_TEST_DATA "/pages/torch.raw.csv";
const std::string kTorchSource = PNSIM_TEST_DATA "/pages/torch.source.csv";

std::vector<std::string> names_of(const ProfilePages& pages) {
  std::vector<std::string> names;
  for (const ProfiledLaunch& launch : pages.launches) names.push_back(launch.kernel);
  return names;
}

// Some tables stand twice, and the raw page's names lack outer namespaces.
TEST(TorchPages, AreTakenWhole) {
  const ProfilePages pages = read_profile_pages({kTorchRaw, kTorchSource});
  EXPECT_THAT(pages.warnings, IsEmpty());
  EXPECT_THAT(pages.skipped, IsEmpty());
  EXPECT_THAT(names_of(pages),
              ElementsAre("at::native::vectorized_elementwise_kernel",
                          "at::native::fill_reverse_indices_kernel", "at::native::mbtopk::fill",
                          "nvjet_sm90_tst_128x64_64x8_1x2_h_bz_NNT",
                          "at::native::vectorized_elementwise_kernel",
                          "at::native::multi_tensor_apply_kernel"));
  for (const ProfiledLaunch& launch : pages.launches) {
    EXPECT_FALSE(launch.launch.segments.empty()) << launch.kernel;
    EXPECT_THAT(launch.missing, IsEmpty()) << launch.kernel;
    EXPECT_THAT(launch.launch.unknown_opcodes, IsEmpty()) << launch.kernel;
  }
}

// Its warps test mbarriers a different number of times in each of the profiler's runs.
TEST(TorchPages, WaitsOfDifferentLengthAreToleratedAndCounted) {
  const ProfilePages pages = read_profile_pages({kTorchRaw, kTorchSource});
  EXPECT_THAT(pages.notes[0], HasSubstr("launch 38 (nvjet_sm90_tst_128x64_64x8_1x2_h_bz_NNT): the "
                                        "instructions add up to 903153"));
  const ProfiledLaunch& product = pages.launches[3];
  EXPECT_GT(product.launch.counters.at(kSpinningInstructions), 0);
  EXPECT_LT(product.launch.counters.at(kSpinningInstructions), 903'153 / 2);
  EXPECT_FALSE(pages.launches[0].launch.counters.contains(kSpinningInstructions));
}

TEST(TorchPages, MangledNamesAreThoseOfTheSameKernels) {
  const test::TempFolder folder;
  std::string source = read_file(kTorchSource);
  const std::string plain =
      "\"void at::native::mbtopk::fill<unsigned int, unsigned int>(T1 *, T1, T2)\"";
  for (std::size_t at; (at = source.find(plain)) != std::string::npos;) {
    source.replace(at, plain.size(), "_ZN2at6native6mbtopk4fillIjjEEvPT_S3_T0_");
  }
  ASSERT_NE(source.find("_ZN2at"), std::string::npos);
  const ProfilePages pages = read_profile_pages({kTorchRaw, folder.write("source.csv", source)});
  EXPECT_THAT(pages.skipped, IsEmpty());
  EXPECT_EQ(pages.launches[2].kernel, "at::native::mbtopk::fill");
}

}  // namespace
}  // namespace pnsim
