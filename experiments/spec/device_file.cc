#include "experiments/spec/device_file.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "gpu/time_row.h"
#include "simulator/base/data_files.h"
#include "simulator/base/device_files.h"
#include "simulator/base/error.h"
#include "simulator/model/device/device_facts.h"
#include "simulator/model/device/device_names.h"
#include "simulator/model/sm/sm_parameters.h"

namespace pnsim::experiments {
namespace {

// A number of a profile, the driver's fact it comes from, and the factor between their units.
struct FactRow {
  const char* key;   // key in the profile
  const char* fact;  // name in gpu::DeviceFacts
  const char* unit;  // unit in the profile
  double factor;
  bool is_required;
};

constexpr FactRow kFacts[] = {
    {"sms", "sms", "SM", 1, true},
    {"schedulers_per_sm", "schedulers_per_sm", "scheduler", 1, true},
    {"clock_mhz", "max_sm_clock", "MHz", 1e-3, true},
    {"warp_size", "warp_size", "thread", 1, true},
    {"max_warps_per_sm", "max_warps_per_sm", "warp", 1, true},
    {"max_blocks_per_sm", "max_blocks_per_sm", "block", 1, true},
    {"max_threads_per_sm", "max_threads_per_sm", "thread", 1, false},
    {"max_threads_per_block", "max_threads_per_block", "thread", 1, false},
    {"registers_per_sm", "registers_per_sm", "register", 1, true},
    {"registers_per_block", "registers_per_block", "register", 1, false},
    {"shared_bytes_per_sm", "shared_memory_per_sm", "byte", 1, true},
    {"shared_bytes_per_block", "shared_memory_per_block", "byte", 1, false},
    {"shared_bytes_per_block_optin", "shared_memory_per_block_optin", "byte", 1, false},
    {"reserved_shared_bytes_per_block", "reserved_shared_memory_per_block", "byte", 1, false},
    {"l2_bytes", "l2_bytes", "byte", 1, true},
    {"memory_clock_mhz", "memory_clock", "MHz", 1e-3, true},
    {"memory_bus_bits", "memory_bus_width", "bit", 1, true},
    {"memory_bandwidth_peak", "memory_bandwidth_peak", "byte/s", 1, false},
    {"memory_bytes", "memory_bytes", "byte", 1, false},
};

// Reads a textual fact ("name" or "driver").
std::string text_fact(const JsonReader& facts, const char* name, const std::string& otherwise) {
  const auto fact = facts.find(name);
  return fact ? fact->at("value").string() : otherwise;
}

}  // namespace

std::string device_folder(const std::string& title) {
  if (const auto shipped = profile_name_of(title)) return *shipped;
  std::string name;
  const std::string brand = "NVIDIA ";
  for (const char c : title.starts_with(brand) ? title.substr(brand.size()) : title) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte)) {
      name += static_cast<char>(std::tolower(byte));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "unknown" : name;
}

DeviceProfile profile_of_facts(const JsonReader& facts) {
  DeviceProfile profile;
  profile.title = text_fact(facts, "name", "unknown GPU");
  profile.name = device_folder(profile.title);
  const std::string driver = text_fact(facts, "driver", "unknown");
  for (const FactRow& row : kFacts) {
    const auto fact = facts.find(row.fact);
    if (!fact && !row.is_required) continue;
    const JsonReader found = fact ? *fact : facts.at(row.fact);  // at() reports a missing fact
    profile.facts[row.key] = {found.at("value").number() * row.factor, row.unit,
                              found.at("source").string() + ", driver " + driver, 0};
  }
  return profile;
}

DeviceProfile with_known_facts(DeviceProfile profile) {
  for (const std::string& shipped : shipped_names("models/devices")) {
    if (shipped != profile.name) continue;
    profile.facts.merge(load_device_profile(shipped).facts);  // keeps existing facts
  }
  return profile;
}

DeviceProfile live_profile() {
  const gpu::DeviceFacts device = gpu::query_device();
  const std::string name = device_folder(device.name);
  for (const std::string& shipped : shipped_names("models/devices")) {
    if (shipped == name) return load_device_profile(shipped);
  }
  const InputJson facts = gpu::device_facts_json(device);
  return profile_of_facts(JsonReader(facts, device.name));
}

void warn_of_missing_facts(const DeviceProfile& profile) {
  try {
    profile.need(needed_facts());
  } catch (const Error& error) {
    spdlog::warn("{}", error.what());
  }
}

void need_profile(const NetTemplate& net, const DeviceProfile& device) {
  const bool is_profiled = !device.file.empty();
  if (!walks_programs(net)) {
    if (!is_profiled) {
      spdlog::warn(
          "{} has no device profile: the driver's facts are used; `experiment device` makes "
          "a profile",
          device.title);
    }
    return;
  }
  if (is_profiled) return device.need(needed_facts());
  fail_unavailable("the GPU here, " + device.title + ", has no device profile, and net " +
                   net.name + " needs one: nothing was measured. " + how_to_profile(device.name) +
                   " To predict for another GPU than the one that is measured, add --device NAME.");
}

}  // namespace pnsim::experiments
