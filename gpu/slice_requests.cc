#include "gpu/slice_requests.h"

#include <filesystem>

#include "gpu/profiler_page.h"
#include "simulator/base/error.h"
#include "simulator/base/leftovers.h"
#include "simulator/base/ncu.h"
#include "simulator/base/process.h"

namespace pnsim::gpu {
namespace fs = std::filesystem;

namespace {

constexpr const char* kTime = "gpu__time_duration.sum";  // ns in base units
constexpr const char* kRequests = "lts__t_requests.max";

}  // namespace

std::vector<SliceRequests> requests_on_page(const std::string& csv, const std::string& origin) {
  const ProfilerPage page(csv, origin);
  std::vector<SliceRequests> out;
  for (std::size_t i = 0; i < page.launches(); ++i) {
    out.push_back({page.text(i, "Kernel Name"), page.number(i, kTime), page.number(i, kRequests)});
  }
  return out;
}

std::vector<SliceRequests> slice_requests(const std::string& bench, const std::string& kernel,
                                          std::string* why) {
  try {
    const std::string ncu = find_ncu();
    std::error_code unreadable;
    const fs::path program =
        fs::read_symlink("/proc/self/exe", unreadable).parent_path() / "experiment";
    if (!fs::exists(program)) fail_unavailable("there is no " + program.string());
    const TemporaryFolder folder;
    const std::string report = folder.path() + "/slices.ncu-rep";
    run_profiler({ncu, "--metrics", std::string(kTime) + "," + kRequests, "-k", "regex:" + kernel,
                  "--clock-control", "none", "-f", "-o", report, program.string(), "-q",
                  "microbench", bench, "--out", folder.path() + "/rows.jsonl"});
    const std::vector<std::string> print = raw_page_command(ncu, report);
    return requests_on_page(run_profiler(print), shell_line(print));
  } catch (const Error& error) {
    *why = error.what();
    return {};
  }
}

}  // namespace pnsim::gpu
