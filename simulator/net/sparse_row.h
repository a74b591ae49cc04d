// The rows of sparse integer matrices: of incidence matrices and of their solutions.
#pragma once

#include <cstdint>
#include <vector>

namespace pnsim {

struct IndexWeight {
  std::uint32_t index;
  std::int64_t weight;  // never 0 in a SparseRow
  bool operator==(const IndexWeight&) const = default;
};

// Ordered by index, one entry per index.
using SparseRow = std::vector<IndexWeight>;

}  // namespace pnsim
