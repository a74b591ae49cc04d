// Raw pages that Nsight Compute prints for this program itself.
#pragma once

#include <string>
#include <vector>

namespace pnsim::gpu {

// What a command of the profiler prints. Error 4 with the profiler's words when it fails.
std::string run_profiler(const std::vector<std::string>& command);

// A raw page as CSV: the first row names the columns, the second one their units. Errors are 3.
class ProfilerPage {
 public:
  ProfilerPage(const std::string& csv, std::string origin);

  std::size_t launches() const { return rows_.size() - 2; }
  // The cell of a launch, from 0.
  const std::string& text(std::size_t launch, const std::string& column) const;
  // The same as a number of at least 0.
  double number(std::size_t launch, const std::string& column) const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::string origin_;
};

}  // namespace pnsim::gpu
