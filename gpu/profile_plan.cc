#include "gpu/profile_plan.h"

#include "gpu/checked_point.h"
#include "gpu/point_json.h"

namespace pnsim::gpu {
namespace {

// Adds the product of the axes from number `axis` on; `begun` holds the values of the axes before.
void add_points(const Program& program, std::size_t axis, Point& begun,
                std::vector<ProfileItem>& plan) {
  if (axis == program.axes.size()) return plan.push_back(profile_item(begun));
  for (const std::int64_t value : program.axes[axis].values) {
    begun.axes.emplace_back(program.axes[axis].name, value);
    add_points(program, axis + 1, begun, plan);
    begun.axes.pop_back();
  }
}

}  // namespace

ProfileItem profile_item(const Point& point, bool all_passes) {
  const std::uint32_t passes = find_program(point.program).passes;
  if (passes == 1) return {point, {0}};
  if (!all_passes || point.axes != default_point(point.program).axes) {
    return {point, {0, passes - 1}};
  }
  ProfileItem item{point, {}};
  for (std::uint32_t pass = 0; pass < passes; ++pass) item.passes.push_back(pass);
  return item;
}

void check_profiled(const std::string& program) {
  if (find_program(program).runner == Runner::kKernels) return;
  fail_usage(program + " has no own kernels to profile; use \"experiment measure\" for its time");
}

std::vector<ProfileItem> profile_plan(const Program& program, const Input& input) {
  std::vector<ProfileItem> plan;
  Point begun{program.name, {}, input};
  add_points(program, 0, begun, plan);
  return plan;
}

std::string manifest_line(const Point& point, const ManifestRow& row) {
  Json line = {{"index", row.index}, {"program", point.program}};
  line.update(axes_json(point));
  line.update({{"pass", row.pass},
               {"kernel", row.kernel},
               {"grid", row.grid},
               {"threads", row.launch_block},
               {"input", input_json(point.input)}});
  return to_line(line);
}

}  // namespace pnsim::gpu
