// The radix report's table on the report's own GPU: published times beside predictions from that
// GPU's profile.
#include <algorithm>
#include <cmath>

#include "experiments/tables/document_tables.h"
#include "simulator/analysis/predict/predict.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

// A published time with the predictions for the same sort.
struct ReportPoint {
  std::string program;
  std::int64_t block = 0;
  double published_us = 0;
  double launches = 0;
  double predicted_us = 0;  // launches back to back
  double streamed_us = 0;   // launches issued one by one by the host
};

ReportPoint predicted_point(const JsonReader& theirs, const DeviceProfile& device,
                            const NetTemplate& net, const RunOptions& options) {
  ReportPoint out;
  out.program = theirs.at("program").string();
  out.block = theirs.at("axes").at("block").integer(1, 1024);
  out.published_us = theirs.at("gpu_s").number(1e-9, 1e6) * 1e6;
  const KernelModel model = load_kernel_model(find_data_file(out.program, {"models"}));
  const RecordedPoint& point =
      model.point({{"n", theirs.at("axes").at("n").integer(1, 1 << 30)}, {"block", out.block}});
  const Prediction predicted = predict({{&model, &net, &device, &point, {}, {}}}, options).front();
  const double us_per_step = 1 / device.positive("clock_mhz");
  const double host_us = device.positive("stream_launch_ns") / 1e3;
  for (const LaunchPrediction& launch : predicted.launches) {
    const auto times = static_cast<double>(launch.repeat);
    const double us = mean(launch.steps) * launch.slowdown * us_per_step;
    out.launches += times;
    out.predicted_us += times * us;
    out.streamed_us += times * std::max(us, host_us);
  }
  return out;
}

double error_of_time(double predicted, double published) {
  return std::abs(predicted - published) / published;
}

void add_point(const ReportPoint& p, TextTable& table, Rendered& out, Json& json) {
  const double error = error_of_time(p.predicted_us, p.published_us);
  const double streamed_error = error_of_time(p.streamed_us, p.published_us);
  const double rest_us = (p.published_us - p.predicted_us) / p.launches;
  table.add_row({p.program, std::to_string(p.block), fixed(p.published_us, 1),
                 fixed(p.predicted_us, 1), fixed(100 * error, 1), fixed(p.streamed_us, 1),
                 fixed(100 * streamed_error, 1), fixed(rest_us, 2)});
  out.csv += p.program + "," + std::to_string(p.block) + "," + fixed(p.published_us, 4) + "," +
             fixed(p.predicted_us, 4) + "," + fixed(p.streamed_us, 4) + "\n";
  json.push_back({{"program", p.program},
                  {"block", p.block},
                  {"published_us", p.published_us},
                  {"predicted_us", p.predicted_us},
                  {"error", error},
                  {"streamed_us", p.streamed_us},
                  {"streamed_error", streamed_error},
                  {"rest_us_a_launch", rest_us}});
}

std::size_t facts_of_others(const DeviceProfile& device) {
  std::size_t count = 0;
  for (const auto& [key, fact] : device.facts) {
    const bool is_anothers = fact.source.find("models/devices/") != std::string::npos ||
                             fact.source.find(", kept: ") != std::string::npos;
    count += is_anothers ? 1 : 0;
  }
  return count;
}

std::string errors_text(const std::vector<ReportPoint>& points) {
  std::vector<double> errors, streamed, published, predicted;
  for (const ReportPoint& p : points) {
    errors.push_back(error_of_time(p.predicted_us, p.published_us));
    streamed.push_back(error_of_time(p.streamed_us, p.published_us));
    published.push_back(std::log(p.published_us));
    predicted.push_back(std::log(p.predicted_us));
  }
  const auto text = [](const std::vector<double>& e) {
    return fixed(100 * mean(e), 1) + " / " + fixed(100 * median(e), 1) + " %";
  };
  return "\n  error, mean / median: " + text(errors) + ", from a stream " + text(streamed) +
         "; Pearson on logarithms " + fixed(pearson(predicted, published), 3) + ", on ranks " +
         fixed(spearman(predicted, published), 3) + "\n";
}

}  // namespace

bool is_the_reports_device(const DeviceProfile& device) {
  const InputJson document = load_document("radix_report");
  const std::string theirs = JsonReader(document, "radix_report.json").at("device").string();
  return device.title.find(theirs) != std::string::npos;
}

Rendered predicted_report_table(const DeviceProfile& device, const NetTemplate& net,
                                const RunOptions& options) {
  if (!net.step_is_cycle) {
    fail_usage("net " + net.name + ": its steps have no unit, and no time per step is known for " +
               device.title + "; use a net whose step is one cycle, such as --net sm");
  }
  const InputJson document = load_document("radix_report");
  const JsonReader reader(document, "radix_report.json");
  TextTable table({"program", "threads", "published us", "predicted us", "error %", "from a stream",
                   "error %", "rest per launch"});
  Rendered out;
  Json json = Json::array();
  std::vector<ReportPoint> points;
  out.csv = "program,block,published_us,predicted_us,streamed_us\n";
  for (const JsonReader& theirs : reader.at("rows").items()) {
    points.push_back(predicted_point(theirs, device, net, options));
    add_point(points.back(), table, out, json);
  }
  out.text =
      "The report's sorts of 5120 elements on its own GPU, the " + device.described() +
      ": published means of 200 runs beside the predictions of the net " + net.name +
      "\nThe profile holds published figures (" + std::to_string(facts_of_others(device)) + " of " +
      std::to_string(device.facts.size()) +
      " facts are another GPU's, as their sources say); the "
      "programs were profiled\nas compiled for another GPU (sm_90), and nothing is fitted. "
      "predicted: launches back to back; from a stream: at least\nstream_launch_ns apart; rest per "
      "launch: published minus predicted time in us per launch\n\n" +
      table.text(2) + errors_text(points);
  out.json = json.dump(1) + "\n";
  return out;
}

}  // namespace pnsim::experiments
