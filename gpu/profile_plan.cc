#include "gpu/profile_plan.h"

#include "simulator/base/json.h"

namespace pnsim::gpu {
namespace {

std::vector<std::uint32_t> passes_at(const Program& program, std::uint32_t n, unsigned block) {
  if (n != program.default_n || block != program.default_block) return {0, program.passes - 1};
  std::vector<std::uint32_t> all;
  for (std::uint32_t pass = 0; pass < program.passes; ++pass) all.push_back(pass);
  return all;
}

}  // namespace

std::vector<ProfileItem> profile_plan(const Program& program, const Input& input) {
  std::vector<ProfileItem> plan;
  for (std::uint32_t n : program.n) {
    for (unsigned block : program.block) {
      plan.push_back({{program.name, n, block, input}, passes_at(program, n, block)});
    }
  }
  return plan;
}

std::string manifest_line(const Point& point, const ManifestRow& row) {
  return to_line({{"index", row.index},
                  {"program", point.program},
                  {"n", point.n},
                  {"block", point.block},
                  {"pass", row.pass},
                  {"kernel", row.kernel},
                  {"grid", row.grid},
                  {"threads", row.launch_block},
                  {"input",
                   {{"distribution", distribution_name(point.input.distribution)},
                    {"seed", point.input.seed}}}});
}

}  // namespace pnsim::gpu
