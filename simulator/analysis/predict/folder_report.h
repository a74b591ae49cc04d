// The predictions for all kernel models of a folder, as a table, as one JSON object and as CSV.
#pragma once

#include <string>

#include "simulator/analysis/predict/folder_rows.h"

namespace pnsim {

// Fills all fields of `row` except `file` and `code`.
void fill_in(const NetsReport& report, bool with_json, FolderRow& row);

// "file", "time" or "error"; error 2 for another word.
FolderOrder parse_folder_order(const std::string& word);

// The table: one row per model, then the number of models and the sum of the predicted times, and
// that of the models with warnings. A time counts as often as its row stands for launches of the
// program, or once where that is not known. Long names of files and kernels are shortened.
std::string text_of(const FolderReport& report);

// {"models": [{"file": ..., then the object of the model}], "failed": [{"file", "error",
// "exit_code"}]}. The rows must have been filled with_json.
std::string json_of(const FolderReport& report);

std::string csv_of(const FolderReport& report);

// The exit code of the first file that failed; 0 when none failed.
ExitCode exit_code_of(const FolderReport& report);

}  // namespace pnsim
