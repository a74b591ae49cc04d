#include "simulator/model/derive/in_place_page.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "simulator/base/error.h"
#include "simulator/model/derive/kept_counters.h"
#include "simulator/model/derive/raw_row.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/memory_units.h"
#include "simulator/model/sass/kernel_name.h"

namespace pnsim {
namespace {

struct InPlaceCounter {
  const char* column;   // of the page
  const char* counter;  // of the launch
};
constexpr const char* kReadBytes = "dram_read_bytes";
constexpr const char* kMissSectors = "l2_miss_sectors";
constexpr InPlaceCounter kInPlaceCounters[] = {
    {"lts__t_sectors_srcunit_tex_lookup_miss.sum", kMissSectors},
    {"dram__bytes_read.sum", kReadBytes},
    {"dram__bytes_write.sum", "dram_write_bytes"}};

// DRAM also serves what is not of the launch: its code, 64 KiB at once, and constants. On an H100,
// 40 launches that load less than 5 kB read up to 42 kB from DRAM in place, their code included. Up
// to here, beyond the code, the launch is taken to read from DRAM all that it misses in L2, or
// nothing: its misses may be in the other partition.
constexpr std::int64_t kReadsOfOthers = 50'000;  // bytes

void check_in_place_columns(const RawRow& row, const std::string& origin) {
  std::vector<std::string> missing;
  for (const std::string& column : in_place_columns()) {
    if (!row.has(column)) missing.push_back(column);
  }
  if (missing.empty()) return;
  std::string metrics;
  for (const std::string& column : in_place_columns())
    metrics += (metrics.empty() ? "" : ",") + column;
  fail_input(origin, "the page lacks " + quoted_columns(missing) +
                         "; profile with ncu --replay-mode application --clock-control none "
                         "--cache-control none --metrics " +
                         metrics);
}

// Whether the row is of the same kernel, with as many blocks and threads.
bool is_same_launch(const RawRow& row, const ProfiledLaunch& launch) {
  const auto number = [&](const char* column) {
    const auto it = launch.counters.find(column);
    return it == launch.counters.end() ? -1 : it->second;
  };
  return is_same_kernel(plain_kernel_name(row.text("Kernel Name")), launch.kernel) &&
         (!row.has("launch__grid_size") ||
          row.number("launch__grid_size") == number("launch__grid_size")) &&
         (!row.has("launch__block_size") ||
          row.number("launch__block_size") == number("launch__block_size"));
}

bool has_counts(const RawRow& row) {
  const std::vector<std::string>& columns = in_place_columns();
  return std::all_of(columns.begin(), columns.end(),
                     [&](const std::string& column) { return row.has_value(column); });
}

// In pages of earlier versions: launches, which are at least as many as kernels.
constexpr const char* kOtherLaunchesColumn = "pnsim__other_launches_before";

std::optional<std::int64_t> other_kernels(const RawRow& row) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const char* column = row.has(kOtherKernelsColumn) ? kOtherKernelsColumn : kOtherLaunchesColumn;
  if (!row.has_value(column)) return std::nullopt;
  const std::int64_t count = row.count(column);
  if (count > kMost) {
    fail_input(row.where() + ", column " + column,
               "found " + std::to_string(count) + ", expected at most " + std::to_string(kMost));
  }
  return count;
}

// A page without the column: other kernels are taken to have run in between.
bool follows_others(const RawRow& row) { return other_kernels(row).value_or(1) != 0; }

// Why the row says nothing of the launch, "" where it does: it is of another launch, or a cell is
// no count, or means more bytes than any GPU moves in the launch's profiled time.
std::string fault_of(const RawRow& row, const ProfiledLaunch& launch) {
  try {
    if (!is_same_launch(row, launch))
      return row.where() + ": found another launch than " + launch.kernel + " of the other page";
    if (!has_counts(row)) return row.where() + ": found no counts of " + launch.kernel;
    if (row.has_value("ID") && launch.id != kNoLaunchId && row.count("ID") != launch.id) {
      return row.where() + ", column ID: found " + row.text("ID") + ", expected the " +
             std::to_string(launch.id) + " of " + launch.kernel + " in the other page";
    }
    for (const InPlaceCounter& counter : kInPlaceCounters) row.count(counter.column);
    other_kernels(row);
    check_rates(row, launch.profiled_us);
  } catch (const Error& error) {
    if (error.code() != ExitCode::kBadInput) throw;
    return error.what();
  }
  return "";
}

double mean_code_bytes(const std::vector<ProfiledLaunch>& launches) {
  double sum = 0;
  for (const ProfiledLaunch& launch : launches)
    sum += static_cast<double>(launch.code.executed_bytes);
  return sum / static_cast<double>(std::max<std::size_t>(launches.size(), 1));
}

// Whether the code of the launch was evicted from L2. DRAM then reads all that L2 fetches ahead,
// mostly with 2 to 5 kB more; else it reads at most 3 kB. Estimate: of a launch that reads data
// from DRAM as well the page does not tell, and its code is taken to be evicted.
bool reads_code_from_dram(const RawRow& row, const ProfiledLaunch& launch) {
  return follows_others(row) && launch.code.bytes_ahead > 0 &&
         2 * row.count("dram__bytes_read.sum") >= launch.code.bytes_ahead;
}

// Code executed since the kernel's last launch began. The page does not say of which kernels, so
// each of the others is taken to have as much as those of the profiled launches on average.
std::int64_t code_since(std::int64_t others, const ProfiledLaunch& launch, double mean_bytes) {
  return launch.code.executed_bytes + std::llround(static_cast<double>(others) * mean_bytes);
}

void add_code(const CodeFetch& code, Launch& launch) {
  const auto set = [&](const char* name, std::int64_t count) {
    if (count > 0) launch.counters[name] = count;
  };
  set(kCodeLines, code.lines);
  set(kCodeJumps, code.jumps);
  set(kFarCodeLines, code.far_lines);
  set(kFarCodeJumps, code.far_jumps);
}

// Bytes that the launch reads from DRAM, of all that DRAM served meanwhile. These may hold its
// code.
std::int64_t own_reads(const ProfiledLaunch& launch, bool with_code) {
  const std::int64_t missed = static_cast<std::int64_t>(kSectorBytes) *
                              launch.launch.counters.at(kMissSectors),
                     beyond_code = launch.launch.counters.at(kReadBytes) -
                                   (with_code ? launch.code.bytes_ahead : 0);
  if (beyond_code > kReadsOfOthers) return beyond_code;
  return 2 * beyond_code >= missed ? missed : 0;
}

void check_launches(const CsvRows& rows, std::size_t count, const std::string& origin) {
  const std::size_t found = rows.size() - 2;
  if (found == count) return;
  fail_input(origin, "found " + std::to_string(found) + " launches, expected the " +
                         std::to_string(count) + " of the other page");
}

}  // namespace

std::string with_other_kernels(const std::string& text, const std::string& origin,
                               const std::vector<std::optional<std::int64_t>>& others) {
  std::vector<std::string> cells;
  for (const auto& count : others) cells.push_back(count ? std::to_string(*count) : "");
  return with_column(text, origin, kOtherKernelsColumn, cells);
}

const std::vector<std::string>& in_place_columns() {
  static const std::vector<std::string> kColumns = [] {
    std::vector<std::string> columns;
    for (const InPlaceCounter& counter : kInPlaceCounters) columns.emplace_back(counter.column);
    return columns;
  }();
  return kColumns;
}

std::vector<std::string> add_in_place_page(const std::string& text, const std::string& origin,
                                           std::size_t count,
                                           std::vector<ProfiledLaunch>& launches) {
  const CsvRows rows = raw_page_rows(text, origin);
  check_launches(rows, count, origin);
  check_in_place_columns(RawRow(rows, 2, origin), origin);
  std::vector<std::string> warnings;
  const RawRow first(rows, 2, origin);
  if (!first.has(kOtherKernelsColumn) && !first.has(kOtherLaunchesColumn)) {
    warnings.push_back(origin + ": found no column " + kOtherKernelsColumn +
                       ", which experiment profile writes; each launch is taken to fetch its code");
  }
  const double mean_bytes = mean_code_bytes(launches);
  for (ProfiledLaunch& launch : launches) {
    const RawRow row(rows, launch.position + 2, origin);
    if (row.has("device__attribute_display_name") &&
        row.text("device__attribute_display_name") != launch.device) {
      fail_input(row.where(), "found a launch on " + row.text("device__attribute_display_name") +
                                  ", expected " + launch.device + ", as in the other page");
    }
    const std::string fault = fault_of(row, launch);
    if (!fault.empty()) {
      warnings.push_back(fault + "; " + launch.kernel + " is predicted as if it were repeated");
      continue;
    }
    const auto repeated = launch.launch.counters.find(kReadBytes);
    if (repeated != launch.launch.counters.end())
      launch.launch.counters[kRepeatedReadBytes] = repeated->second;
    for (const InPlaceCounter& counter : kInPlaceCounters)
      launch.launch.counters[counter.counter] = row.count(counter.column);
    const bool from_dram = reads_code_from_dram(row, launch);
    launch.launch.counters[kReadBytes] = own_reads(launch, from_dram);
    launch.launch.start = CacheStart::kInPlace;
    if (!follows_others(row)) continue;
    add_code(launch.code, launch.launch);
    // Estimate: what L2 has lost, the SMs have lost as well. Without kCodeSinceBytes the net takes
    // code as lost.
    if (from_dram) {
      launch.launch.counters[kCodeFromDram] = 1;
    } else if (const auto others = other_kernels(row); others && !launch.code.is_empty()) {
      launch.launch.counters[kCodeSinceBytes] = code_since(*others, launch, mean_bytes);
    }
  }
  return warnings;
}

}  // namespace pnsim
