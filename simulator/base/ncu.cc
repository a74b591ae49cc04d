#include "simulator/base/ncu.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "simulator/base/error.h"
#include "simulator/base/process.h"

namespace pnsim {
namespace {

namespace fs = std::filesystem;

bool is_program(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

// Nsight Compute installs each version into its own folder; returns the newest by name.
std::string newest_install(const std::string& root) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root, ignored)) {
    const std::string candidate = entry.path().string() + "/ncu";
    if (is_program(candidate)) found.push_back(candidate);
  }
  return found.empty() ? "" : *std::max_element(found.begin(), found.end());
}

std::vector<std::string> toolkit_candidates() {
  std::vector<std::string> candidates;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const char* folder = std::getenv(variable)) {
      candidates.push_back(std::string(folder) + "/bin/ncu");
    }
  }
  candidates.push_back("/usr/local/cuda/bin/ncu");
  candidates.push_back("/opt/cuda/bin/ncu");
  return candidates;
}

}  // namespace

std::string installed_ncu() {
  const std::string on_path = find_on_path("ncu");
  if (!on_path.empty()) return on_path;
  for (const std::string& candidate : toolkit_candidates()) {
    if (is_program(candidate)) return candidate;
  }
  return newest_install("/opt/nvidia/nsight-compute");
}

std::string find_ncu() {
  const std::string found = installed_ncu();
  if (!found.empty()) return found;
  fail_unavailable(
      "Nsight Compute (ncu) was not found: looked at PATH, CUDA_PATH, CUDA_HOME, /usr/local/cuda, "
      "/opt/cuda and /opt/nvidia/nsight-compute; install it (package nsight-compute of the CUDA "
      "Toolkit) or put its folder on PATH");
}

std::vector<std::string> raw_page_command(const std::string& ncu, const std::string& report) {
  return {ncu, "--import", report, "--page", "raw", "--csv", "--print-units", "base"};
}

std::vector<std::string> source_page_command(const std::string& ncu, const std::string& report) {
  return {ncu, "--import", report, "--page", "source", "--csv", "--print-source", "sass"};
}

std::string profile_line() {
  return "ncu --set full --clock-control none --cache-control none -f -o rep ./program";
}

std::string cold_profile_line() {
  return "ncu --set full --clock-control none --cache-control all -f -o cold ./program";
}

std::string raw_page_line(const std::string& report) {
  return shell_line({"ncu", "--import", report, "--page", "raw", "--csv"}) + " > raw.csv";
}

std::string source_page_line(const std::string& report) {
  return shell_line(source_page_command("ncu", report)) + " > source.csv";
}

}  // namespace pnsim
