#include "experiments/measure/micro_rounds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiments/measure/measured_facts.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

constexpr double kLeastMeasuredClock = 0.95, kLeastReportedClock = 0.9;
constexpr double kTolerance = 0.15, kHostTolerance = 1;
constexpr std::size_t kLeastRounds = 2;

// One number in one round.
struct Sample {
  std::size_t round;  // from 1
  const InputJson* row;
  double value;
};

std::string text_of(const InputJson& row) {
  std::string text = row["bench"].get<std::string>();
  for (const auto& [axis, value] : row["axes"].items()) {
    text += " " + axis + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

std::string mhz_text(double mhz) { return fixed(mhz, 0) + " MHz"; }

// Why a whole round does not count; "" when it does.
std::string fault_of_round(const std::vector<InputJson>& rows, double clock_mhz) {
  for (const InputJson& row : rows) {
    if (row["bench"] != "sm_clock") continue;
    const double found = row["value"].get<double>();
    if (found >= kLeastMeasuredClock * clock_mhz) return "";
    return "the clock of the SMs was " + mhz_text(found) + " of " + mhz_text(clock_mhz) +
           " (throttled or locked)";
  }
  return "";
}

// Why the rows of one benchmark in one round do not count; "" when they do.
std::string fault_of_row(const InputJson& row, double clock_mhz) {
  const bool may_throttle = measures_throttling(row.value("bench", ""));
  if (!may_throttle && row.value("throttled", Json(nullptr)) == true) {
    return "the driver had throttled the clock (power or temperature)";
  }
  const Json processes = row.value("other_processes", Json(nullptr));
  if (processes.is_number() && processes.get<double>() > 0) {
    return "other processes were on the GPU: " + processes.dump();
  }
  const Json clock = row.value("sm_clock_mhz", Json(nullptr));
  if (!may_throttle && clock.is_number() && clock.get<double>() > 0 &&
      clock.get<double>() < kLeastReportedClock * clock_mhz) {
    return "the driver reported a clock of " + mhz_text(clock.get<double>()) + " of " +
           mhz_text(clock_mhz);
  }
  return "";
}

bool depends_on_host(const InputJson& row) {
  const std::string text = text_of(row);
  return text.starts_with("transfer") || text.starts_with("launch from=stream");
}

std::string values_text(const std::vector<Sample>& samples) {
  std::string text;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    text += (i == 0                    ? ""
             : i + 1 == samples.size() ? " and "
                                       : ", ") +
            significant(samples[i].value, 4);
  }
  return text + " " + samples.front().row->value("unit", "");
}

std::vector<double> values_of(const std::vector<Sample>& samples) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.value);
  return values;
}

class Judge {
 public:
  explicit Judge(double clock_mhz) : clock_mhz_(clock_mhz) {}

  void add_round(std::size_t round, const std::vector<InputJson>& rows) {
    for (const InputJson& row : rows) check(row);
    const std::string fault = fault_of_round(rows, clock_mhz_);
    if (!fault.empty()) benches_[{round, fault}] = {};
    for (const InputJson& row : rows) {
      const std::string id = row["id"].get<std::string>();
      if (samples_.try_emplace(id).second) {
        order_.push_back(id);
        first_[id] = &row;
      }
      if (!fault.empty()) continue;
      const std::string of_row = fault_of_row(row, clock_mhz_);
      if (of_row.empty()) {
        samples_[id].push_back({round, &row, row["value"].get<double>()});
      } else {
        benches_[{round, of_row}].insert(row["bench"].get<std::string>());
      }
    }
  }

  JudgedRounds result() {
    say_rejected();
    for (const std::string& id : order_) judge(*first_.at(id), samples_.at(id));
    return std::move(out_);
  }

 private:
  static void check(const InputJson& json) {
    const JsonReader row(json, "microbench row " + json.value("id", "?"));
    row.at("id").string();
    row.at("bench").string();
    row.at("axes");
    row.at("value").number();
    row.at("rel_mad").number();
    row.at("samples").integer(0, 1'000'000'000);
  }

  void reject(std::size_t round, const std::string& what, const std::string& why) {
    out_.rejected.push_back("Round " + std::to_string(round) + what + ": " + why + ".");
  }

  // One sentence for all benchmarks of a round that do not count for the same reason.
  void say_rejected() {
    constexpr std::size_t kMostNamed = 3;
    for (const auto& [round_and_why, names] : benches_) {
      std::string what;
      std::size_t named = 0;
      for (const std::string& name : names) {
        if (named++ < kMostNamed) what += ", " + name;
      }
      if (names.size() > kMostNamed)
        what += " and " + std::to_string(names.size() - kMostNamed) + " more";
      reject(round_and_why.first, what, round_and_why.second);
    }
  }

  void judge(const InputJson& first, const std::vector<Sample>& samples) {
    const std::string name = text_of(first);
    if (samples.size() < kLeastRounds) {
      out_.disputed.push_back(name + ": " + std::to_string(samples.size()) +
                              " of its rounds count, and two are needed.");
      return;
    }
    const double middle = median(values_of(samples));
    const double tolerance = depends_on_host(first) ? kHostTolerance : kTolerance;
    std::vector<Sample> agreeing;
    for (const Sample& sample : samples) {
      if (std::abs(sample.value - middle) <= tolerance * std::abs(middle)) {
        agreeing.push_back(sample);
      }
    }
    if (agreeing.size() < kLeastRounds) {
      out_.disputed.push_back(name + ": the rounds do not agree, " + values_text(samples) + ".");
      return;
    }
    for (const Sample& sample : samples) {
      if (std::abs(sample.value - middle) <= tolerance * std::abs(middle)) continue;
      reject(sample.round, ", " + name,
             significant(sample.value, 4) + " is far from the median " + significant(middle, 4));
    }
    out_.rows.push_back(merged(agreeing));
  }

  static InputJson merged(const std::vector<Sample>& samples) {
    InputJson row = *samples.back().row;
    const std::vector<double> values = values_of(samples);
    std::vector<double> spreads;
    std::int64_t count = 0;
    for (const Sample& sample : samples) {
      spreads.push_back((*sample.row)["rel_mad"].get<double>());
      count += (*sample.row)["samples"].get<std::int64_t>();
    }
    const double middle = median(values);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const double half_range = middle == 0 ? 0 : (*most - *least) / 2 / std::abs(middle);
    row["value"] = middle;
    row["rel_mad"] = std::stod(significant(std::max(median(spreads), half_range), 3));
    row["samples"] = count;
    row["rounds"] = samples.size();
    return row;
  }

  double clock_mhz_;
  std::vector<std::string> order_;  // ids in order of appearance
  std::map<std::string, const InputJson*> first_;
  std::map<std::string, std::vector<Sample>> samples_;
  // [round, why] the benchmarks that do not count; none: the whole round.
  std::map<std::pair<std::size_t, std::string>, std::set<std::string>> benches_;
  JudgedRounds out_;
};

}  // namespace

JudgedRounds judge_rounds(const std::vector<std::vector<InputJson>>& rounds, double clock_mhz) {
  Judge judge(clock_mhz);
  for (std::size_t i = 0; i < rounds.size(); ++i) judge.add_round(i + 1, rounds[i]);
  return judge.result();
}

}  // namespace pnsim::experiments
