// Launches from derived models in place of pages.
#include "experiments/validate/own_launches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/validate/own_points.h"
#include "simulator/base/data_files.h"
#include "simulator/model/derive/infer_programs.h"
#include "tests/base/error_of.h"
#include "tests/experiments/validate/own_pages.h"

namespace pnsim::experiments {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The models of the pages in a folder, as `pnsim derive -o` writes them.
struct ModelsFolder {
  ModelsFolder() : of_pages(own_launches(own.files, 5)) {
    for (std::size_t i = 0; i < of_pages.models.size(); ++i) {
      own.folder.write("models/000" + std::to_string(i) + ".json",
                       kernel_model_text(of_pages.models[i]));
    }
    files.times = own.files.times;
    files.models = own.folder.path("models");
  }

  std::string refusal() const {
    return test::input_error_of([&] { own_points(files, ""); });
  }

  OwnFolder own;
  OwnLaunches of_pages;
  OwnFiles files{};
};

TEST(OwnLaunches, AreThoseOfThePagesWhenReadFromModels) {
  const ModelsFolder folder;
  const OwnLaunches of_models = own_launches(folder.files, 5);
  ASSERT_EQ(of_models.models.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(kernel_model_text(of_models.models[i]), kernel_model_text(folder.of_pages.models[i]));
    EXPECT_EQ(of_models.launches[i].id, folder.of_pages.launches[i].id);
    EXPECT_EQ(of_models.launches[i].position, i);
    EXPECT_EQ(of_models.launches[i].device, folder.of_pages.launches[i].device);
  }
  const ValidationSet set = own_points(folder.files, "");
  ASSERT_EQ(set.points.size(), 5u);
  EXPECT_EQ(set.points[0].measured_us(), 1.2);
}

TEST(OwnLaunches, FoldersWithoutSuchModelsAreRefused) {
  ModelsFolder folder;
  const test::TempFolder& at = folder.own.folder;
  at.write("models/0009.json", read_file(find_data_file("radix_shared", {"models"})));
  EXPECT_THAT(folder.refusal(), AllOf(HasSubstr("0009.json"), HasSubstr("one profiled launch")));
  KernelModel counts = folder.of_pages.models[0];
  counts.points[0].launches[0] = without_programs(counts.points[0].launches[0]);
  at.write("models/0009.json", kernel_model_text(counts));
  EXPECT_THAT(folder.refusal(), HasSubstr("found only counts"));
  KernelModel elsewhere = folder.of_pages.models[0];
  elsewhere.provenance["profiled_on"] = 5;
  at.write("models/0009.json", kernel_model_text(elsewhere));
  EXPECT_THAT(folder.refusal(), HasSubstr("/provenance/profiled_on"));
  KernelModel nameless = folder.of_pages.models[0];
  nameless.provenance["profiler_id"] = -1;
  at.write("models/0009.json", kernel_model_text(nameless));
  EXPECT_THAT(folder.refusal(), HasSubstr("/provenance/profiler_id"));
  KernelModel unknown = folder.of_pages.models[0];
  at.write("models/0009.json", kernel_model_text(unknown));
  EXPECT_THAT(folder.refusal(), HasSubstr("found two models of ID 0"));
  unknown.provenance["profiler_id"] = 9;
  at.write("models/0009.json", kernel_model_text(unknown));
  EXPECT_THAT(folder.refusal(),
              AllOf(HasSubstr("6 models with IDs up to 9"), HasSubstr("5 times")));
  folder.files.models = at.path("none");
  EXPECT_THAT(folder.refusal(), AllOf(HasSubstr("none"), HasSubstr("pnsim derive -o")));
  at.write("empty/readme.txt", "");
  folder.files.models = at.path("empty");
  EXPECT_THAT(folder.refusal(), HasSubstr("found no model (*.json)"));
}

// The times have all launches of the profile, so that a launch that was skipped leaves a gap.
TEST(OwnLaunches, ThoseWithoutAModelAreSkipped) {
  const ModelsFolder folder;
  std::filesystem::remove(folder.files.models + "/0001.json");
  const ValidationSet set = own_points(folder.files, "");
  ASSERT_EQ(set.points.size(), 4u);
  EXPECT_EQ(set.points[1].measured_us(), 1.1);
  ASSERT_EQ(set.skipped.size(), 1u);
  EXPECT_THAT(set.skipped[0].why, HasSubstr("no model"));
}

// An unknown GPU is refused, whatever the model's device.
TEST(OwnLaunches, AnUnknownGpuIsRefused) {
  ModelsFolder folder;
  for (std::size_t i = 0; i < 5; ++i) {
    KernelModel& model = folder.of_pages.models[i];
    model.provenance["profiled_on"] = "NVIDIA A30";
    folder.own.folder.write("models/000" + std::to_string(i) + ".json", kernel_model_text(model));
  }
  EXPECT_THROW(own_points(folder.files, ""), Error);
}

}  // namespace
}  // namespace pnsim::experiments
