// The files of `experiment profile` that `experiment validate --pages` reads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/page_launches.h"
#include "simulator/model/sass/page_text.h"

namespace pnsim::experiments {

// Error 3 where the profiler printed something else than the page, with what it is and the command
// that makes the page.
void check_page(const std::string& file, PageKind kind);

// Name, grid and block of each row of a raw page. Error 3 for a missing column or another form of a
// size than "(x, y, z)".
std::vector<gpu::PageLaunch> launches_of_page(const std::string& raw_csv);

// The table of times (docs/experiments.md, "Your own kernels"), one row per launch of the page. The
// time of a launch that not all timed runs made is empty, and so is what it stands for.
// `are_instrumented`: the times hold what the recorder adds to each block (gpu/record.h).
std::string times_table(const std::vector<gpu::PageLaunch>& page,
                        const std::vector<std::optional<gpu::RecordedLaunch>>& launches,
                        bool are_instrumented);

}  // namespace pnsim::experiments
