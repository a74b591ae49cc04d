// Calls gpu/live.h from a shell, without the command line of the finished programs:
//
//   gpu_driver facts
//   gpu_driver check smallest|odd|default|all [PROGRAM...]   the three smallest odd sizes, all odd
//                                                   sizes, the default point, both of these
//   gpu_driver verify DISTRIBUTION|all N...         the radix sorts, all blocks
//   gpu_driver walk [PROGRAM...]                    every point of the axes
#include <algorithm>
#include <cstdio>
#include <exception>

#include "gpu/catalogue.h"
#include "gpu/checked_point.h"
#include "gpu/input_cache.h"
#include "gpu/live.h"
#include "gpu/profile_plan.h"
#include "gpu/time_row.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

using Arguments = std::vector<std::string>;

Json kernel_json(const Point& point, const KernelFacts& kernel) {
  return {{"point", describe(point)},
          {"kernel", kernel.kernel},
          {"grid", kernel.grid},
          {"threads", kernel.block},
          {"registers_per_thread", kernel.registers_per_thread},
          {"shared_bytes_per_block", kernel.shared_bytes_per_block},
          {"local_bytes_per_thread", kernel.local_bytes_per_thread},
          {"resident_blocks_per_sm", kernel.resident_blocks_per_sm}};
}

int print_facts() {
  Json facts = {{"device", device_facts_json(query_device())}, {"kernels", Json::array()}};
  for (const Program& program : catalogue()) {
    const Point point = default_point(program.name);
    for (const KernelFacts& kernel : kernel_facts(point)) {
      facts["kernels"].push_back(kernel_json(point, kernel));
    }
  }
  std::printf("%s\n", facts.dump(1).c_str());
  return 0;
}

// Verifies points and counts the wrong ones.
class Checker {
 public:
  void check(const Point& point) {
    const Verification verification = verify(point, inputs_);
    ++points_;
    std::printf("%s %s\n", verification.ok() ? "ok   " : "WRONG", describe(point).c_str());
    std::fflush(stdout);
    if (verification.ok()) return;
    ++failures_;
    std::printf("      %llu elements; %s\n",
                static_cast<unsigned long long>(verification.wrong_elements),
                verification.first_difference.c_str());
  }

  int exit_code() const {
    std::printf("verified %d points: %d wrong\n", points_, failures_);
    return failures_ == 0 ? 0 : 1;
  }

 private:
  InputCache inputs_;
  int points_ = 0;
  int failures_ = 0;
};

// The default point of a size, then every listed value of one axis after the other: each kernel of
// a program runs.
void check_size(const Program& program, const std::map<std::string, std::int64_t>& values,
                Checker& checker) {
  checker.check(default_point(program.name, values));
  for (const ProgramAxis& axis : program.axes) {
    if (!axis.only_listed) continue;
    for (const std::int64_t value : axis.values) {
      if (value == axis.default_value) continue;
      std::map<std::string, std::int64_t> all = values;
      all[axis.name] = value;
      checker.check(default_point(program.name, all));
    }
  }
}

int check(const std::string& what, const Arguments& programs) {
  Checker checker;
  for (const std::string& name : programs) {
    const Program& program = find_program(name);
    std::size_t sizes = program.odd_sizes.size();
    if (what == "default") sizes = 0;
    if (what == "smallest") sizes = std::min(sizes, std::size_t{3});
    for (std::size_t i = 0; i < sizes; ++i) check_size(program, program.odd_sizes[i], checker);
    if (what == "default" || what == "all") checker.check(default_point(name));
  }
  return checker.exit_code();
}

int walk(const Arguments& programs) {
  Checker checker;
  for (const std::string& name : programs) {
    for (const ProfileItem& item : profile_plan(find_program(name), {})) checker.check(item.point);
  }
  return checker.exit_code();
}

int verify_sorts(const std::string& wanted, const Arguments& sizes) {
  std::vector<Distribution> distributions(all_distributions().begin(), all_distributions().end());
  if (wanted != "all") distributions = {parse_distribution(wanted)};
  Checker checker;
  for (const Program& program : catalogue()) {
    const ProgramAxis* block = program.find_axis("block");
    if (program.passes == 1 || block == nullptr) continue;
    for (const std::string& n : sizes) {
      for (const Distribution distribution : distributions) {
        for (const std::int64_t threads : block->values) {
          checker.check(default_point(program.name, {{"n", std::stol(n)}, {"block", threads}},
                                      {distribution, 1}));
        }
      }
    }
  }
  return checker.exit_code();
}

Arguments programs_of(const Arguments& arguments, std::size_t first) {
  if (arguments.size() <= first) return program_names();
  return {arguments.begin() + static_cast<std::ptrdiff_t>(first), arguments.end()};
}

bool is_one_of(const std::string& word, const Arguments& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

int run(const Arguments& arguments) {
  const std::string verb = arguments.size() > 1 ? arguments[1] : "";
  const std::string what = arguments.size() > 2 ? arguments[2] : "";
  if (verb == "facts") return print_facts();
  if (verb == "check" && is_one_of(what, {"smallest", "odd", "default", "all"})) {
    return check(what, programs_of(arguments, 3));
  }
  if (verb == "walk") return walk(programs_of(arguments, 2));
  if (verb == "verify" && arguments.size() > 3)
    return verify_sorts(what, programs_of(arguments, 3));
  fail_usage(
      "gpu_driver facts | check smallest|odd|default|all [PROGRAM...] | verify DISTRIBUTION|all "
      "N... | "
      "walk [PROGRAM...]");
}

}  // namespace
}  // namespace pnsim::gpu

int main(int argc, char** argv) {
  try {
    return pnsim::gpu::run({argv, argv + argc});
  } catch (const pnsim::Error& error) {
    std::fprintf(stderr, "gpu_driver: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_driver: %s\n", error.what());
    return 70;
  }
}
