// Sorting rates: CUB's sort beside the fastest sort of the paper.
#include <algorithm>
#include <map>

#include "experiments/tables/document_tables.h"
#include "simulator/base/error.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

// Four passes of 8 bits read and write keys of 4 bytes; one more read counts the digits.
constexpr double kBytesPerKey = 4 * (4 + 4) + 4;

struct SortTime {
  double us = 0;
  std::string how;  // "radix_shared, block 256"
};

// n -> the fastest warm time. The last row with an id counts; rows are in that order.
std::map<std::int64_t, SortTime> fastest_of(const RowIndex& rows,
                                            const std::vector<std::string>& programs) {
  std::map<std::int64_t, SortTime> out;
  for (const InputJson& row : rows.all()) {
    if (row.value("kind", "") != "time" || row.value("mode", "") != "warm") continue;
    const JsonReader time(row, "time row " + row.at("id").get<std::string>());
    const std::string program = time.at("program").string();
    if (std::find(programs.begin(), programs.end(), program) == programs.end()) continue;
    const double us = time.at("median_us").number(1e-9, 1e15);
    SortTime& best = out[time.at("axes").at("n").integer(0, std::int64_t{1} << 40)];
    if (best.us != 0 && best.us <= us) continue;
    const auto block = time.at("axes").find("block");
    best = {us, program + (block ? ", block " + std::to_string(block->integer(1, 1024)) : "")};
  }
  return out;
}

}  // namespace

Rendered sorting_table(const RowIndex& rows, const DeviceProfile& device) {
  const double bytes_per_us = device.positive("dram_copy_bandwidth") / 1e6;
  const auto cub = fastest_of(rows, {"cub_radix"});
  const auto ours = fastest_of(rows, {"radix_global", "radix_shared", "radix_coalesced"});
  TextTable table({"n", "CUB: 10^9 keys/s", "ours: 10^9 keys/s", "by", "CUB is faster, times",
                   "CUB of the DRAM bound %"});
  Json json = Json::array();
  for (const auto& [n, theirs] : cub) {
    const auto it = ours.find(n);
    if (it == ours.end() || n == 0) continue;
    const auto keys = static_cast<double>(n);
    const double of_bound = keys * kBytesPerKey / bytes_per_us / theirs.us;
    table.add_row({std::to_string(n), significant(keys / theirs.us / 1e3, 4),
                   significant(keys / it->second.us / 1e3, 4), it->second.how,
                   fixed(it->second.us / theirs.us, 1), fixed(100 * of_bound, 1)});
    json.push_back({{"n", n},
                    {"cub_us", theirs.us},
                    {"ours_us", it->second.us},
                    {"ours", it->second.how},
                    {"of_dram_bound", of_bound}});
  }
  if (table.empty()) {
    fail_unavailable(
        "no size is recorded for cub_radix and a sort of the paper; on a machine with "
        "that GPU: experiment measure -a program=[cub_radix]");
  }
  return {"Warm times of CUB's sort and of the fastest of the paper's; the bound is " +
              fixed(kBytesPerKey, 0) + " bytes a key at dram_copy_bandwidth\n\n" + table.text(2),
          json.dump(1) + "\n", ""};
}

}  // namespace pnsim::experiments
