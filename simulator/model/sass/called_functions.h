// Functions that kernels call and that the source page prints as tables of their own.
#pragma once

#include <vector>

#include "simulator/model/sass/source_page.h"

namespace pnsim {

// A table with RET and without EXIT is a called function. The page prints such tables behind that
// of the kernel which calls them. Their rows become rows of the kernel's table, and its calls get
// their addresses as targets. Adjacent equal tables are merged; `copies` counts them.
std::vector<SourceTable> join_called_functions(std::vector<SourceTable> tables);

}  // namespace pnsim
