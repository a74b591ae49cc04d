// Keeping what the profiler counted: kernel models and rows of results.
#pragma once

#include <string>

#include "experiments/counts_import.h"

namespace pnsim::experiments {

// Imports one raw page into root/models/<program>.json (points that are there and not in the page
// stay) and writes rows to root/results/<device>/counts.jsonl: new ones last, those that say
// something else than the row with their id in its place. Returns what it did, with the spread
// between passes, as text for people.
std::string store_counts(const CountsFiles& files, const std::string& root,
                         const std::string& command);

}  // namespace pnsim::experiments
