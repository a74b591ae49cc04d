// Stores the profiler's counts as kernel models and as rows of results.
#pragma once

#include <string>

#include "experiments/measure/counts_import.h"
#include "simulator/base/output_file.h"

namespace pnsim::experiments {

// Imports one raw page into root/models/<program>.json; existing points that are not in the page
// are kept. Writes rows to root/results/<device>/counts.jsonl: a changed row replaces the row with
// the same id, and new rows are appended. Returns a summary for the user, which includes the spread
// between passes.
std::string store_counts(const CountsFiles& files, const std::string& root,
                         const std::string& command);

// Writes the rows to the file as store_counts does; returns what it did. Error 2 when the file is
// one of the imported ones.
std::string store_count_rows(const std::string& file, const CountsFiles& files,
                             const std::vector<Json>& rows);

// The file of a model, which an import may change. Error 2 when it is one of the imported ones.
OutputFile stored_model(const std::string& file, const CountsFiles& files);

// An existing model that an import changes. Error 3 for a file of version 1 says how `counts` makes
// it anew.
KernelModel load_stored_model(const std::string& file);

// Imports the raw page of launches that each started with flushed caches (ncu --cache-control all).
// The first launch of pass 0 of a point provides the cold counters (cold_launch.h) of the existing
// model, and counts.jsonl gets a row of kind "cold_counts" per point. Points that the model lacks,
// or for which it has no counters, are skipped, and the summary says so. Throws error 4 when there
// is no model.
std::string store_cold_counts(const CountsFiles& files, const std::string& root,
                              const std::string& command);

}  // namespace pnsim::experiments
