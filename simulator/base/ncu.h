// NVIDIA's profiler as a program (Nsight Compute, `ncu`): where it is, and its command lines.
#pragma once

#include <string>
#include <vector>

namespace pnsim {

// Finds the profiler: on PATH, in CUDA_PATH or CUDA_HOME, or next to the usual toolkits. "" when
// there is none.
std::string installed_ncu();

// The same; error 4 names the places when there is none.
std::string find_ncu();

// Commands that print a page of a report. Base units (byte, ns) avoid loss of digits to a unit
// prefix; a row of units follows the header of the raw page.
std::vector<std::string> raw_page_command(const std::string& ncu, const std::string& report);
std::vector<std::string> source_page_command(const std::string& ncu, const std::string& report);

// Commands for messages, as a user types them: profile a program with all counters that `pnsim
// derive` reads; print the two pages of its report into files.
std::string profile_line();
std::string cold_profile_line();  // the same, each launch after a flush of all caches
std::string raw_page_line(const std::string& report = "rep.ncu-rep");
std::string source_page_line(const std::string& report = "rep.ncu-rep");

}  // namespace pnsim
