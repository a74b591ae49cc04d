// experiment devices: shows the driver's facts of the GPU here, and lists the shipped profiles.
#include <spdlog/spdlog.h>

#include "experiments/cli/commands.h"
#include "experiments/spec/device_file.h"
#include "experiments/spec/options.h"
#include "gpu/time_row.h"
#include "simulator/base/data_files.h"
#include "simulator/base/output.h"
#include "simulator/base/rows.h"
#include "simulator/base/table.h"
#include "simulator/model/device/device_names.h"

namespace pnsim::experiments {
namespace {

struct DevicesOptions {
  std::string facts;  // --import
  std::string out;    // -o: the file of a profile
  OutputOptions output;
};

std::string facts_text(const DeviceProfile& profile) {
  TextTable table({"fact", "value", "unit", "source"});
  for (const auto& [name, fact] : profile.facts) {
    table.add_row({name, significant(fact.value, 12), fact.unit, fact.source});
  }
  return table.text(2);
}

// "2026-11-27": the last day that a source names; "-" for none.
std::string last_day(const DeviceProfile& profile) {
  constexpr std::string_view kBefore = " on ";
  constexpr std::size_t kDaySize = 10;
  std::string last = "-";
  for (const auto& [name, fact] : profile.facts) {
    const std::size_t at = fact.source.rfind(kBefore);
    if (at == std::string::npos) continue;
    const std::string day = fact.source.substr(at + kBefore.size(), kDaySize);
    const bool is_day = day.size() == kDaySize && day.starts_with("20") && day[4] == '-';
    if (is_day && (last == "-" || day > last)) last = day;
  }
  return last;
}

std::string shipped_text() {
  TextTable table({"device", "title", "profile", "last source", "facts", "recorded rows"});
  const ShippedDevices shipped = shipped_devices();
  for (const std::string& fault : shipped.faults) spdlog::warn("skipped: {}", fault);
  for (std::size_t i = 0; i < shipped.names.size(); ++i) {
    const DeviceProfile& profile = shipped.profiles[i];
    table.add_row({shipped.names[i], profile.title,
                   profile.estimate.empty() ? "measured" : profile.estimate, last_day(profile),
                   std::to_string(profile.facts.size()),
                   std::to_string(recorded_rows(shipped.names[i]).size())});
  }
  if (shipped.names.empty()) return "\nno device profile is shipped\n";
  return "\nshipped profiles\n\n" + table.text(2) +
         "\nThe facts of one, each with its source: pnsim show " + shipped.names.front() + "\n";
}

Json profiles_json() {
  Json out = Json::array();
  for (const DeviceProfile& profile : shipped_devices().profiles) {
    out.push_back(Json::parse(device_profile_text(profile)));
  }
  return out;
}

ExitCode show(const DevicesOptions& options) {
  const auto reason = gpu::unavailable_reason();
  Json json = {{"device", nullptr}, {"reason", nullptr}, {"profiles", profiles_json()}};
  std::string text;
  if (reason) {
    text = "live: none; " + *reason + "\n";
    json["reason"] = *reason;
  } else {
    const gpu::DeviceFacts device = gpu::query_device();
    json["device"] = gpu::device_facts_json(device);
    text = "live: " + device.name + ", driver " + device.driver + ", CUDA " + device.cuda + "\n" +
           facts_text(live_profile());
  }
  write_output(options.output, {text + shipped_text(), json.dump(1) + "\n", ""});
  return ExitCode::kOk;
}

DeviceProfile read_facts(const std::string& file) {
  const InputJson json = load_json(file);
  const JsonReader reader(json, file);
  return profile_of_facts(reader.find("device") ? reader.at("device") : reader);
}

ExitCode write_profile(const DevicesOptions& options) {
  DeviceProfile profile;
  if (options.facts.empty()) {
    const InputJson facts = gpu::device_facts_json(gpu::query_device());  // error 4 without a GPU
    profile = profile_of_facts(JsonReader(facts, "the driver"));
  } else {
    profile = read_facts(options.facts);
  }
  profile = with_known_facts(std::move(profile));
  const std::string file =
      options.out.empty() ? data_root() + "/models/devices/" + profile.name + ".json" : options.out;
  write_file_whole(OutputFile::stored(file, ShippedFolder::kDevices), device_profile_text(profile));
  write_stdout(profile.title + ": " + std::to_string(profile.facts.size()) + " facts in " + file +
               "\n");
  warn_of_missing_facts(profile);
  return ExitCode::kOk;
}

}  // namespace

void add_devices_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand("devices", "the GPU here and the shipped device profiles");
  auto options = std::make_shared<DevicesOptions>();
  auto save = std::make_shared<bool>(false);
  sub->add_flag("--save", *save, "write the profile of the GPU here (models/devices/NAME.json)");
  sub->add_option("--import", options->facts,
                  "write the profile of facts that `experiment devices --json` printed elsewhere");
  sub->add_option("-o,--out", options->out, "file of the profile");
  add_json_flag(*sub, options->output);
  sub->callback([&invocation, options, save] {
    invocation.action = [options, save] {
      return *save || !options->facts.empty() ? write_profile(*options) : show(*options);
    };
  });
}

}  // namespace pnsim::experiments
