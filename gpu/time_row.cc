#include "gpu/time_row.h"

#include <cmath>

#include "gpu/point_json.h"
#include "simulator/base/hash.h"
#include "simulator/base/provenance.h"

namespace pnsim::gpu {
namespace {

// Nanoseconds are far below the noise; more digits would suggest false precision.
double to_ns(double us) { return std::round(us * 1000.0) / 1000.0; }

Json number_or_null(unsigned number) { return number == 0 ? Json(nullptr) : Json(number); }

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json device_of(const DeviceFacts& device, unsigned sm_clock_mhz) {
  return {{"name", device.name},
          {"sms", number_or_null(device.sms)},
          {"sm_clock_mhz", number_or_null(sm_clock_mhz)},
          {"driver", text_or_null(device.driver)},
          {"cuda", text_or_null(device.cuda)}};
}

// [low, high]; null when the interval is unknown.
Json ci95_json(const TimeSummary& time) {
  if (time.rounds < 2) return nullptr;
  return Json::array({to_ns(time.ci95_low_us), to_ns(time.ci95_high_us)});
}

// An integer stays an integer: 132, not 132.0.
Json number(double value) {
  if (value == std::floor(value)) return static_cast<std::int64_t>(value);
  return value;
}

Json fact_json(const DeviceFact& fact) {
  if (!fact.text.empty()) {
    return {{"value", fact.text}, {"unit", nullptr}, {"source", fact.source}};
  }
  return {{"value", number(fact.value)}, {"unit", fact.unit}, {"source", fact.source}};
}

}  // namespace

std::string time_row_id(const Point& point, Mode mode, const std::string& device_name) {
  const Json what = {{"program", point.program},
                     {"axes", axes_json(point)},
                     {"input", input_json(point.input)},
                     {"mode", mode_name(mode)},
                     {"device", device_name}};
  return hash_id(to_line(what));
}

Json time_row(const Point& point, Mode mode, const Measurement& measurement,
              const DeviceFacts& device, const std::string& command) {
  const TimeSummary& time = measurement.time;
  return {{"id", time_row_id(point, mode, device.name)},
          {"kind", "time"},
          {"program", point.program},
          {"axes", axes_json(point)},
          {"input", input_json(point.input)},
          {"mode", mode_name(mode)},
          {"samples", time.samples},
          {"rejected", time.rejected},
          {"rounds", time.rounds},
          {"stop", stop_name(measurement.stop)},
          {"median_us", to_ns(time.median_us)},
          {"ci95_us", ci95_json(time)},
          {"mean_us", to_ns(time.mean_us)},
          {"p05_us", to_ns(time.p05_us)},
          {"p95_us", to_ns(time.p95_us)},
          {"rel_mad", std::round(time.rel_mad * 1e6) / 1e6},
          {"checked_elements", measurement.checked_elements},
          {"device", device_of(device, time.sm_clock_mhz)},
          {"commit", build_commit()},
          {"date", utc_now()},
          {"command", command}};
}

Json device_facts_json(const DeviceFacts& device) {
  Json facts = Json::object();
  for (const DeviceFact& fact : device.facts) facts[fact.name] = fact_json(fact);
  return facts;
}

}  // namespace pnsim::gpu
