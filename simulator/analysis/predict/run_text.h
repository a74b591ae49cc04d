// Parts of the text of a run, which the text of one net and that of several nets have in common.
#pragma once

#include <string>

#include "simulator/analysis/predict/run_report.h"

namespace pnsim {

// A line with its value in a fixed column.
std::string text_line(const std::string& label, const std::string& value);

// The line of the device, and one that says whose times these are when the kernel was profiled on
// another GPU.
std::string device_lines(const ModelRunReport& report);

// "seed 1, 10 replicas, engine fast"
std::string options_text(const RunOptions& options);

// The net and its parameters: "wpnm  (S = 4, l1 = 20, l2 = 2)".
std::string net_text(const ModelRunReport& report);

// Why the report has no time: the missing scale, and the command that fits it.
std::string no_scale_text(const ModelRunReport& report);
// A line on what the command in it does; "" where it names none.
std::string calibrate_line(const ModelRunReport& report);

// "+71136 steps (+9.0 %): 864480 instead of 793344 with l1 = 20"
std::string text_of(const AgainstDefault& against);

// The table of the launches.
std::string launches_text(const ModelRunReport& report);

// Lines with the measured time, or with the time under the profiler where that is all there is.
std::string measured_text(const ModelRunReport& report);

// A line with typical_error_text(); "" where that is "".
std::string typical_error_line(const ModelRunReport& report);

// Signed, in per cent of the measured time: "+4.4". Needs a scale and a measured time.
std::string error_percent_text(const ModelRunReport& report);

}  // namespace pnsim
