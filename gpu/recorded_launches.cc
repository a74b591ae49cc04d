#include "gpu/recorded_launches.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "simulator/base/brackets.h"
#include "simulator/base/error.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/stats.h"

namespace pnsim::gpu {
namespace {

constexpr std::int64_t kMostExtent = 2'147'483'647;  // blocks along x

using Kind = std::tuple<std::string, Extent, Extent, std::int64_t>;

Kind kind_of(const RecordedLaunch& launch) {
  return {launch.kernel, launch.grid, launch.block, launch.shared_bytes};
}

using Place = std::pair<Kind, std::int64_t>;  // with the invocation: the same launch in every run

Place place_of(const RecordedLaunch& launch) { return {kind_of(launch), launch.invocation}; }

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

void number_invocations(std::vector<RecordedLaunch>& launches) {
  std::map<std::string, std::int64_t> seen;
  for (RecordedLaunch& launch : launches) {
    launch.invocation = ++seen[kernel_base_name(launch.kernel)];
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

struct KindOfLaunch {
  double total_us = 0;
  std::vector<std::int64_t> invocations;
};

std::vector<KindOfLaunch> kinds_of(const std::vector<RecordedLaunch>& launches) {
  std::map<Kind, KindOfLaunch> by_kind;
  for (const RecordedLaunch& launch : launches) {
    KindOfLaunch& kind = by_kind[kind_of(launch)];
    kind.total_us += launch.time_us;
    kind.invocations.push_back(launch.invocation);
  }
  std::vector<KindOfLaunch> kinds;
  for (auto& [key, kind] : by_kind) kinds.push_back(std::move(kind));
  return kinds;
}

// An invocation number, of every kernel that has so many.
struct InvocationNumber {
  std::size_t launches = 0;
  std::vector<std::size_t> kinds;  // that it represents
};

// The first invocation of a kind represents it only where there is no other.
std::map<std::int64_t, InvocationNumber> numbers_of(const std::vector<RecordedLaunch>& launches,
                                                    const std::vector<KindOfLaunch>& kinds) {
  std::map<std::int64_t, InvocationNumber> numbers;
  for (const RecordedLaunch& launch : launches) ++numbers[launch.invocation].launches;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const bool has_others = kinds[k].invocations.size() > 1;
    for (const std::int64_t number : kinds[k].invocations) {
      if (number != 1 || !has_others) numbers[number].kinds.push_back(k);
    }
  }
  return numbers;
}

// Kernel time, in microseconds, of the kinds that this number represents and that no number taken
// before represents, divided by the launches of this number. When two numbers have the same gain,
// the one in the middle of a kind's invocations counts slightly more.
double gain_of(std::int64_t value, const InvocationNumber& number,
               const std::vector<KindOfLaunch>& kinds, const std::vector<bool>& has) {
  constexpr double kMiddle = 1e-6;
  double gain = 0;
  for (const std::size_t k : number.kinds) {
    const auto& invocations = kinds[k].invocations;
    const bool is_middle = value == invocations[invocations.size() / 2];
    if (!has[k]) gain += (kinds[k].total_us + 1e-9) * (is_middle ? 1 + kMiddle : 1);
  }
  return gain / static_cast<double>(number.launches);
}

void tell_share(const std::vector<KindOfLaunch>& kinds, LaunchChoice& choice) {
  const std::set<std::int64_t> taken(choice.invocations.begin(), choice.invocations.end());
  double all_us = 0, taken_us = 0;
  for (const KindOfLaunch& kind : kinds) {
    all_us += kind.total_us;
    if (std::none_of(kind.invocations.begin(), kind.invocations.end(),
                     [&](std::int64_t number) { return taken.contains(number); }))
      continue;
    taken_us += kind.total_us;
    ++choice.kinds_taken;
  }
  choice.kinds = kinds.size();
  choice.share_of_time = all_us > 0 ? taken_us / all_us : 1;
}

void count_kinds(const std::vector<RecordedLaunch>& all, std::vector<RecordedLaunch>& chosen) {
  std::map<Kind, std::int64_t> made;
  for (const RecordedLaunch& launch : all) ++made[kind_of(launch)];
  for (RecordedLaunch& launch : chosen) launch.of_kind = made.at(kind_of(launch));
}

std::string shape_text(const Extent& extent) {
  return "(" + std::to_string(extent[0]) + ", " + std::to_string(extent[1]) + ", " +
         std::to_string(extent[2]) + ")";
}

}  // namespace

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
  number_invocations(launches);
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

LaunchChoice choose_launches(const std::vector<RecordedLaunch>& launches, std::size_t most) {
  const std::vector<KindOfLaunch> kinds = kinds_of(launches);
  std::map<std::int64_t, InvocationNumber> numbers = numbers_of(launches, kinds);
  std::vector<bool> has(kinds.size());  // [kind] whether a chosen number represents it
  LaunchChoice choice;
  std::size_t left = most;
  for (const auto& [value, number] : numbers) {
    if (!number.kinds.empty() && (choice.least == 0 || number.launches < choice.least))
      choice.least = number.launches;
  }
  for (;;) {
    auto best = numbers.end();
    double most_gain = 0;
    for (auto it = numbers.begin(); it != numbers.end(); ++it) {
      if (it->second.launches > left) continue;
      const double gain = gain_of(it->first, it->second, kinds, has);
      if (gain > most_gain) std::tie(best, most_gain) = std::pair(it, gain);
    }
    if (best == numbers.end()) break;
    choice.invocations.push_back(best->first);
    left -= best->second.launches;
    for (const std::size_t k : best->second.kinds) has[k] = true;
    numbers.erase(best);
  }
  std::sort(choice.invocations.begin(), choice.invocations.end());
  for (const RecordedLaunch& launch : launches) {
    if (std::binary_search(choice.invocations.begin(), choice.invocations.end(), launch.invocation))
      choice.launches.push_back(launch);
  }
  count_kinds(launches, choice.launches);
  tell_share(kinds, choice);
  return choice;
}

std::string kernel_id_argument(const std::vector<std::int64_t>& invocations) {
  std::string list;
  for (const std::int64_t number : invocations) {
    list += (list.empty() ? "" : "|") + std::to_string(number);
  }
  return ":::^(" + list + ")$";
}

std::vector<std::optional<RecordedLaunch>> match_page(const std::vector<PageLaunch>& page,
                                                      const std::vector<RecordedLaunch>& launches,
                                                      const std::string& origin) {
  std::vector<std::optional<RecordedLaunch>> matched;
  auto next = launches.begin();
  bool has_some = page.empty();
  for (const PageLaunch& row : page) {
    const auto found = std::find_if(next, launches.end(), [&](const RecordedLaunch& launch) {
      return launch.grid == row.grid && launch.block == row.block &&
             kernel_base_name(launch.kernel) == kernel_base_name(row.kernel);
    });
    if (found == launches.end()) {
      matched.emplace_back();
      continue;
    }
    has_some = true;
    matched.emplace_back(*found);
    next = found + 1;
  }
  if (has_some) return matched;
  if (page[0].grid == Extent{0, 0, 0}) {
    fail_input(origin + ": row 1", "the profiler has no counters of " +
                                       kernel_base_name(page[0].kernel) +
                                       ": its launch failed. Run `compute-sanitizer PROGRAM` "
                                       "to see whether it also fails without the profiler");
  }
  fail_input(origin + ": row 1", "found " + kernel_base_name(page[0].kernel) + " with grid " +
                                     shape_text(page[0].grid) + " and block " +
                                     shape_text(page[0].block) +
                                     ", which the timed runs did not launch there, nor any other "
                                     "row: does the program do the same work in each run?");
}

std::vector<double> stood_for(const std::vector<std::optional<RecordedLaunch>>& profiled) {
  struct Rows {
    double first = 0, later = 0;
  };
  std::map<Kind, Rows> rows;
  const auto is_first = [](const RecordedLaunch& launch) { return launch.invocation == 1; };
  for (const auto& launch : profiled) {
    if (launch) ++(is_first(*launch) ? rows[kind_of(*launch)].first : rows[kind_of(*launch)].later);
  }
  std::vector<double> out;
  for (const auto& launch : profiled) {
    if (!launch) {
      out.push_back(0);
      continue;
    }
    const Rows& of_kind = rows.at(kind_of(*launch));
    const auto made = static_cast<double>(launch->of_kind);
    out.push_back(of_kind.later == 0  ? made / of_kind.first
                  : is_first(*launch) ? 1
                                      : (made - of_kind.first) / of_kind.later);
  }
  return out;
}

}  // namespace pnsim::gpu
