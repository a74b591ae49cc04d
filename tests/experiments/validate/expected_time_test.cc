// Expected times, and what reports say of them, beside the recorded launches of others.
#include "simulator/analysis/predict/expected_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "experiments/validate/others_table.h"
#include "simulator/analysis/predict/known_errors.h"
#include "simulator/base/csv.h"
#include "simulator/base/json.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"
#include "simulator/base/whole_file.h"

namespace pnsim::experiments {
namespace {

struct RecordedLaunch {
  std::string device;
  double measured_us, profiled_us, predicted_us;
};

// The number behind the first `key` of a JSON text; 0 without it. Parsing all models takes minutes
// with the sanitizers.
double number_behind(const std::string& text, const std::string& key) {
  const std::size_t at = text.find("\"" + key + "\":");
  return at == std::string::npos ? 0 : std::stod(text.substr(at + key.size() + 3, 30));
}

// The predictions of today's net that the repository stores: [folder and index].
std::map<std::pair<std::string, std::size_t>, double> stored_predictions() {
  std::istringstream lines(read_file(PNSIM_TEST_DATA "/../predictions/others.txt"));
  std::map<std::pair<std::string, std::size_t>, double> out;
  std::string line, folder;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::size_t index = 0;
    double us = 0;
    if (words >> folder >> index >> us) out[{folder, index}] = us;
  }
  return out;
}

// Those that have a time under the profiler.
std::vector<RecordedLaunch> recorded_launches() {
  const auto predicted = stored_predictions();
  std::vector<RecordedLaunch> out;
  const std::string root = shipped_others();
  for (const InputJson& folder : load_json(root + "/folders.json")) {
    const std::string name = folder["folder"].get<std::string>(), place = root + "/" + name;
    const auto rows = parse_csv(read_file(place + "/times.csv"), "times.csv");
    const auto column = std::find(rows[0].begin(), rows[0].end(), "time_us") - rows[0].begin();
    std::map<std::size_t, double> measured;
    for (std::size_t i = 1; i < rows.size(); ++i)
      measured[std::stoul(rows[i][0])] = std::stod(rows[i].at(static_cast<std::size_t>(column)));
    for (const auto& file : std::filesystem::directory_iterator(place + "/models")) {
      const std::size_t index = std::stoul(file.path().filename().string());
      const double profiled = number_behind(read_file(file.path().string()), "profiled_us");
      const auto known = predicted.find({name, index});
      if (profiled > 0 && known != predicted.end() && measured.contains(index))
        out.push_back({name.substr(name.rfind('_') + 1), measured[index], profiled, known->second});
    }
  }
  return out;
}

const std::vector<RecordedLaunch>& launches() {
  static const std::vector<RecordedLaunch> all = recorded_launches();
  return all;
}

TEST(ExpectedTime, IsTheProfiledOneLessWhatTheProfilerAdds) {
  const DeviceProfile h100 = load_device_profile("h100"), h200 = load_device_profile("h200");
  EXPECT_DOUBLE_EQ(*unprofiled_us(h200, 50), 50 - *profiler_adds_us(h200));
  EXPECT_DOUBLE_EQ(*unprofiled_us(h100, 20), 20 - *profiler_adds_us(h100));
}

TEST(ExpectedTime, IsUnknownForShortLaunchesAndWithoutRecordings) {
  EXPECT_FALSE(unprofiled_us(load_device_profile("h200"), 19.99));
  EXPECT_FALSE(unprofiled_us(load_device_profile("h200"), NAN));
  EXPECT_FALSE(unprofiled_us(load_device_profile("a100"), 50));
}

TEST(ExpectedTime, ProfilersAddWhatShortRecordedLaunchesSay) {
  for (const std::string device : {"h100", "h200"}) {
    std::vector<double> added;
    for (const RecordedLaunch& launch : launches()) {
      if (launch.device == device && launch.measured_us < kShortLaunchUs)
        added.push_back(launch.profiled_us - launch.measured_us);
    }
    EXPECT_GT(added.size(), 50u) << device;
    EXPECT_EQ(fixed(median(added), 2), fixed(*profiler_adds_us(load_device_profile(device)), 2))
        << device;
  }
}

TEST(ExpectedTime, IsAsFarOffAsReportsSay) {
  const std::map<std::string, DeviceProfile> devices{{"h100", load_device_profile("h100")},
                                                     {"h200", load_device_profile("h200")}};
  std::vector<double> errors, of_the_net;
  for (const RecordedLaunch& launch : launches()) {
    const auto us = unprofiled_us(devices.at(launch.device), launch.profiled_us);
    if (!us) continue;
    errors.push_back(100 * std::abs(*us / launch.measured_us - 1));
    of_the_net.push_back(100 * std::abs(launch.predicted_us / launch.measured_us - 1));
  }
  EXPECT_EQ(errors.size(), kUnprofiledErrors.launches);
  EXPECT_EQ(fixed(median(errors), 1), fixed(kUnprofiledErrors.median_percent, 1));
  EXPECT_EQ(fixed(quantile(errors, 0.9), 1), fixed(kUnprofiledErrors.p90_percent, 1));
  EXPECT_LT(mean(errors), mean(of_the_net)) << "else it would have no use";
}

}  // namespace
}  // namespace pnsim::experiments
