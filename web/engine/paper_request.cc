#include "web/engine/paper_request.h"

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/engine/run_result.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kPageMaxSteps = 20'000'000;

}  // namespace

NetTemplate paper_net(const JsonReader& request) {
  const std::vector<std::string> known{"wpnm", "wpnm_literal"};
  const std::string name = request.at("net").string();
  if (name != known[0] && name != known[1]) {
    fail_usage("found net \"" + name + "\"" + suggestion(name, known));
  }
  return load_net_template(find_data_file(name, {"models/nets"}));
}

std::int64_t paper_number(const JsonReader& number) { return number.integer(0, kMaxTokens); }

ParameterValues paper_counts(const JsonReader& request) {
  ParameterValues values;
  for (const char* name : {"W", "S", "xa", "xs", "xg"}) {
    values[name] = {paper_number(request.at(name))};
  }
  return values;
}

std::uint64_t seed_of(const JsonReader& request) {
  const auto seed = request.find("seed");
  constexpr std::int64_t kMost = std::int64_t{1} << 53;  // what a number of a page holds exactly
  return seed ? static_cast<std::uint64_t>(seed->integer(0, kMost)) : 1;
}

std::uint64_t max_steps_of(const JsonReader& request) {
  const auto most = request.find("max_steps");
  if (!most) return kPageMaxSteps;
  return static_cast<std::uint64_t>(most->integer(1, static_cast<std::int64_t>(kDefaultMaxSteps)));
}

}  // namespace pnsim
