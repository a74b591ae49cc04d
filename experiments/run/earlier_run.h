// What a folder holds before a run writes to it.
#pragma once

#include <string>

namespace pnsim::experiments {

struct NewRun {
  std::string spec;         // the name of the experiment
  bool has_grid = false;    // it writes grid.jsonl
  bool has_times = false;   // it writes times.jsonl
  bool is_resumed = false;  // it keeps the rows that are there
};

// Throws error 2 when the run would mix its files with those of another experiment, or would
// discard rows that an earlier run left: cells of a grid that it did not finish, or live times. A
// note says that the results of a finished run are replaced.
void check_earlier_run(const std::string& folder, const NewRun& run);

}  // namespace pnsim::experiments
