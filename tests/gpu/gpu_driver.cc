// Calls gpu/live.h from a shell, without the command line of the finished programs:
//
//   gpu_driver facts
//   gpu_driver verify DISTRIBUTION|all N...      all programs and blocks
//   gpu_driver measure warm|cold ROWS.jsonl [PROGRAM...]
//   gpu_driver profile PROGRAM MANIFEST.jsonl [N...]      to be run under the profiler
//   gpu_driver counts PROGRAM FOLDER [N...]               runs itself under the profiler
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "gpu/catalogue.h"
#include "gpu/counts.h"
#include "gpu/live.h"
#include "gpu/time_row.h"
#include "simulator/base/error.h"
#include "simulator/base/output.h"
#include "simulator/base/provenance.h"

namespace pnsim::gpu {
namespace {

using Arguments = std::vector<std::string>;

std::vector<std::uint32_t> sizes(const Arguments& arguments, std::size_t first) {
  std::vector<std::uint32_t> values;
  for (std::size_t i = first; i < arguments.size(); ++i) {
    values.push_back(static_cast<std::uint32_t>(std::stoul(arguments[i])));
  }
  return values;
}

int print_facts() {
  Json facts = {{"device", device_facts_json(query_device())}, {"kernels", Json::array()}};
  for (const Program& program : catalogue()) {
    for (unsigned block : program.block) {
      for (const KernelFacts& kernel : kernel_facts({program.name, program.default_n, block, {}})) {
        facts["kernels"].push_back({{"program", program.name},
                                    {"block", block},
                                    {"kernel", kernel.kernel},
                                    {"threads", kernel.block},
                                    {"registers_per_thread", kernel.registers_per_thread},
                                    {"shared_bytes_per_block", kernel.shared_bytes_per_block},
                                    {"local_bytes_per_thread", kernel.local_bytes_per_thread},
                                    {"resident_blocks_per_sm", kernel.resident_blocks_per_sm}});
      }
    }
  }
  std::printf("%s\n", facts.dump(1).c_str());
  return 0;
}

int verify_all(const std::string& wanted, const std::vector<std::uint32_t>& all_n) {
  std::vector<Distribution> distributions(all_distributions().begin(), all_distributions().end());
  if (wanted != "all") distributions = {parse_distribution(wanted)};
  InputCache inputs;
  int points = 0;
  int failures = 0;
  for (const Program& program : catalogue()) {
    for (std::uint32_t n : all_n) {
      for (Distribution distribution : distributions) {
        for (unsigned block : program.block) {
          const Point point = {program.name, n, block, {distribution, 1}};
          const Verification verification = verify(point, inputs);
          ++points;
          if (verification.ok()) continue;
          ++failures;
          std::printf("WRONG %s: %llu keys; %s\n", describe(point).c_str(),
                      static_cast<unsigned long long>(verification.wrong_keys),
                      verification.first_difference.c_str());
        }
      }
    }
  }
  std::printf("verified %d points of %zu programs, each pass: %d wrong\n", points,
              catalogue().size(), failures);
  return failures == 0 ? 0 : 1;
}

// n is the slowest axis, so that all points of one n share one host sort.
void measure_all(Mode mode, const std::string& rows, const Arguments& programs,
                 const std::string& command) {
  const DeviceFacts device = query_device();
  InputCache inputs;
  for (std::uint32_t n : catalogue().front().n) {
    for (const std::string& name : programs) {
      for (unsigned block : find_program(name).block) {
        const Point point = {name, n, block, {}};
        const Measurement measurement = measure(point, mode, {}, inputs);
        append_line(rows, to_line(time_row(point, mode, measurement, device, command)));
        std::printf("%s %s %.3f us (%d samples, %d rejected, %s)\n", describe(point).c_str(),
                    mode_name(mode).c_str(), measurement.time.median_us, measurement.time.samples,
                    measurement.time.rejected, stop_name(measurement.stop).c_str());
        std::fflush(stdout);
      }
    }
  }
}

int profile(const std::string& name, const std::string& manifest,
            const std::vector<std::uint32_t>& only_n) {
  std::vector<ProfileItem> plan = profile_plan(find_program(name), {});
  if (!only_n.empty()) {
    std::erase_if(plan, [&](const ProfileItem& item) {
      return std::find(only_n.begin(), only_n.end(), item.point.n) == only_n.end();
    });
  }
  InputCache inputs;
  run_for_profiler(plan, manifest, inputs);
  return 0;
}

int counts(const Arguments& arguments) {
  const std::string& name = arguments[2];
  const std::string stem = arguments[3] + "/" + name;
  CountsJob job = {.target = {std::filesystem::read_symlink("/proc/self/exe").string(), "profile",
                              name, stem + ".manifest.jsonl"},
                   .report = stem + ".ncu-rep",
                   .raw_csv = stem + ".raw.csv",
                   .source_csv = "",
                   .cold = false};
  job.target.insert(job.target.end(), arguments.begin() + 4, arguments.end());
  std::printf("%s\n", collect_counts(job).c_str());
  return 0;
}

int run(const Arguments& arguments, const std::string& command) {
  const std::string verb = arguments.size() > 1 ? arguments[1] : "";
  if (verb == "facts") return print_facts();
  if (verb == "verify" && arguments.size() > 2) {
    return verify_all(arguments[2], sizes(arguments, 3));
  }
  if (verb == "profile" && arguments.size() > 3) {
    return profile(arguments[2], arguments[3], sizes(arguments, 4));
  }
  if (verb == "counts" && arguments.size() > 3) return counts(arguments);
  if (verb == "measure" && arguments.size() > 3) {
    const Arguments programs(arguments.begin() + 4, arguments.end());
    measure_all(arguments[2] == "cold" ? Mode::kCold : Mode::kWarm, arguments[3],
                programs.empty() ? program_names() : programs, command);
    return 0;
  }
  fail_usage(
      "gpu_driver facts | verify DISTRIBUTION|all N... | measure warm|cold ROWS [PROGRAM...] | "
      "profile PROGRAM MANIFEST [N...] | counts PROGRAM FOLDER [N...]");
}

}  // namespace
}  // namespace pnsim::gpu

int main(int argc, char** argv) {
  try {
    return pnsim::gpu::run({argv, argv + argc}, pnsim::command_line(argc, argv));
  } catch (const pnsim::Error& error) {
    std::fprintf(stderr, "gpu_driver: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_driver: %s\n", error.what());
    return 70;
  }
}
