// A page of Nsight Compute as text: what a file holds, whatever program wrote it.
#pragma once

#include <string>

namespace pnsim {

enum class PageKind { kRaw, kSource };

// The page as UTF-8, without a byte order mark and without the profiler's messages before and after
// it ("==PROF== ..."). UTF-16, as PowerShell redirects output, is recognised in both byte orders.
// Cells between semicolons get commas between them, and decimal points (page_separators.h).
std::string page_of(const std::string& text);

// The same for a page whose numbers are read. Error 3 where they contradict each other on their
// decimal mark (check_decimal_marks()); `origin` is the file.
std::string page_of(const std::string& text, const std::string& origin);

// Whether the page begins as one of this kind does.
bool begins_as(const std::string& page, PageKind kind);

// Fails with error 3 for a page that is not of the expected kind: says what it is where that can be
// told (another page, a report, cells between semicolons), and which command makes the expected
// one. `where` is the file, or the file and a row.
[[noreturn]] void fail_other_page(const std::string& page, const std::string& where,
                                  PageKind expected);

// Fails likewise where the page is known to show something else, such as lines of CUDA.
[[noreturn]] void fail_page_of(const std::string& what, const std::string& where,
                               PageKind expected);

// Error 3 for text of such a page that is not UTF-8: models are JSON, which holds nothing else.
void check_utf8(const std::string& text, const std::string& where, PageKind kind);

// Whether the file is a report of ncu in its own format (*.ncu-rep), not a page.
bool is_ncu_report(const std::string& path);

}  // namespace pnsim
