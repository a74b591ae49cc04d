// Keeping what the profiler counted: kernel models and rows of results.
#pragma once

#include <string>

#include "experiments/counts_import.h"

namespace pnsim::experiments {

// Imports one raw page into root/models/<program>.json (points that are there and not in the page
// stay) and appends rows to root/results/<device>/counts.jsonl (those that are there unchanged are
// not written again). Returns what it did, with the spread between passes, as text for people.
std::string store_counts(const CountsFiles& files, const std::string& root,
                         const std::string& command);

}  // namespace pnsim::experiments
