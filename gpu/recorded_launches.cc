#include "gpu/recorded_launches.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>

#include "simulator/base/brackets.h"
#include "simulator/base/error.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/stats.h"

namespace pnsim::gpu {
namespace {

constexpr std::int64_t kMostExtent = 2'147'483'647;  // blocks along x

// The same launch in every run: which one of its kernel and of its kind.
using Place = std::tuple<Kind, std::int64_t, std::int64_t>;

Place place_of(const RecordedLaunch& launch) {
  return {kind_of(launch), launch.invocation, launch.number};
}

// "c" of a mangled name such as "_ZN1a1b1cIiEEvT_". Names of many template arguments stay mangled,
// since the standard demangler gives up on them, but Nsight Compute demangles them.
std::string_view last_of_mangled(std::string_view name) {
  std::string_view rest = name.substr(2), last = name;
  const bool is_nested = rest.starts_with("N");
  if (is_nested) rest.remove_prefix(1);
  if (rest.starts_with("St")) rest.remove_prefix(2);
  for (;;) {
    if (rest.starts_with("L")) rest.remove_prefix(1);  // internal linkage
    std::size_t digits = 0, length = 0;
    while (digits < rest.size() && digits < 9 &&
           std::isdigit(static_cast<unsigned char>(rest[digits])))
      length = 10 * length + static_cast<std::size_t>(rest[digits++] - '0');
    if (digits == 0 || length == 0 || digits + length > rest.size()) return last;
    last = rest.substr(digits, length);
    rest.remove_prefix(digits + length);
    if (!is_nested) return last;
  }
}

Extent extent_of(const JsonReader& reader) {
  const std::vector<JsonReader> items = reader.items();
  if (items.size() != 3) reader.fail_expected("three sizes");
  Extent extent{};
  for (std::size_t i = 0; i < 3; ++i) extent[i] = items[i].integer(1, kMostExtent);
  return extent;
}

RecordedLaunch launch_of(const JsonReader& row) {
  RecordedLaunch launch;
  launch.kernel = row.at("kernel").string();
  launch.symbol = row.at("symbol").string();
  if (launch.symbol.empty()) row.at("symbol").fail_expected("a name");
  launch.grid = extent_of(row.at("grid"));
  launch.block = extent_of(row.at("block"));
  launch.shared_bytes = row.at("shared_bytes").integer(0, kMostExtent);
  launch.time_us = row.at("time_ns").number(0, 1e15) / 1000;
  launch.all_times_us = {launch.time_us};
  return launch;
}

void check_last_row(const JsonReader& row, std::size_t launches) {
  if (row.at("launches").integer(0, kMostExtent) != static_cast<std::int64_t>(launches)) {
    row.fail("found " + std::to_string(launches) + " rows of launches before it");
  }
  const std::int64_t dropped = row.at("dropped_records").integer(0, kMostExtent);
  if (dropped > 0) {
    row.fail("CUPTI dropped " + std::to_string(dropped) +
             " records: profile a shorter run of the program");
  }
}

void number_launches(std::vector<RecordedLaunch>& launches) {
  std::map<std::string, std::int64_t> of_kernel;
  std::map<Kind, std::int64_t> of_kind;
  for (RecordedLaunch& launch : launches) {
    launch.invocation = ++of_kernel[launch.symbol];
    launch.number = ++of_kind[kind_of(launch)];
  }
}

void count_others(std::vector<RecordedLaunch>& launches) {
  std::vector<std::string> latest;  // kernels, the one launched last in front of the others
  for (RecordedLaunch& launch : launches) {
    const auto own = std::find(latest.begin(), latest.end(), launch.kernel);
    if (own != latest.end()) {
      launch.others_before = own - latest.begin();
      std::rotate(latest.begin(), own, own + 1);
    } else {
      latest.insert(latest.begin(), launch.kernel);
    }
  }
}

}  // namespace

Kind kind_of(const RecordedLaunch& launch) {
  return {launch.symbol, launch.grid, launch.block, launch.shared_bytes};
}

std::string kernel_base_name(std::string_view name) {
  if (name.starts_with("_Z")) return std::string(last_of_mangled(name));
  std::string text = without_brackets(without_unnamed_namespaces(name));
  const auto scope = text.rfind("::");
  if (scope != std::string::npos) text = text.substr(scope + 2);
  const auto blank = text.find_last_of(" *&");
  if (blank != std::string::npos) text = text.substr(blank + 1);
  return text.empty() ? std::string(name) : text;
}

std::vector<RecordedLaunch> read_recorded_launches(const std::string& text,
                                                   const std::string& origin) {
  std::vector<RecordedLaunch> launches;
  std::istringstream lines(text);
  bool complete = false;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string place = origin + ": line " + std::to_string(++number);
    const InputJson json = parse_json(line, place);
    const JsonReader row(json, place);
    complete = row.find("launches").has_value();
    if (complete) {
      check_last_row(row, launches.size());
    } else {
      launches.push_back(launch_of(row));
    }
  }
  if (!complete) fail_input(origin, "the program ended before its launches were written");
  number_launches(launches);
  count_others(launches);
  return launches;
}

AgreedLaunches agree(const std::vector<std::vector<RecordedLaunch>>& runs) {
  AgreedLaunches agreed;
  if (runs.empty()) return agreed;
  std::vector<std::map<Place, double>> others;
  for (std::size_t run = 1; run < runs.size(); ++run) {
    std::map<Place, double>& times = others.emplace_back();
    for (const RecordedLaunch& launch : runs[run]) {
      times[place_of(launch)] = launch.time_us;
    }
  }
  for (RecordedLaunch launch : runs.front()) {
    const Place place = place_of(launch);
    const bool in_all = std::all_of(others.begin(), others.end(),
                                    [&](const auto& times) { return times.contains(place); });
    if (!in_all) continue;
    for (const auto& times : others) launch.all_times_us.push_back(times.at(place));
    launch.time_us = median(launch.all_times_us);
    agreed.launches.push_back(std::move(launch));
  }
  for (const std::vector<RecordedLaunch>& run : runs)
    agreed.differing = std::max(agreed.differing, run.size() - agreed.launches.size());
  return agreed;
}

AgreedLaunches without_instrumentation(const AgreedLaunches& instrumented,
                                       const AgreedLaunches& serial, double offset_us) {
  std::map<Place, const RecordedLaunch*> others;
  for (const RecordedLaunch& launch : serial.launches) others[place_of(launch)] = &launch;
  AgreedLaunches agreed;
  for (RecordedLaunch launch : instrumented.launches) {
    const auto other = others.find(place_of(launch));
    if (other == others.end()) continue;
    const double less_us = other->second->time_us - offset_us;
    const auto& instrumented_us = launch.all_times_us;
    if (less_us > 0 &&
        less_us < *std::min_element(instrumented_us.begin(), instrumented_us.end())) {
      launch.time_us = less_us;
      launch.all_times_us.clear();
      for (const double time_us : other->second->all_times_us)
        launch.all_times_us.push_back(std::max(time_us - offset_us, 0.0));
    }
    agreed.launches.push_back(std::move(launch));
  }
  const auto lost = [&](const AgreedLaunches& of_kind) {
    return of_kind.differing + of_kind.launches.size() - agreed.launches.size();
  };
  agreed.differing = std::max(lost(instrumented), lost(serial));
  return agreed;
}

}  // namespace pnsim::gpu
