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
  // The time there as far as it is known: measured, or expected from the profile
  // (predict/expected_time.h).
  std::optional<double> known_us = {};
};

struct DeviceTableRow {
  std::string file, kernel;          // kernel: of the only launch; else "3 launches"
  std::string template_arguments;    // of the only launch
  bool is_in_place = false;          // predicted in its program
  std::string profiled_on;           // then the device of its profile, if nothing was changed since
  std::optional<double> stands_for;  // launches of the program (kernel_model.h)
  std::vector<OnDevice> on;          // [device]; empty where a prediction failed
  std::string error;                 // then why
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

  // Sum of the predictions over the rows that have a time on every device. If there are several
  // rows, each counts as often as it stands for launches of its program, or once where that is not
  // known.
  double total_us(std::size_t device) const;
};

// The known time of the kernel on the device. Where only that on another device is known, it
// changes as the predictions do: the errors of one kernel on two GPUs are much alike (`experiment
// table devices`). Nothing where none is known, or not every run came to its end.
std::optional<double> expected_us(const DeviceTableRow& row, std::size_t device);

// One sentence a device after the first: its total against the first one's, the kernels that make
// most of the difference, and the kernels with the largest and the smallest gain.
std::string why_text(const DeviceTable& table);

Json to_json(const DeviceTable& table);
std::string text_of(const DeviceTable& table);
std::string csv_of(const DeviceTable& table);

}  // namespace pnsim
