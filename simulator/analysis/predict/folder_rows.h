// The rows of a folder's report, and which of them are shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/predict/nets_report.h"
#include "simulator/analysis/predict/run_point.h"

namespace pnsim {

// The result for one file. Models and nets are not kept, so that a large folder fits in memory.
struct FolderRow {
  std::string file;  // its name in the folder
  ExitCode code = ExitCode::kOk;
  std::string error;  // why there is no prediction; then the fields below have no meaning
  std::string model, net, device;  // `net` is the believed one, and so are its numbers
  std::string profiled_on;         // another GPU than `device`, where the counts are from; or ""
  std::size_t launches = 1;        // number of launch entries of the program
  std::string kernel, template_arguments;  // of the only launch; "" for several launches
  std::int64_t grid = 0, block = 0;
  double steps = 0;
  std::optional<double> predicted_us, measured_us;
  std::optional<double> beside_us;    // predicted by the other net, where two apply
  bool beside_is_borrowed = false;    // its time scale was fitted to other programs
  bool is_borrowed = false;           // that of `predicted_us` was
  std::optional<double> profiled_us;  // the profiler's time, where no other measurement exists
  std::optional<double> expected_us;  // expected_time.h
  std::optional<double> stands_for;   // launches of the program (kernel_model.h)
  Outcome outcome = Outcome::kGoal;
  PredictionWarnings warnings;
  std::string busiest_unit;  // the bottleneck resource; "" without --reasons
  std::string json;          // the --json object of the model without "file"; "" when not requested
};

// The order of the rows. By time: most predicted time first, times the launches that the row stands
// for where it says so. By error: the largest difference from the measured time first, or from the
// profiled time where none is measured. Rows without the number come last.
enum class FolderOrder { kFile, kTime, kError };

struct FolderView {
  FolderOrder order = FolderOrder::kFile;
  std::size_t most = 0;  // rows of the table, the CSV and models[]; 0: all
};

struct FolderReport {
  std::string folder;  // as given
  std::string mode;    // "warm" or "cold"
  PointOptions options;
  bool net_was_given;  // by --net; otherwise the table and the CSV have a column with the net
  std::vector<FolderRow> rows;  // sorted by file name
  FolderView view = {};
};

}  // namespace pnsim
