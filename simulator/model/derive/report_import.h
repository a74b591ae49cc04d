// Reports of ncu in its own format: the installed profiler prints their pages.
#pragma once

#include <string>

namespace pnsim {

// The text of a page of a report. Error 3 with the commands to type when no profiler is found
// (base/ncu.h), or when it fails; error 5 for a page that is too large to be read.
std::string raw_page_of_report(const std::string& report);
std::string source_page_of_report(const std::string& report);

}  // namespace pnsim
