// Tests the table of launches that others wrote: of pages in a small folder, and of the shipped
// ones.
#include "experiments/validate/others_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "experiments/validate/own_times.h"
#include "simulator/analysis/predict/known_errors.h"
#include "simulator/analysis/predict/prediction_warnings.h"
#include "simulator/base/csv.h"
#include "simulator/base/data_files.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"
#include "simulator/model/derive/infer_programs.h"
#include "tests/base/error_of.h"
#include "tests/experiments/validate/own_pages.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;

// One recording, `mine`, of the five launches of the pages.
struct OthersFolder {
  OthersFolder() {
    const OwnLaunches launches = own_launches(own.files, 5);
    for (std::size_t i = 0; i < launches.models.size(); ++i) {
      folder.write("others/mine/models/000" + std::to_string(i) + ".json",
                   kernel_model_text(launches.models[i]));
    }
    folder.write("others/mine/times.csv", kOwnTimes);
    list(R"([{"folder": "mine", "kind": "ours", "what": "five launches"}])");
  }

  void list(const std::string& json) { folder.write("others/folders.json", json); }
  void first(const std::string& csv) { folder.write("others/mine/first_prediction.csv", csv); }
  std::string path() const { return folder.path("others"); }
  InputJson json() const { return parse_json(others_table(path(), "sm", {}).json, "table"); }
  std::string refusal() const {
    return test::input_error_of([&] { others_table(path(), "sm", {}); });
  }

  OwnFolder own;
  const test::TempFolder folder;
};

const std::string kFirst =
    "index,kernel,problem,measured_us,predicted_us,error_percent\n"
    "0,vector_add,n1,1.2,2.4,100\n"
    "1,block_sum,n1,1.5,1.5,0\n"
    "2,vector_add,n2,1.1,1.1,0\n"
    "3,sum,n2,1.6,0.8,-50\n"
    "4,vector_add,n2,1.4,1.4,0\n";

TEST(OthersTable, SaysWhatWasPredictedFirstAndNow) {
  OthersFolder others;
  others.first(kFirst);
  const InputJson folder = others.json()["folders"][0];
  EXPECT_EQ(folder["folder"], "mine");
  EXPECT_EQ(folder["tensor_cores"], false);
  EXPECT_EQ(folder["first"]["launches"], 5);
  EXPECT_NEAR(folder["first"]["mean"].get<double>(), 0.3, 1e-9);
  EXPECT_NEAR(folder["first"]["median"].get<double>(), 0, 1e-9);
  EXPECT_GT(folder["now"]["mean"].get<double>(), 0);
  // The three launches of vector_add: 1.1 and 1.2 us are over 5 % apart, as are 1.4 us from both.
  EXPECT_EQ(folder["pairs_first"]["pairs"], 3);
  EXPECT_EQ(folder["pairs_first"]["correct"], 2)
      << "the one of 2.4 us is ranked behind that of 1.4";
}

TEST(OthersTable, SaysWhatEachFolderHolds) {
  const OthersFolder others;
  EXPECT_THAT(others_table(others.path(), "sm", {}).text,
              HasSubstr("\nThe folders hold\n  folder  kind  what\n  ------  ----  -------------\n"
                        "  mine    ours  five launches\n"));
}

TEST(OthersTable, LaunchesOfOneNamedProgramArePairs) {
  OthersFolder others;
  std::string times = kOwnTimes;
  for (const char* problem : {",n1,", ",n2,"}) times = replaced(times, problem, ",p launch 1,");
  others.folder.write("others/mine/times.csv", times);
  EXPECT_EQ(others.json()["kinds"][0]["pairs_now"]["pairs"], 10)
      << "each of 1.1, 1.2, 1.4, 1.5 and 1.6 us is over 5 % from the others";
}

TEST(OthersTable, AFolderWithoutAFirstPredictionHasOnlyTodays) {
  const OthersFolder others;
  const InputJson folder = others.json()["folders"][0];
  EXPECT_EQ(folder["first"]["launches"], 0);
  EXPECT_TRUE(folder["first"]["mean"].is_null());
  EXPECT_EQ(folder["now"]["launches"], 5);
}

TEST(OthersTable, FilesThatDoNotBelongTogetherAreRefused) {
  OthersFolder others;
  others.first(replaced(kFirst, "block_sum", "another"));
  EXPECT_THAT(others.refusal(), HasSubstr("row 3: expected 6 cells, of the launch block_sum"));
  others.first(replaced(kFirst, ",-50", ",-50,more"));
  EXPECT_THAT(others.refusal(), HasSubstr("row 5: expected 6 cells, of the launch sum"));
  others.first(replaced(kFirst, ",0.8,", ",inf,"));
  EXPECT_THAT(others.refusal(), HasSubstr("row 5: expected a time, found inf"));
  others.first(replaced(kFirst, ",0.8,", ",fast,"));
  EXPECT_THAT(others.refusal(), HasSubstr("row 5: expected a time, found fast"));
  others.first(kFirst.substr(0, kFirst.find("4,vector_add")));
  EXPECT_THAT(others.refusal(), HasSubstr("found 5 rows, expected a header and 5"));
  others.first(kFirst);
  others.first(replaced(kFirst, "1.6,0.8", "1.7,0.8"));
  EXPECT_THAT(others.refusal(), HasSubstr("row 5: found the measured time 1.7"));
  others.first(replaced(kFirst, "predicted_us,error", "error_percent,predicted"));
  EXPECT_THAT(others.refusal(), HasSubstr("expected the columns index, kernel"));
  others.first(kFirst);
  for (const char* name : {"../mine", ".", ""}) {
    others.list(R"([{"folder": ")" + std::string(name) + R"(", "kind": "ours", "what": ""}])");
    EXPECT_THAT(others.refusal(), HasSubstr("without a path")) << name;
  }
  others.list("[]");
  EXPECT_THAT(others.refusal(), HasSubstr("expected an entry for the folder mine"));
  others.list(R"([{"folder": "none", "kind": "ours", "what": ""}])");
  EXPECT_THAT(others.refusal(), HasSubstr("/0/folder"));
  others.list(R"([{"folder": "mine", "kind": "ours"}])");
  EXPECT_THAT(others.refusal(), HasSubstr("what"));
}

TEST(OthersTable, ANetOfCountsIsRefused) {
  const std::string error =
      test::error_of(ExitCode::kUsage, [] { others_table(shipped_others(), "wpnm", {}); });
  EXPECT_THAT(error, HasSubstr("wpnm"));
}

// Every launch has a time and a model. With the sanitizers, reading them all takes minutes.
TEST(OthersTable, ShippedFoldersAreListedAndHaveAllTheirModels) {
  const InputJson folders = load_json(shipped_others() + "/folders.json");
  std::size_t launches = 0;
  for (const InputJson& folder : folders) {
    const std::string path = shipped_others() + "/" + folder["folder"].get<std::string>();
    const std::filesystem::directory_iterator models(path + "/models");
    const auto count = static_cast<std::size_t>(std::distance(begin(models), end(models)));
    EXPECT_EQ(count, count_own_times(read_file(path + "/times.csv"), "times.csv")) << path;
    launches += count;
  }
  EXPECT_EQ(launches, 3509u);
}

// Whether the launch of this index executes instructions of tensor cores; false for one without a
// model. Only models that mention them are parsed: all take minutes with the sanitizers.
bool is_of_tensor_cores(const std::string& models, std::size_t index) {
  const std::string number = std::to_string(index);
  const std::string start = std::string(4 - number.size(), '0') + number + "-";
  for (const auto& file : std::filesystem::directory_iterator(models)) {
    if (!file.path().filename().string().starts_with(start)) continue;
    const std::string path = file.path().string();
    if (read_file(path).find("\"tensor") == std::string::npos) return false;
    const KernelModel model = load_kernel_model(path);
    return uses_tensor_cores(
        warnings_of_point(model, model.points.at(0), true, load_device_profile(model.device)));
  }
  return false;
}

// Errors of the first predictions in %: of all launches of these kinds, or of those with tensor
// cores.
std::vector<double> first_errors(const std::set<std::string>& kinds, bool only_tensor_cores) {
  std::vector<double> errors;
  for (const InputJson& folder : load_json(shipped_others() + "/folders.json")) {
    const std::string place = shipped_others() + "/" + folder["folder"].get<std::string>(),
                      file = place + "/first_prediction.csv";
    if (!kinds.contains(folder["kind"].get<std::string>()) || !std::filesystem::exists(file))
      continue;
    const auto rows = parse_csv(read_file(file), file);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const double measured = std::stod(rows[i].at(3)), predicted = std::stod(rows[i].at(4));
      if (only_tensor_cores && !is_of_tensor_cores(place + "/models", std::stoul(rows[i].at(0))))
        continue;
      errors.push_back(100 * std::abs(predicted / measured - 1));
    }
  }
  return errors;
}

// What a report says of its error is what the recorded first predictions say.
TEST(OthersTable, ReportsNameTheErrorsOfTheRecordedFirstPredictions) {
  const auto expect_known = [](const std::vector<double>& errors, const KnownErrors& known) {
    EXPECT_EQ(errors.size(), known.launches);
    EXPECT_EQ(fixed(median(errors), 1), fixed(known.median_percent, 1));
    EXPECT_EQ(fixed(quantile(errors, 0.9), 1), fixed(known.p90_percent, 1));
  };
  expect_known(first_errors({"CUDA programs"}, false), kFirstErrors);
  const std::set<std::string> python{"PyTorch and Triton", "JAX and CuPy"};
  expect_known(first_errors(python, false), kFirstPythonErrors);
  expect_known(first_errors({"CUDA programs", "PyTorch and Triton", "JAX and CuPy"}, true),
               kFirstTensorErrors);
}

// The mean errors are those that `experiment table others` prints, in %: without tensor cores, and
// with them. `./pnsim.sh predictions` compares the launches of all folders.
TEST(OthersTable, ShippedLaunchesArePredictedAsWellAsBefore) {
  const std::map<std::string, std::vector<double>> printed{{"classic5_h200", {10.7}},
                                                           {"training_h200", {7.8, 4.4}},
                                                           {"triton_h100", {5.0, 9.0}},
                                                           {"vision_language_h200", {6.3, 6.9}}};
  const test::TempFolder some;
  InputJson listed = InputJson::array();
  for (const auto& [name, means] : printed) {
    std::filesystem::create_directory_symlink(shipped_others() + "/" + name, some.path(name));
    listed.push_back({{"folder", name}, {"kind", "some"}, {"what", ""}});
  }
  some.write("folders.json", listed.dump());
  constexpr double kRounding = 0.051;
  std::map<std::string, std::vector<double>> found;
  const InputJson table = parse_json(others_table(some.path(""), "sm", {}).json, "table");
  for (const InputJson& row : table["folders"])
    found[row["folder"].get<std::string>()].push_back(100 * row["now"]["mean"].get<double>());
  ASSERT_EQ(found.size(), printed.size());
  for (const auto& [folder, means] : printed) {
    EXPECT_THAT(found[folder], testing::Pointwise(testing::DoubleNear(kRounding), means)) << folder;
  }
}

}  // namespace
}  // namespace pnsim::experiments
