// The rows of counts_import.h.
#include <algorithm>
#include <functional>

#include "experiments/counts_import.h"
#include "simulator/base/hash.h"

namespace pnsim::experiments {
namespace {

// One kernel of a point over the profiled passes.
struct KernelCounts {
  std::string kernel;
  std::int64_t grid = 0, block = 0;
  std::vector<std::int64_t> instructions, arithmetic, shared, global;
  std::vector<double> profiled_us;
};

struct PointCounts {
  std::vector<std::uint32_t> passes;
  std::vector<KernelCounts> kernels;  // in launch order of a pass
};

PointCounts counts_of(const std::vector<const ProfiledPass*>& rows) {
  PointCounts out;
  std::size_t kernel = 0;
  for (const ProfiledPass* row : rows) {
    if (out.passes.empty() || out.passes.back() != row->pass) {
      out.passes.push_back(row->pass);
      kernel = 0;
    }
    if (kernel == out.kernels.size()) out.kernels.push_back({});
    KernelCounts& mine = out.kernels[kernel++];
    mine.kernel = row->launch.kernel;
    mine.grid = row->launch.launch.grid;
    mine.block = row->launch.launch.block;
    mine.instructions.push_back(row->launch.instructions);
    mine.arithmetic.push_back(row->launch.totals.arithmetic);
    mine.shared.push_back(row->launch.totals.shared);
    mine.global.push_back(row->launch.totals.global);
    mine.profiled_us.push_back(row->launch.profiled_us);
  }
  return out;
}

template <class T>
Json shortened(const std::vector<T>& values) {
  const bool equal =
      std::all_of(values.begin(), values.end(), [&](const T& v) { return v == values.front(); });
  return equal ? Json::array({values.front()}) : Json(values);
}

Json kernel_json(const KernelCounts& k) {
  return {{"kernel", k.kernel},
          {"grid", k.grid},
          {"block", k.block},
          {"instructions", shortened(k.instructions)},
          {"arithmetic", shortened(k.arithmetic)},
          {"shared", shortened(k.shared)},
          {"global", shortened(k.global)},
          {"profiled_us", shortened(k.profiled_us)},
          {"spread", spread_of(k.instructions)}};
}

Json row_of(const std::vector<const ProfiledPass*>& rows, const Json& provenance) {
  const ProfiledPass& first = *rows[0];
  const PointCounts counts = counts_of(rows);
  const Json what = {{"kind", "counts"},
                     {"program", first.program},
                     {"axes", first.problem},
                     {"input", first.input},
                     {"device", first.launch.device}};
  Json row = {{"id", hash_id(to_line(what))}};
  row.update(what);
  row["passes"] = counts.passes;
  row["kernels"] = Json::array();
  for (const KernelCounts& kernel : counts.kernels) row["kernels"].push_back(kernel_json(kernel));
  row.update(provenance);
  return row;
}

}  // namespace

double spread_of(const std::vector<std::int64_t>& counts) {
  const auto [low, high] = std::minmax_element(counts.begin(), counts.end());
  if (*low == *high) return 0;
  return static_cast<double>(*high - *low) / static_cast<double>(std::max<std::int64_t>(*low, 1));
}

std::vector<Json> counts_rows(const std::vector<ProfiledPass>& passes, const Json& provenance) {
  std::vector<std::vector<const ProfiledPass*>> points;
  for (const ProfiledPass& row : passes) {
    const bool is_new = points.empty() || points.back()[0]->program != row.program ||
                        points.back()[0]->problem != row.problem;
    if (is_new) points.push_back({});
    points.back().push_back(&row);
  }
  std::vector<Json> rows;
  for (const auto& point : points) rows.push_back(row_of(point, provenance));
  return rows;
}

}  // namespace pnsim::experiments
