#include "gpu/micro_row.h"

#include <cmath>

#include "simulator/base/hash.h"
#include "simulator/base/provenance.h"

namespace pnsim::gpu {
namespace {

// Six significant digits: finer than the noise of every microbenchmark.
double shortened(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, 5 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

}  // namespace

Json settings_json(const std::vector<MicroSetting>& settings) {
  Json json = Json::object();
  for (const MicroSetting& setting : settings) {
    if (setting.text.empty()) {
      json[setting.axis] = setting.number;
    } else {
      json[setting.axis] = setting.text;
    }
  }
  return json;
}

std::string micro_row_id(const MicroValue& value, const std::string& device_name) {
  const Json what = {
      {"bench", value.bench}, {"axes", settings_json(value.settings)}, {"device", device_name}};
  return hash_id(to_line(what));
}

Json micro_row(const MicroValue& value, const MicroConditions& conditions,
               const DeviceFacts& device, const std::string& command) {
  const bool is_known = conditions.note.empty();
  return {{"id", micro_row_id(value, device.name)},
          {"kind", "micro"},
          {"bench", value.bench},
          {"axes", settings_json(value.settings)},
          {"value", shortened(value.value)},
          {"unit", value.unit},
          {"rel_mad", shortened(value.rel_mad)},
          {"samples", value.samples},
          {"device", {{"name", device.name}, {"driver", device.driver}, {"cuda", device.cuda}}},
          {"sm_clock_mhz", is_known ? Json(conditions.sm_clock_mhz) : Json(nullptr)},
          {"throttled", is_known ? Json(conditions.is_throttled) : Json(nullptr)},
          {"other_processes", is_known ? Json(conditions.other_processes) : Json(nullptr)},
          {"commit", build_commit()},
          {"date", utc_now()},
          {"command", command}};
}

}  // namespace pnsim::gpu
