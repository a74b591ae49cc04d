#include "simulator/analysis/predict/point_request.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/launch/launch_shape.h"
#include "simulator/model/paper/count_programs.h"
#include "simulator/model/sm/sm_parameters.h"

namespace pnsim {
namespace {

// The parameters of a net that a kernel model provides.
const std::vector<std::string>& filled_in_parameters(const NetTemplate& net) {
  static const std::vector<std::string> of_counts{"W", "xa", "xs", "xg"};
  static const std::vector<std::string> of_programs_in_order = [] {
    std::vector<std::string> names = program_parameters();
    names.emplace_back(kAdmits);
    return names;
  }();
  if (walks_counts(net)) return count_program_parameters();
  if (!walks_programs(net)) return of_counts;
  return net.find_parameter(kAdmits) ? of_programs_in_order : program_parameters();
}

bool is_changed_count(const NetTemplate& net, const std::string& name) {
  return is_count(name) && takes_counts(net);
}

void check_settable(const NetTemplate& net, const std::string& name) {
  const std::vector<std::string>& filled_in = filled_in_parameters(net);
  if (std::find(filled_in.begin(), filled_in.end(), name) == filled_in.end()) return;
  fail_usage("\"" + name + "\" comes from the kernel model's launches and cannot be set");
}

// Cycles that each launch has its own numbers of.
bool is_of_each_launch(const NetTemplate& net, const std::string& name) {
  const std::vector<std::string>& cycles = settable_cycles();
  return walks_programs(net) && std::find(cycles.begin(), cycles.end(), name) != cycles.end();
}

}  // namespace

GivenParameters given_parameters(const PointRequest& request) {
  const NetTemplate& net = *request.net_template;
  GivenParameters given{device_parameters(net, *request.device), {}};
  for (const auto& [name, values] : request.model->parameters) given.values[name] = values;
  for (const auto& [name, values] : request.net_parameters) {
    if (is_changed_count(net, name)) continue;
    check_settable(net, name);
    given.values[name] = values;
  }
  for (const auto& [name, factor] : request.factors) {
    if (is_changed_count(net, name)) continue;
    check_settable(net, name);
    check_has_quantity(net, name);
    if (is_of_each_launch(net, name) && !given.values.contains(name)) {
      given.of_each_launch[name] = factor;
    } else {
      multiply_parameters(net, {{name, factor}}, given.values);
    }
  }
  return given;
}

ParameterValues device_parameters(const NetTemplate& net, const DeviceProfile& device) {
  ParameterValues out;
  for (const ParameterSpec& spec : net.parameters) {
    if (!spec.device.empty()) out[spec.name] = {device.count(spec.device)};
  }
  return out;
}

bool takes_counts(const NetTemplate& net) { return !walks_counts(net); }

CountChanges count_changes(const PointRequest& request) {
  return count_changes(request.net_parameters, request.factors);
}

ParameterValues net_parameters(const PointRequest& request) {
  const NetTemplate& net = *request.net_template;
  const std::vector<std::string>& filled_in = filled_in_parameters(net);
  for (const std::string& name : filled_in) {
    if (!net.find_parameter(name)) {
      fail_input("net " + net.name,
                 "has no parameter \"" + name + "\", which a kernel model fills in");
    }
  }
  const ParameterValues given = given_parameters(request).values;
  ParameterValues values = resolve_parameters(net, given);
  for (const std::string& name : filled_in) values.erase(name);
  if (!walks_programs(net)) return values;
  for (const std::string& name : settable_cycles()) {
    if (!given.contains(name)) values.erase(name);  // of each launch its own
  }
  return values;
}

void refuse_large_block(const Problem& problem, const DeviceProfile& device) {
  const auto block = problem.find(kBlockAxis);
  if (block == problem.end()) return;
  const auto most = device.facts.find("max_threads_per_block");
  if (block->second < 1) {
    const std::int64_t limit =
        most == device.facts.end() ? 1024 : device.count("max_threads_per_block");
    const std::string found = std::to_string(block->second);
    fail_input("block=" + found,
               "found " + found + ", expected 1 to " + std::to_string(limit) + " threads");
  }
  if (most == device.facts.end()) return;
  const std::int64_t limit = device.count("max_threads_per_block");
  if (block->second <= limit) return;
  const std::string size = std::to_string(block->second);
  fail_input("block=" + size, "a block of " + size + " threads (a block has at most " +
                                  std::to_string(limit) + ") does not fit on an SM of " +
                                  device.name);
}

}  // namespace pnsim
