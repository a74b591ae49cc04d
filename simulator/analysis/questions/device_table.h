// Kernels by GPU: the predicted time and the bottleneck of each kernel on each of several devices.
#pragma once

#include <string>
#include <vector>

#include "simulator/analysis/predict/run_report.h"

namespace pnsim {

struct OnDevice {
  std::optional<double> us;  // nothing where not every run came to its end
  std::string bottleneck;    // "memory (DRAM) 83.1 %"
  Outcome outcome = Outcome::kGoal;
  PredictionWarnings warnings = {};
};

struct DeviceTableRow {
  std::string file, kernel;  // kernel: of the only launch; else "3 launches"
  std::vector<OnDevice> on;  // [device]; empty where a prediction failed
  std::string error;         // then why
};

// The order of the rows: by name; the longest time on the first device first; or the largest gain
// first, which is the time that the last device saves. Rows without such a number come last.
enum class DeviceTableOrder { kFile, kTime, kGain };

// "file", "time" or "gain"; error 2 for another word.
DeviceTableOrder parse_device_table_order(const std::string& word);

struct DeviceTable {
  std::string net, mode;
  std::vector<std::string> devices;  // as named by the user; the first is the one compared with
  std::vector<DeviceTableRow> rows = {};
  // [device] what an estimated profile is made from; "" for a measured one
  std::vector<std::string> estimates = {};
  DeviceTableOrder order = DeviceTableOrder::kFile;
  std::size_t most = 0;  // rows of the table, the CSV and the JSON; 0: all. Totals are of all rows

  // Sum over the rows that have a time on every device.
  double total_us(std::size_t device) const;
};

// One sentence a device after the first: its total against the first one's, the kernels that make
// most of the difference, and the kernels with the largest and the smallest gain.
std::string why_text(const DeviceTable& table);

Json to_json(const DeviceTable& table);
std::string text_of(const DeviceTable& table);
std::string csv_of(const DeviceTable& table);

}  // namespace pnsim
