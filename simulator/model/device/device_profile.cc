#include "simulator/model/device/device_profile.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "simulator/base/data_files.h"
#include "simulator/base/device_files.h"
#include "simulator/base/error.h"
#include "simulator/base/extension.h"
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

constexpr std::size_t kMostNamed = 12;  // facts of a message

std::vector<std::string> keys_of(const DeviceProfile& profile) {
  std::vector<std::string> keys;
  for (const auto& [key, unused] : profile.facts) keys.push_back(key);
  return keys;
}

// The facts of a profile whose names no shipped measured profile has: they may be misspelt.
std::vector<std::string> odd_keys(const DeviceProfile& profile) {
  std::vector<std::string> keys = keys_of(profile);
  try {
    for (const char* device : {"h100", "h200"}) {
      const DeviceProfile known = load_device_profile(device);
      std::erase_if(keys, [&](const std::string& key) { return known.facts.contains(key); });
    }
  } catch (const Error&) {
    keys.clear();  // without a profile to compare with, no key is odd
  }
  return keys;
}

// The beginning and the end of a fact's name state its unit. A text in the profile that begins with
// `unit` may go on with what the number counts: "ns/launch", "cycle of a scheduler". A number below
// `least` or above `most` is a mistake: these are ten times beyond all shipped profiles and more.
struct FactKind {
  std::string_view begin, end, unit;
  double least, most;
};

constexpr FactKind kKindsByEnd[] = {
    {"", "_mhz", "MHz", 100, 100'000},
    {"", "_ns", "ns", 0.001, 1e7},
    {"", "_cycles", "cycle", 0.01, 100'000},
    {"l2_", "_bandwidth", "byte/s", 1e8, 1e15},
    {"dram_", "_bandwidth", "byte/s", 1e8, 1e15},
    {"sm_", "_bandwidth", "byte/s", 1e8, 1e15},
    {"l2_", "_bytes", "byte", 1e4, 1e14},
    {"shared_", "_bytes_per_sm", "byte", 1000, 1e8},
    {"", "_store_rate", "sector/s", 1e6, 1e14},
    {"", "_sector_rate", "sector/s", 1e6, 1e14},
    {"", "_rate", "warp instruction/cycle/SM", 0.001, 1000},
};

constexpr FactKind kKindsByName[] = {
    {"sms", "", "SM", 1, 10'000},
    {"schedulers_per_sm", "", "scheduler", 1, 100},
    {"l2_slices", "", "slice", 1, 10'000},
    {"l2_partitions", "", "partition", 1, 100},
    {"warp_size", "", "thread", 1, 1000},
    {"max_warps_per_sm", "", "warp", 1, 1000},
    {"max_blocks_per_sm", "", "block", 1, 1000},
    {"max_threads_per_sm", "", "thread", 32, 100'000},
    {"max_threads_per_block", "", "thread", 32, 100'000},
    {"registers_per_sm", "", "register", 1000, 1e8},
    {"registers_per_block", "", "register", 1000, 1e8},
    {"memory_bus_bits", "", "bit", 1, 1'000'000},
    {"memory_clock_mhz", "", "MHz", 100, 100'000},
    {"memory_bandwidth_peak", "", "byte/s", 1e9, 1e15},
    {"memory_bytes", "", "byte", 1e6, 1e14},
    {"l2_bytes", "", "byte", 1e4, 1e12},
    {"code_kept_bytes", "", "byte", 100, 1e8},
    {"shared_bytes_per_block", "", "byte", 1000, 1e8},
    {"shared_bytes_per_block_optin", "", "byte", 1000, 1e8},
    {"reserved_shared_bytes_per_block", "", "byte", 0, 1e8},
};

// Null for a fact of another name, such as one of a single unit with a unit of its own.
const FactKind* kind_of_fact(std::string_view key) {
  for (const FactKind& kind : kKindsByName) {
    if (key == kind.begin) return &kind;
  }
  for (const FactKind& kind : kKindsByEnd) {
    if (key.starts_with(kind.begin) && key.ends_with(kind.end)) return &kind;
  }
  return nullptr;
}

// Numbers are read in the unit that the name states, so another text beside one is a wrong number.
void check_unit(const FactKind& kind, const JsonReader& unit) {
  const std::string text = unit.string();
  const bool begins = text.starts_with(kind.unit);
  const char next = begins && text.size() > kind.unit.size() ? text[kind.unit.size()] : '/';
  if (begins && (next == '/' || next == ' ')) return;
  unit.fail_expected("\"" + std::string(kind.unit) +
                     "\", in which the value of this fact is read: convert the value");
}

bool is_within(const FactKind& kind, double value) {
  return value >= kind.least && value <= kind.most;
}

void check_range(const FactKind& kind, const JsonReader& value) {
  if (is_within(kind, value.number())) return;
  value.fail_expected(significant(kind.least, 1) + " to " + significant(kind.most, 1) + " (" +
                      std::string(kind.unit) +
                      "), far beyond all known GPUs: is it a number in another unit?");
}

}  // namespace

bool is_plausible_fact(std::string_view key, double value) {
  const FactKind* kind = kind_of_fact(key);
  return kind == nullptr || is_within(*kind, value);
}

std::string DeviceProfile::described() const {
  return estimate.empty() ? title : title + " (estimate: " + estimate + ")";
}

void DeviceProfile::need(const std::vector<std::string>& keys) const {
  std::vector<std::string> missing;
  for (const std::string& key : keys) {
    if (!facts.contains(key)) missing.push_back(key);
  }
  if (missing.empty()) return;
  const std::vector<std::string> odd = odd_keys(*this);
  std::string text;
  for (std::size_t i = 0; i < std::min(missing.size(), kMostNamed); ++i) {
    const std::string nearest = nearest_name(missing[i], odd);
    text += (i == 0 ? "\"" : ", \"") + missing[i] + "\"" +
            (nearest.empty() ? "" : " (is \"" + nearest + "\" meant?)");
  }
  if (missing.size() > kMostNamed)
    text += " and " + std::to_string(missing.size() - kMostNamed) + " more";
  fail_input(
      where(*this, ""),
      (missing.size() == 1 ? "the fact " + text + " is missing"
                           : std::to_string(missing.size()) + " facts are missing: " + text) +
          ". The profile is incomplete, or another version made it. " + how_to_profile(name));
}

double DeviceProfile::value(std::string_view key) const {
  const auto it = facts.find(key);
  if (it != facts.end()) return it->second.value;
  fail_input(where(*this, ""),
             "the fact \"" + std::string(key) + "\" is missing" + suggestion(key, keys_of(*this)));
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

namespace {

// Another file of pnsim in the place of a profile: says which option takes it.
void refuse_other_kinds(const JsonReader& json) {
  const auto kind = json.is_object() ? json.find("kind") : std::nullopt;
  if (!kind || !kind->is_string()) return;
  const std::string found = kind->string();
  const bool is_model = found == "kernel-model";
  if (!is_model && found != "net" && found != "net-template") return;
  const std::string option = is_model ? "--model" : "--net";
  fail_input(json.file(), "found a " + std::string(is_model ? "kernel model" : "net") +
                              " (its \"kind\"), expected a device profile, as in --device h200; "
                              "type: " +
                              option + " " + json.file());
}

// A page of the profiler, which is no JSON at all.
void refuse_pages(const std::string& path) {
  if (!has_extension(path, ".csv") && !has_extension(path, ".ncu-rep")) return;
  fail_input(path,
             "found a page or a report of ncu (by the end of its name), expected a device profile "
             "(.json), as in --device h200; pnsim device list shows the shipped ones, and pnsim "
             "derive makes kernel models of pages");
}

}  // namespace

bool is_profile_name(const std::string& name) {
  return !name.starts_with('.') && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
  });
}

DeviceProfile read_device_profile(const JsonReader& json) {
  refuse_other_kinds(json);
  json.only({"kind", "version", "name", "title", "estimate", "facts"});
  if (json.at("kind").string() != "device") json.at("kind").fail_expected("\"device\"");
  const JsonReader version = json.at("version");
  if (!version.is_integer() || version.value() != 1) {
    version.fail_expected("1, the version of profiles that this program reads. " +
                          how_to_profile(json.at("name").string()));
  }
  DeviceProfile profile;
  profile.file = json.file();
  profile.name = json.at("name").string();
  if (!is_profile_name(profile.name)) json.at("name").fail_expected(kProfileNames);
  profile.title = json.at("title").string();
  if (const auto estimate = json.find("estimate")) profile.estimate = estimate->string();
  for (const auto& [key, row] : json.at("facts").members()) {
    row.only({"value", "unit", "source", "noise"});
    DeviceFact fact;
    fact.value = row.at("value").number();
    if (const FactKind* kind = kind_of_fact(key)) {
      check_unit(*kind, row.at("unit"));
      check_range(*kind, row.at("value"));
    }
    if (key == "warp_size" && fact.value != 32) {
      row.at("value").fail_expected("32: kernel models have warps of 32 threads");
    }
    fact.unit = row.at("unit").string();
    fact.source = row.at("source").string();
    fact.noise = row.find("noise") ? row.at("noise").number(0, 1e6) : 0;
    profile.facts[key] = fact;
  }
  return profile;
}

DeviceProfile load_device_profile(const std::string& name_or_path) {
  const std::string path = find_data_file(name_or_path, {"models/devices"});
  refuse_pages(path);
  const InputJson json = load_json(path);
  return read_device_profile(JsonReader(json, path));
}

bool is_profiled(const std::string& name) {
  const std::vector<std::string> paths = candidate_paths(name, {"models/devices"});
  return std::any_of(paths.begin(), paths.end(), [](const std::string& path) {
    std::error_code none;
    return std::filesystem::is_regular_file(path, none);
  });
}

void fail_unknown_gpu(const std::string& where, const std::string& name) {
  const std::vector<std::string> shipped = shipped_names("models/devices");
  const std::string what =
      "the kernel was profiled on \"" + name + "\", and there is no device profile of that name";
  if (shipped.empty()) {
    fail_input(where,
               what + ": the data folder " + data_root() +
                   " holds none at all. Set PNSIM_HOME to a complete one (pnsim doctor shows "
                   "which is used), or add --device FILE");
  }
  if (const std::string nearest = shipped_within(name, shipped); !nearest.empty()) {
    fail_input(where, what + ". The nearest shipped profile is " + nearest + ": add --device " +
                          nearest +
                          ". For a profile of this GPU, type `experiment device` on a machine with "
                          "it, or estimate one from a data sheet: `pnsim device scale " +
                          nearest + " --set memory_bandwidth=... -o mine.json`");
  }
  std::string names;
  for (const std::string& known : shipped) names += (names.empty() ? "" : ", ") + known;
  fail_input(where, what + ". " + how_to_profile(name) +
                        " To predict for another GPU, add --device NAME: " + names);
}

}  // namespace pnsim
