#include "simulator/net/elimination_problem.h"

#include <algorithm>
#include <map>

#include "simulator/net/graph_view.h"

namespace pnsim {
namespace {

struct Blocks {
  std::vector<std::uint32_t> block_of;  // [column]
  std::size_t count = 0;                // the last block has the columns that all parts share
  std::size_t shared_size = 0;          // rows and columns with more entries are shared
};

Blocks find_blocks(const std::vector<SparseRow>& rows, std::uint32_t columns) {
  std::vector<std::size_t> column_size(columns);
  std::size_t entries = 0;
  for (const SparseRow& row : rows) {
    entries += row.size();
    for (const IndexWeight& e : row) ++column_size[e.index];
  }
  const std::size_t nodes = std::max<std::size_t>(rows.size() + columns, 1);
  Blocks blocks;
  blocks.shared_size = std::max<std::size_t>(8, 8 * entries / nodes);
  std::vector<VertexPair> links;  // vertices: the columns, then the rows
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].size() > blocks.shared_size) continue;
    for (const IndexWeight& e : rows[r]) {
      if (column_size[e.index] <= blocks.shared_size) links.emplace_back(e.index, columns + r);
    }
  }
  const Parts parts = connected_parts(columns + rows.size(), links);
  const auto last = static_cast<std::uint32_t>(parts.count);
  for (std::uint32_t c = 0; c < columns; ++c) {
    blocks.block_of.push_back(column_size[c] > blocks.shared_size ? last : parts.part_of[c]);
  }
  blocks.count = parts.count + 1;
  return blocks;
}

}  // namespace

EliminationProblem cut_into_blocks(std::vector<SparseRow> a, std::uint32_t columns) {
  const Blocks blocks = find_blocks(a, columns);
  EliminationProblem problem;
  problem.columns = columns;
  problem.blocks.resize(blocks.count);
  for (std::uint32_t c = 0; c < columns; ++c) problem.blocks[blocks.block_of[c]].push_back(c);
  Columns ties;
  for (std::uint32_t r = 0; r < a.size(); ++r) {
    std::map<std::uint32_t, SparseRow> pieces;  // by block
    const bool is_shared = a[r].size() > blocks.shared_size;
    for (const IndexWeight& e : a[r]) {
      pieces[is_shared ? blocks.block_of[e.index] : 0].push_back(e);
    }
    if (pieces.empty()) pieces[0];
    bool is_first = true;
    for (auto& [block, piece] : pieces) {
      if (!is_first) {
        problem.rows.back().push_back({problem.columns, 1});
        piece.push_back({problem.columns, -1});
        ties.push_back(problem.columns++);
      }
      problem.rows.push_back(std::move(piece));
      problem.origin.push_back(r);
      is_first = false;
    }
  }
  problem.blocks.insert(problem.blocks.end() - 1, std::move(ties));
  return problem;
}

}  // namespace pnsim
