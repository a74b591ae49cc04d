// The predictions for all kernel models of a folder, as a table, as one JSON object and as CSV.
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
  std::string kernel;              // the kernel of the only launch; "" for several launches
  std::int64_t grid = 0, block = 0;
  double steps = 0;
  std::optional<double> predicted_us, measured_us;
  std::optional<double> beside_us;    // predicted by the other net, where two apply
  bool beside_is_borrowed = false;    // its time scale was fitted to other programs
  bool is_borrowed = false;           // that of `predicted_us` was
  std::optional<double> profiled_us;  // the profiler's time, where no other measurement exists
  std::optional<double> expected_us;  // expected_time.h
  Outcome outcome = Outcome::kGoal;
  PredictionWarnings warnings;
  std::string busiest_unit;  // the bottleneck resource; "" without --reasons
  std::string json;          // the --json object of the model without "file"; "" when not requested
};

// Fills all fields of `row` except `file` and `code`.
void fill_in(const NetsReport& report, bool with_json, FolderRow& row);

// The order of the rows. By time: the longest predicted time first. By error: the largest
// difference from the measured time first, or from the profiled time where none is measured. Rows
// without the number come last.
enum class FolderOrder { kFile, kTime, kError };

// "file", "time" or "error"; error 2 for another word.
FolderOrder parse_folder_order(const std::string& word);

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

// A long name of a file or a kernel for a cell of a table, cut to 40 characters.
std::string shortened(const std::string& name);

// The table: one row per model, then the number of models and the sum of the predicted times, and
// that of the models with warnings. Long names of files and kernels are shortened.
std::string text_of(const FolderReport& report);

// {"models": [{"file": ..., then the object of the model}], "failed": [{"file", "error",
// "exit_code"}]}. The rows must have been filled with_json.
std::string json_of(const FolderReport& report);

std::string csv_of(const FolderReport& report);

// The exit code of the first file that failed; 0 when none failed.
ExitCode exit_code_of(const FolderReport& report);

}  // namespace pnsim
