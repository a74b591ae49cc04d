#include "experiments/run/earlier_run.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "simulator/base/axis.h"
#include "simulator/base/error.h"
#include "simulator/base/json.h"

namespace pnsim::experiments {
namespace {

// "" for a missing file. The file does not become an input of the command, which replaces it.
std::string text_of(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return "";
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The spec in run.json, or null.
InputJson spec_in(const std::string& run_file) {
  const InputJson run = InputJson::parse(text_of(run_file), nullptr, false);
  return run.is_object() && run.contains("spec") && run["spec"].is_object() ? run["spec"]
                                                                            : InputJson();
}

// The cells of the grid of that spec; 0 when it has none that can be read.
std::uint64_t cells_of(const InputJson& spec) {
  if (!spec.is_object() || !spec.contains("grid") || !spec["grid"].is_array()) return 0;
  std::vector<Axis> grid;
  try {
    for (const InputJson& axis : spec["grid"]) grid.push_back(parse_axis(axis.get<std::string>()));
    return grid.empty() ? 0 : point_count(grid);
  } catch (const std::exception&) {
    return 0;
  }
}

std::uint64_t rows_in(const std::string& path) {
  const std::string text = text_of(path);
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

[[noreturn]] void fail_discarded(const std::string& file, const std::string& rows) {
  fail_usage(file + ": found " + rows +
             " of an earlier run, which this one would discard: continue with --resume, delete the "
             "file, or name another folder with --out");
}

}  // namespace

void check_earlier_run(const std::string& folder, const NewRun& run) {
  const std::string run_file = folder + "/run.json", grid = folder + "/grid.jsonl",
                    times = folder + "/times.jsonl";
  const InputJson spec = spec_in(run_file);
  const bool has_name = spec.is_object() && spec.contains("name") && spec["name"].is_string();
  if (has_name && spec["name"] != run.spec) {
    fail_usage(run_file + ": found a run of the experiment \"" + spec["name"].get<std::string>() +
               "\", expected one of \"" + run.spec +
               "\" or an empty folder: name another folder with --out");
  }
  if (run.is_resumed) return;
  const std::uint64_t cells = rows_in(grid), rows = rows_in(times);
  if (run.has_times && rows > 0) fail_discarded(times, std::to_string(rows) + " live times");
  const std::uint64_t all = cells_of(spec);
  if (run.has_grid && cells > 0 && cells < all) {
    fail_discarded(grid, std::to_string(cells) + " of " + std::to_string(all) + " cells");
  }
  if (has_name) spdlog::info("{}: the results of an earlier run are replaced", folder);
}

}  // namespace pnsim::experiments
