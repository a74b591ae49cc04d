#include "simulator/analysis/pictures/record.h"

namespace pnsim {

RunPicture record_picture(const Net& net, const NetTemplate& net_template,
                          const ParameterValues& values, RunId id, std::uint64_t max_steps,
                          const PictureWindow& window) {
  RunPicture picture =
      net_template.reasons.schedulers
          ? record_units(net, unit_tracks_of(net_template, values), id, max_steps, window)
          : record_warps(net, warp_states(net_template, net), id, max_steps, window);
  picture.net = net.name();
  picture.title = "net " + net.name();
  if (net_template.step_is_cycle) picture.step = "cycle";
  return picture;
}

}  // namespace pnsim
