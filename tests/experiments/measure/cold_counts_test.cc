// Tests the import of misses with a cold L2 into models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "experiments/measure/counts_store.h"
#include "simulator/base/output.h"
#include "simulator/model/memory/cold_launch.h"
#include "tests/base/error_of.h"
#include "tests/experiments/measure/counter_pages.h"
#include "tests/experiments/run/toy_root.h"

namespace pnsim::experiments {
namespace {

using test::input_error_of;
using testing::HasSubstr;

// A page of the launches of two_passes(), each after a flush.
Pages cold_passes(const std::string& misses) {
  Pages pages = two_passes();
  pages.add_column("lts__t_sectors_srcunit_tex_lookup_miss.sum", "sector", misses);
  pages.add_column("dram__bytes_read.sum", "byte", "6400");
  return pages;
}

// The model of two_passes(). Its first launch has a counter of the memory system, as models with
// programs have.
std::string counted_model(const ToyRoot& root) {
  store_counts(two_passes().files(), root.path("new"), "experiment counts");
  const std::string file = root.path("new/models/toy.json");
  KernelModel model = load_kernel_model(file);
  model.points.at(0).launches.at(0).counters["l2_read_sectors"] = 300;
  forget_inputs();  // the test has read it before
  write_file_whole(file, kernel_model_text(model));
  return file;
}

TEST(ColdCounts, AreAddedToTheFirstLaunchOfAPointThatIsThere) {
  const ToyRoot root;
  const std::string model = counted_model(root);
  const std::string text = store_cold_counts(cold_passes("200").files(), root.path("new"), "cold");
  EXPECT_THAT(text, HasSubstr("toy.json: 1 points"));
  EXPECT_THAT(text, HasSubstr("1 new rows of 1"));
  const KernelModel told = load_kernel_model(model);
  const Launch& first = told.points.at(0).launches.at(0);
  EXPECT_EQ(first.counters.at("cold_l2_miss_sectors"), 200);
  EXPECT_EQ(first.counters.at("cold_dram_read_bytes"), 6400);
  EXPECT_EQ(load_kernel_model(model).provenance["cold"]["points"], 1);
  // A new warm import keeps the cold counters of the launch.
  store_counts(two_passes().files(), root.path("new"), "again");
  EXPECT_TRUE(tells_cold(load_kernel_model(model).points.at(0)));
  EXPECT_EQ(load_kernel_model(model).provenance["cold"]["command"], "cold");
  counted_model(root);
  EXPECT_THAT(store_cold_counts(cold_passes("201").files(), root.path("new"), "cold"),
              HasSubstr("1 replaced"));
}

TEST(ColdCounts, CountsOfOtherLaunchesDevicesOrProgramsChangeNothing) {
  const ToyRoot root;
  const std::string model = counted_model(root);
  const std::string before = read_file(model);
  const auto refused = [&](const CountsFiles& files) {
    const std::string message =
        input_error_of([&] { store_cold_counts(files, root.path("new"), "cold"); });
    EXPECT_EQ(read_file(model), before) << message;
    return message;
  };
  EXPECT_THAT(refused(two_passes().files()), HasSubstr("dram__bytes_read.sum"));
  Pages other_kernel;
  other_kernel.add("toy", 4096, 0, "third", 800);
  EXPECT_THAT(refused(other_kernel.files()), HasSubstr("expected first of 4 blocks"));
  Pages other_point;
  other_point.add("toy", 8192, 0, "first", 800);
  EXPECT_THAT(refused(other_point.files()), HasSubstr("nothing to import"));
  Pages path = cold_passes("200");
  path.replace_in_manifest("\"toy\"", "\"../toy\"");
  EXPECT_THAT(refused(path.files()), HasSubstr("a program's name"));
  CountsFiles other_device = cold_passes("200").files();
  std::string raw = read_file(other_device.raw);
  for (std::size_t at = raw.find("Toy GPU"); at != std::string::npos; at = raw.find("Toy GPU")) {
    raw.replace(at, 7, "NVIDIA A100");
  }
  std::ofstream(other_device.raw) << raw;
  EXPECT_THAT(refused(other_device), HasSubstr("expected those of toy on \"toy\""));
  // Unreadable rows leave the model unchanged.
  std::ofstream(root.path("new/results/toy/counts.jsonl"), std::ios::app) << "{bad\n";
  EXPECT_THAT(refused(cold_passes("200").files()), HasSubstr("counts.jsonl"));
}

}  // namespace
}  // namespace pnsim::experiments
