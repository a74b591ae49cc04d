// Kernel models of a folder, predicted one by one: a table for people, one JSON object, rows for
// spreadsheets.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/predict/run_point.h"

namespace pnsim {

// What is kept of a file: of a huge folder neither models nor nets are.
struct FolderRow {
  std::string file;  // its name in the folder
  ExitCode code = ExitCode::kOk;
  std::string error;  // why there is no prediction; then nothing below says anything
  std::string model, net, device;
  std::size_t launches = 1;  // entries of the program
  std::string kernel;        // of the only launch, else ""
  std::int64_t grid = 0, block = 0;
  double steps = 0;
  std::optional<double> predicted_us, measured_us;
  std::optional<double> profiled_us;  // where nothing else was measured
  Outcome outcome = Outcome::kGoal;
  std::string busiest_unit;  // of --reasons, else ""
  std::string json;  // what --json prints of the model, behind "file"; "" where nobody asked
};

// All but file and code.
void fill_in(const ModelRunReport& report, bool with_json, FolderRow& row);

struct FolderReport {
  std::string folder;  // as given
  std::string mode;    // "warm" or "cold"
  PointOptions options;
  std::vector<FolderRow> rows;  // in the order of the files' names
};

// A row a model, then their number and the sum of the predicted times.
std::string text_of(const FolderReport& report);

// {"models": [{"file": ..., as of the model alone}], "failed": [{"file", "error", "exit_code"}]}.
// Of rows with JSON.
std::string json_of(const FolderReport& report);

std::string csv_of(const FolderReport& report);

// Of the first file whose code is not 0.
ExitCode exit_code_of(const FolderReport& report);

}  // namespace pnsim
