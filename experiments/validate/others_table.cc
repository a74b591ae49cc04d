#include "experiments/validate/others_table.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>

#include "experiments/report/report_cells.h"
#include "experiments/validate/device_tables.h"
#include "experiments/validate/own_points.h"
#include "experiments/validate/program_sums.h"
#include "experiments/validate/validation_report.h"
#include "simulator/analysis/predict/expected_time.h"
#include "simulator/base/csv.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/numbers.h"
#include "simulator/base/table.h"
#include "simulator/base/whole_file.h"

namespace pnsim::experiments {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// A recording: an entry of folders.json.
struct Folder {
  std::string path, name, kind, what;
};

// The measured time of a launch, and what each predictor says.
struct LaunchTimes {
  const Folder* folder = nullptr;
  std::string program;             // launches of one program are compared with each other
  std::string script;              // the program that was run, with the folder
  RepresentedLaunches stands_for;  // predictors: first, now
  bool has_tensor_cores = false;
  double measured_us = 0, roofline_us = 0, now_us = 0;
  double first_us = kUnknown, profiled_us = kUnknown;  // NaN: not stored
  double expected_us = kUnknown;  // by the profiler, of short launches by today's prediction
  // Today's prediction where the other one is known; else NaN.
  double now_beside_first_us = kUnknown, now_beside_profiled_us = kUnknown;
};
using Launches = std::vector<const LaunchTimes*>;
using Time = double LaunchTimes::*;

std::vector<Folder> listed_folders(const std::string& in) {
  const std::string file = in + "/folders.json";
  const InputJson json = parse_json(read_file(file), file);
  std::vector<Folder> out;
  for (const JsonReader& item : JsonReader(json, file).items()) {
    item.only({"folder", "kind", "what"});
    const std::string name = item.at("folder").string();
    if (name.empty() || name.starts_with('.') || name.find('/') != std::string::npos ||
        std::any_of(out.begin(), out.end(), [&](const Folder& f) { return f.name == name; }))
      item.at("folder").fail_expected("a name that no other entry has, without a path");
    out.push_back({in + "/" + name, name, item.at("kind").string(), item.at("what").string()});
    if (!std::filesystem::is_directory(out.back().path))
      item.at("folder").fail_expected("the name of a folder beside this file");
  }
  const auto is_listed = [&](const std::string& name) {
    return std::any_of(out.begin(), out.end(), [&](const Folder& f) { return f.name == name; });
  };
  for (const auto& entry : std::filesystem::directory_iterator(in)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() && !is_listed(name))
      fail_input(file, "expected an entry for the folder " + name);
  }
  return out;
}

// [launch] the first prediction; NaN for all in a folder that has none.
std::vector<double> first_predictions(const Folder& folder, const ValidationSet& set) {
  const std::string file = folder.path + "/first_prediction.csv";
  std::vector<double> out(set.points.size(), kUnknown);
  if (!std::filesystem::exists(file)) return out;
  const std::vector<std::vector<std::string>> rows = parse_csv(read_file(file), file);
  const std::vector<std::string> head{"index",       "kernel",       "problem",
                                      "measured_us", "predicted_us", "error_percent"};
  if (rows.empty() || rows[0] != head)
    fail_input(file, "expected the columns " + joined(head, ", ") + " in this order");
  constexpr std::size_t kKernel = 1, kProblem = 2, kMeasured = 3, kPredicted = 4;
  const auto at = [&](std::size_t row) { return file + ": row " + std::to_string(row); };
  if (rows.size() != out.size() + 1) {
    fail_input(file, "found " + std::to_string(rows.size()) + " rows, expected a header and " +
                         std::to_string(out.size()) + ", one per launch of times.csv");
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::vector<std::string>& row = rows[i + 1];
    const ValidationPoint& point = set.points[i];
    if (row.size() != head.size() || row[kKernel] != point.program ||
        row[kProblem] != point.problem) {
      fail_input(at(i + 2), "expected " + std::to_string(head.size()) + " cells, of the launch " +
                                point.program + ", " + point.problem);
    }
    const auto time = [&](std::size_t column) {
      const std::optional<double> us = parse_double(row[column]);
      if (!us || !(*us > 0) || std::isinf(*us))
        fail_input(at(i + 2), "expected a time, found " + row[column]);
      return *us;
    };
    constexpr double kRounding = 1e-3;  // of the written digits
    if (std::abs(time(kMeasured) / point.measured_us() - 1) > kRounding) {
      fail_input(at(i + 2), "found the measured time " + row[kMeasured] +
                                ", expected that of times.csv, " +
                                significant(point.measured_us(), 4));
    }
    out[i] = time(kPredicted);
  }
  return out;
}

// "ace" of "ace launch 3"; "" where the folder has one program, such as a script of many calls.
std::string script_of(const ValidationPoint& point) {
  const std::size_t at = point.problem.find(" launch ");
  return at == std::string::npos ? "" : point.problem.substr(0, at);
}

// In the folder of a script, launches of one kernel are compared.
std::string program_of(const ValidationPoint& point) {
  const std::string script = script_of(point);
  return script.empty() ? point.program : script;
}

// The number of launches.
std::size_t add_launches(const Folder& folder, const std::string& net, const RunOptions& options,
                         std::vector<LaunchTimes>& out) {
  OwnFiles files{};
  files.models = folder.path + "/models";
  files.times = folder.path + "/times.csv";
  const ValidationSet set = own_points(files, "");
  if (!set.skipped.empty())
    fail_input(files.models,
               "found no model of " + set.skipped[0].program + ": " + set.skipped[0].why);
  const std::vector<Predictor> predictors = make_predictors({{net}, false, options}, set);
  const auto predicted = [&](const std::string& name) {
    const auto it = std::find_if(predictors.begin(), predictors.end(),
                                 [&](const Predictor& p) { return p.name == name; });
    return it->predict(set.points).us;
  };
  const std::vector<double> now = predicted(predictors.front().name),
                            roofline = predicted("roofline"), profiled = profiled_times(set),
                            first = first_predictions(folder, set);
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    const ValidationPoint& point = set.points[i];
    LaunchTimes launch{
        &folder,
        folder.name + " " + program_of(point),
        folder.name + " " + script_of(point),
        {point.stands_for, point.stands_for_us, point.measured_us(), {first[i], now[i]}},
        uses_tensor_cores(point.warnings),
        point.measured_us(),
        roofline[i],
        now[i],
        first[i],
        profiled[i],
        std::isnan(profiled[i]) ? kUnknown
                                : unprofiled_us(set.device, profiled[i]).value_or(now[i])};
    if (!std::isnan(launch.first_us)) launch.now_beside_first_us = launch.now_us;
    if (!std::isnan(launch.profiled_us)) launch.now_beside_profiled_us = launch.now_us;
    out.push_back(launch);
  }
  return set.points.size();
}

ErrorSummary errors(const Launches& launches, Time time) {
  std::vector<double> out;
  for (const LaunchTimes* launch : launches) {
    if (!std::isnan(launch->*time))
      out.push_back(std::abs(launch->*time / launch->measured_us - 1));
  }
  return summarize(out);
}

// Pairs of one program whose measured times differ by more than kPairDifference.
PairCount pairs_in_programs(const Launches& launches, Time time) {
  PairCount out;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const LaunchTimes &a = *launches[i], &b = *launches[j];
      if (a.program != b.program || std::isnan(a.*time) || std::isnan(b.*time)) continue;
      count_pair(a.measured_us, a.*time, b.measured_us, b.*time, out);
    }
  }
  return out;
}

// Launches by the text of `key`, in order of appearance.
std::vector<std::pair<std::string, Launches>> grouped(
    const Launches& launches, const std::function<std::string(const LaunchTimes&)>& key) {
  std::vector<std::pair<std::string, Launches>> out;
  for (const LaunchTimes* launch : launches) {
    const std::string name = key(*launch);
    auto it = std::find_if(out.begin(), out.end(), [&](const auto& g) { return g.first == name; });
    if (it == out.end()) it = out.insert(out.end(), {name, {}});
    it->second.push_back(launch);
  }
  return out;
}

std::string tensor_text(const LaunchTimes& launch) {
  return launch.has_tensor_cores ? "yes" : "no";
}

void add_errors(const ErrorSummary& e, std::vector<std::string>& cells) {
  for (const double share : {e.mean, e.median, e.p90}) cells.push_back(percent(share));
}

Json errors_json(const ErrorSummary& e) {
  return {{"launches", e.points}, {"mean", e.mean}, {"median", e.median}, {"p90", e.p90}};
}

Json group_json(const Launches& launches) {
  const LaunchTimes& one = *launches.front();
  const PairCount first = pairs_in_programs(launches, &LaunchTimes::first_us),
                  now = pairs_in_programs(launches, &LaunchTimes::now_us);
  return {{"kind", one.folder->kind},
          {"tensor_cores", one.has_tensor_cores},
          {"first", errors_json(errors(launches, &LaunchTimes::first_us))},
          {"now", errors_json(errors(launches, &LaunchTimes::now_us))},
          {"now_beside_first", errors_json(errors(launches, &LaunchTimes::now_beside_first_us))},
          {"roofline", errors_json(errors(launches, &LaunchTimes::roofline_us))},
          {"profiled", errors_json(errors(launches, &LaunchTimes::profiled_us))},
          {"expected", errors_json(errors(launches, &LaunchTimes::expected_us))},
          {"pairs_first", {{"pairs", first.pairs}, {"correct", first.correct}}},
          {"pairs_now", {{"pairs", now.pairs}, {"correct", now.correct}}}};
}

std::string folders_table(const Launches& all, Json& json) {
  TextTable table({"folder", "tensor cores", "launches", "first: mean %", "median %", "p90 %",
                   "now: mean %", "median %", "p90 %"});
  const auto groups = grouped(all, [](const LaunchTimes& launch) {
    return launch.folder->name + " " + tensor_text(launch);
  });
  for (const auto& [name, launches] : groups) {
    const LaunchTimes& one = *launches.front();
    std::vector<std::string> cells{one.folder->name, tensor_text(one),
                                   std::to_string(launches.size())};
    add_errors(errors(launches, &LaunchTimes::first_us), cells);
    add_errors(errors(launches, &LaunchTimes::now_us), cells);
    table.add_row(cells);
    json.push_back(group_json(launches));
    json.back()["folder"] = one.folder->name;
    json.back()["what"] = one.folder->what;
  }
  return table.text(2);
}

std::string contents_table(const std::vector<Folder>& folders) {
  TextTable table({"folder", "kind", "what"});
  for (const Folder& folder : folders) table.add_row({folder.name, folder.kind, folder.what});
  return table.text(2);
}

std::string kinds_table(const Launches& all, Json& json) {
  const std::string now_of_all = "now, all";  // left out where each launch has a first prediction
  TextTable table({"kind", "tensor cores", "predictor", "launches", "mean %", "median %", "p90 %",
                   "worst %", "pairs", "ranked correctly %"});
  const auto groups = grouped(all, [](const LaunchTimes& launch) {
    return launch.folder->kind + " " + tensor_text(launch);
  });
  const std::vector<std::pair<std::string, Time>> predictors{
      {"first", &LaunchTimes::first_us},
      {"now", &LaunchTimes::now_beside_first_us},
      {now_of_all, &LaunchTimes::now_us},
      {"roofline, all", &LaunchTimes::roofline_us},
      {"expected, all", &LaunchTimes::expected_us}};
  for (const auto& [name, launches] : groups) {
    const std::size_t known_first = errors(launches, &LaunchTimes::first_us).points;
    const LaunchTimes& one = *launches.front();
    for (const auto& [predictor, time] : predictors) {
      const ErrorSummary e = errors(launches, time);
      const bool is_said = predictor == now_of_all && known_first == launches.size();
      if (e.points == 0 || is_said) continue;
      const PairCount pairs = pairs_in_programs(launches, time);
      table.add_row({one.folder->kind, tensor_text(one), predictor, std::to_string(e.points),
                     percent(e.mean), percent(e.median), percent(e.p90), percent(e.worst),
                     std::to_string(pairs.pairs), percent(pairs.share())});
    }
    json.push_back(group_json(launches));
  }
  return table.text(2);
}

// "0.93 us on h200, ...".
std::string added_text() {
  std::string text;
  for (const char* device : {"h100", "h200"}) {
    text += (text.empty() ? "" : ", ") + fixed(*profiler_adds_us(load_device_profile(device)), 2) +
            " us on " + device;
  }
  return text;
}

std::string profiled_table(const Launches& all, Json& json) {
  const std::string bound = fixed(kLongProfiledUs, 0) + " us";
  TextTable table({"kind", "measured", "launches", "profiled: mean %", "median %", "now: mean %",
                   "median %", "p90 %", "expected: mean %", "median %", "p90 %"});
  const auto groups = grouped(all, [&](const LaunchTimes& launch) {
    return launch.folder->kind + (launch.measured_us < kLongProfiledUs ? " 1" : " 0");
  });
  for (const auto& [name, launches] : groups) {
    const LaunchTimes& one = *launches.front();
    const std::string length =
        one.measured_us < kLongProfiledUs ? "less than " + bound : bound + " and more";
    const ErrorSummary profiled = errors(launches, &LaunchTimes::profiled_us),
                       now = errors(launches, &LaunchTimes::now_beside_profiled_us);
    const ErrorSummary expected = errors(launches, &LaunchTimes::expected_us);
    std::vector<std::string> cells{one.folder->kind, length, std::to_string(profiled.points),
                                   percent(profiled.mean), percent(profiled.median)};
    add_errors(now, cells);
    add_errors(expected, cells);
    table.add_row(cells);
    json.push_back({{"kind", one.folder->kind},
                    {"measured", length},
                    {"profiled", errors_json(profiled)},
                    {"now", errors_json(now)},
                    {"expected", errors_json(expected)}});
  }
  return table.text(2);
}

// The programs whose recordings say what each launch represents.
std::string sums_table(const Launches& all, Json& json) {
  std::vector<RecordedProgram> programs;
  const auto scripts = grouped(all, [](const LaunchTimes& launch) { return launch.script; });
  for (const auto& [name, launches] : scripts) {
    std::vector<RepresentedLaunches> of_script;
    for (const LaunchTimes* launch : launches) of_script.push_back(launch->stands_for);
    const ProgramSum sum = program_sum(of_script);
    if (sum.points > 0) programs.push_back({launches.front()->folder->kind, name, sum});
  }
  const std::string table = program_sums_table(programs, json);
  if (table.empty()) return "";
  return "\nSums over the launches of a program, of recordings that say how many each launch "
         "represents.\nmeasured: the measured times of the profiled launches, in place of "
         "predictions\n" +
         table;
}

}  // namespace

std::string shipped_others() { return data_root() + "/experiments/others"; }

Rendered others_table(const std::string& folder, const std::string& net,
                      const RunOptions& options) {
  need_cycles(net);
  const std::vector<Folder> folders = listed_folders(folder);
  std::vector<LaunchTimes> launches;
  spdlog::info("predicting the launches of {} recordings, which takes minutes", folders.size());
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const std::size_t added = add_launches(folders[i], net, options, launches);
    spdlog::info("{} of {}: {}: {} launches", i + 1, folders.size(), folders[i].name, added);
  }
  Launches all;
  for (const LaunchTimes& launch : launches) all.push_back(&launch);
  const auto unfinished =
      std::count_if(all.begin(), all.end(), [](const auto* l) { return std::isnan(l->now_us); });
  Json by_folder = Json::array(), by_kind = Json::array(), by_length = Json::array(),
       programs = Json::array();
  Rendered out;
  out.text =
      std::to_string(all.size()) + " launches of " + std::to_string(folders.size()) +
      " recordings, net " + net +
      (unfinished > 0 ? "; " + std::to_string(unfinished) + " have no time now: " + kUnfinished
                      : "") +
      "\n\nBy folder. first: the first prediction, when nobody had looked at the program; "
      "now: today's\n" +
      folders_table(all, by_folder) +
      "\nBy kind. pairs: launches of one program (of PyTorch: of one kernel) whose measured "
      "times differ\nby more than " +
      fixed(100 * kPairDifference, 0) +
      " %; ranked correctly: the shorter one is predicted to be shorter. first, now: of the\n"
      "launches with a first prediction\n" +
      kinds_table(all, by_kind) +
      "\nThe duration under the profiler, taken as a prediction, beside the net's. expected: "
      "from " +
      fixed(kLongProfiledUs, 0) + " us under\nthe profiler on, that time less what it adds (" +
      added_text() + "); below, the net's prediction\n" + profiled_table(all, by_length) +
      sums_table(all, programs) + "\nThe folders hold\n" + contents_table(folders);
  out.json = Json{{"folders", by_folder},
                  {"kinds", by_kind},
                  {"lengths", by_length},
                  {"programs", programs}}
                 .dump(1) +
             "\n";
  return out;
}

}  // namespace pnsim::experiments
