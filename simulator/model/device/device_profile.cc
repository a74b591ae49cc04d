#include "simulator/model/device/device_profile.h"

#include <cmath>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

// A place below the facts of the profile: "" for all of them.
std::string where(const DeviceProfile& profile, std::string_view key) {
  if (profile.file.empty())
    return "device " + profile.name + (key.empty() ? "" : ": fact \"" + std::string(key) + "\"");
  return profile.file + ": /facts" + (key.empty() ? "" : "/" + std::string(key) + "/value");
}

}  // namespace

double DeviceProfile::value(std::string_view key) const {
  const auto it = facts.find(key);
  if (it != facts.end()) return it->second.value;
  std::vector<std::string> known;
  for (const auto& [fact, unused] : facts) known.push_back(fact);
  fail_input(where(*this, ""),
             "the fact \"" + std::string(key) + "\" is missing" + suggestion(key, known));
}

double DeviceProfile::positive(std::string_view key) const {
  const double found = value(key);
  if (found > 0 && found <= 1e18) return found;
  fail_input(where(*this, key),
             "found " + significant(found, 6) + ", expected a number over 0 and up to 1e18");
}

std::int64_t DeviceProfile::count(std::string_view key) const {
  const double number = value(key);
  if (number < 1 || number > 1e15 || number != std::floor(number)) {
    fail_input(where(*this, key),
               "found " + significant(number, 6) + ", expected a whole number of at least 1");
  }
  return static_cast<std::int64_t>(number);
}

DeviceProfile read_device_profile(const JsonReader& json) {
  json.only({"kind", "version", "name", "title", "facts"});
  if (json.at("kind").string() != "device") json.at("kind").fail_expected("\"device\"");
  json.at("version").integer(1, 1);
  DeviceProfile profile;
  profile.file = json.file();
  profile.name = json.at("name").string();
  profile.title = json.at("title").string();
  for (const auto& [key, row] : json.at("facts").members()) {
    row.only({"value", "unit", "source", "noise"});
    DeviceFact fact;
    fact.value = row.at("value").number();
    fact.unit = row.at("unit").string();
    fact.source = row.at("source").string();
    fact.noise = row.find("noise") ? row.at("noise").number(0, 1e6) : 0;
    profile.facts[key] = fact;
  }
  return profile;
}

DeviceProfile load_device_profile(const std::string& name_or_path) {
  const std::string path = find_data_file(name_or_path, {"models/devices"});
  const InputJson json = load_json(path);
  return read_device_profile(JsonReader(json, path));
}

}  // namespace pnsim
