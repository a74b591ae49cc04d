// Keeping what the profiler counted: kernel models and rows of results.
#pragma once

#include <string>

#include "experiments/measure/counts_import.h"
#include "simulator/base/output_file.h"

namespace pnsim::experiments {

// Imports one raw page into root/models/<program>.json (points that are there and not in the page
// stay) and writes rows to root/results/<device>/counts.jsonl: new ones last, those that say
// something else than the row with their id in its place. Returns what it did, with the spread
// between passes, as text for people.
std::string store_counts(const CountsFiles& files, const std::string& root,
                         const std::string& command);

// Writes the rows to the file as store_counts does; returns what it did. Error 2 when the file is
// one of the imported ones.
std::string store_count_rows(const std::string& file, const CountsFiles& files,
                             const std::vector<Json>& rows);

// The file of a model, which an import may change. Error 2 when it is one of the imported ones.
OutputFile stored_model(const std::string& file, const CountsFiles& files);

// Imports the raw page of launches that each began with caches flushed (ncu --cache-control all):
// the first launch of a point's pass 0 gets its cold counters (cold_launch.h) in the model that is
// there, and counts.jsonl a row of kind "cold_counts" for each point. Points that the model has
// not, or has no counters of, are left out, and said so. Error 4 without the model.
std::string store_cold_counts(const CountsFiles& files, const std::string& root,
                              const std::string& command);

}  // namespace pnsim::experiments
