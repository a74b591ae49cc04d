// pnsim device scale SOURCE --set FACT=VALUE ... -o FILE: estimates the profile of a GPU from a
// data sheet. pnsim device list: the shipped profiles.
#include <spdlog/spdlog.h>

#include <cmath>
#include <filesystem>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/numbers.h"
#include "simulator/base/output.h"
#include "simulator/base/process.h"
#include "simulator/base/rows.h"
#include "simulator/base/table.h"
#include "simulator/cli/commands.h"
#include "simulator/model/device/device_names.h"
#include "simulator/model/device/device_text.h"
#include "simulator/model/device/scale.h"

namespace pnsim {
namespace {

struct ScaleOptions {
  std::string from;
  std::vector<std::string> set, cite;
  std::string name, title, out;
};

// "KEY=TEXT"
std::pair<std::string, std::string> split_setting(const std::string& flag,
                                                  const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    fail_usage(flag + " " + text + ": expected FACT=" + (flag == "--set" ? "NUMBER" : "SOURCE"));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

double number_of(const std::string& text, const std::string& setting) {
  const std::optional<double> value = parse_double(text);
  if (value && !std::isnan(*value)) return *value;
  fail_usage("--set " + setting + ": found \"" + text +
             "\", expected a number such as 3.35e12, which a floating-point number holds");
}

GivenFacts given_facts(const ScaleOptions& options) {
  if (options.set.empty()) {
    fail_usage(
        "expected figures of a data sheet, such as --set sms=108 --set clock_mhz=1410 "
        "--set memory_bandwidth=1.555e12 --set l2_bytes=41943040");
  }
  GivenFacts given;
  std::vector<std::string> known;
  for (const std::string& setting : options.set) {
    const auto [key, text] = split_setting("--set", setting);
    if (given.contains(key)) fail_usage("--set " + key + " is given twice");
    given[key] = {number_of(text, setting), ""};
    known.push_back(key);
  }
  for (const std::string& citation : options.cite) {
    const auto [key, text] = split_setting("--cite", citation);
    if (!given.contains(key)) {
      fail_usage("--cite " + key + ": this fact is not given with --set" + suggestion(key, known));
    }
    given[key].source = text;
  }
  return given;
}

// What a data sheet says and the user did not give.
void warn_of_kept(const DeviceProfile& from, const GivenFacts& given) {
  std::string kept;
  for (const auto& [key, unit] : sheet_facts()) {
    const std::string name = key;
    const bool is_given = given.contains(name) ||
                          (name == "memory_bandwidth_peak" && given.contains("memory_bandwidth"));
    if (is_given || !from.facts.contains(name)) continue;
    if (name == "l2_slices" && given.contains("memory_bus_bits")) continue;
    kept += (kept.empty() ? "" : ", ") + name + " " + significant(from.value(name), 6) + " " + unit;
  }
  if (!kept.empty()) spdlog::info("not given, so as on {}: {}", from.name, kept);
}

ExitCode scale(const ScaleOptions& options) {
  const GivenFacts given = given_facts(options);
  const DeviceProfile from = load_device_profile(options.from);
  const OutputFile file(options.out);  // after the input is known: it may not be the same file
  DeviceProfile profile = scale_device(from, given);
  warn_of_kept(from, given);
  profile.name =
      options.name.empty() ? std::filesystem::path(options.out).stem().string() : options.name;
  if (!is_profile_name(profile.name)) {
    fail_usage((options.name.empty() ? "-o" : "--name") + std::string(": found the name \"") +
               profile.name + "\", expected " + kProfileNames +
               (options.name.empty() ? "; name the profile with --name NAME" : ""));
  }
  profile.title = options.title.empty() ? profile.name : options.title;
  write_file_whole(file, device_profile_text(profile));
  std::size_t scaled = 0;
  for (const auto& [key, fact] : profile.facts) scaled += fact.source.starts_with("scaled") ? 1 : 0;
  write_stdout(profile.described() + "\nfacts: " + std::to_string(given.size()) + " given, " +
               std::to_string(scaled) + " scaled, " +
               std::to_string(profile.facts.size() - given.size() - scaled) + " kept; in " +
               options.out + "\nPredict for it: pnsim --model NAME --device " +
               shell_line({options.out}) + "\n");
  return ExitCode::kOk;
}

std::string mebibytes(const DeviceProfile& device) {
  return significant(device.value("l2_bytes") / (1 << 20), 3);
}

std::vector<std::string> list_row(const std::string& name, const DeviceProfile& device) {
  return {name,
          device.title,
          device.estimate.empty() ? "measured" : device.estimate,
          fixed(device.value("sms"), 0),
          fixed(device.value("clock_mhz"), 0),
          mebibytes(device),
          fixed(device.value("memory_bandwidth_peak") / 1e9, 0),
          std::to_string(device.facts.size()),
          std::to_string(recorded_rows(name).size())};
}

ExitCode list() {
  TextTable table({"device", "title", "profile", "SMs", "MHz", "L2 MiB", "DRAM GB/s", "facts",
                   "recorded rows"});
  const ShippedDevices shipped = shipped_devices();
  std::vector<std::string> faults = shipped.faults;
  for (std::size_t i = 0; i < shipped.names.size(); ++i) {
    try {
      table.add_row(list_row(shipped.names[i], shipped.profiles[i]));
    } catch (const Error& error) {
      faults.emplace_back(error.what());
    }
  }
  write_stdout(table.text());
  for (const std::string& fault : faults) spdlog::warn("skipped: {}", fault);
  return ExitCode::kOk;
}

void add_scale(CLI::App& device, Action& action) {
  CLI::App* sub = device.add_subcommand(
      "scale", "estimate the profile of a GPU from a measured one and a data sheet");
  auto options = std::make_shared<ScaleOptions>();
  sub->add_option("SOURCE", options->from, "measured profile, by name or file")->required();
  sub->add_option("--set", options->set,
                  "FACT=NUMBER, in the unit of the profile (repeatable): sms, clock_mhz, "
                  "memory_bandwidth, l2_bytes, memory_bus_bits, l2_slices, or any other fact that "
                  "pnsim show SOURCE lists")
      ->allow_extra_args(false);
  sub->add_option("--cite", options->cite, "FACT=SOURCE: where a given figure is published")
      ->allow_extra_args(false);
  sub->add_option("--name", options->name, "name of the profile (that of the file)");
  sub->add_option("--title", options->title, "the GPU's name in the driver (the profile's name)");
  sub->add_option("-o,--out", options->out, "file of the profile")->required();
  sub->callback([options, &action] { action = [options] { return scale(*options); }; });
}

}  // namespace

void add_device_command(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("device", "device profiles: list them, or scale one");
  sub->require_subcommand(1);
  add_scale(*sub, action);
  sub->add_subcommand("list", "the shipped device profiles")->callback([&action] {
    action = list;
  });
}

}  // namespace pnsim
