#include "simulator/base/device_files.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

// "NVIDIA GeForce RTX 4090" -> "rtx4090"
std::string plain_gpu_name(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0) plain += static_cast<char>(std::tolower(letter));
  }
  for (const std::string maker : {"nvidia", "geforce", "tesla"}) {
    if (plain.starts_with(maker)) plain.erase(0, maker.size());
  }
  return plain;
}

// "" for a file that cannot be read: the message about it comes when it is used.
std::string title_in(const std::string& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return "";
  std::ifstream in(file, std::ios::binary);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  if (!json.is_object() || !json.contains("title") || !json["title"].is_string()) return "";
  return json["title"].get<std::string>();
}

}  // namespace

std::string device_file_of_gpu(const std::string& name, const std::string& folder,
                               const std::vector<std::string>& names) {
  const std::string plain = plain_gpu_name(name);
  if (plain.empty() || name.find('/') != std::string::npos) return "";
  for (const std::string& shipped : names) {
    const std::string file = folder + "/" + shipped + ".json";
    if (plain == plain_gpu_name(shipped) || plain == plain_gpu_name(title_in(file))) return file;
  }
  return "";
}

std::string shipped_within(const std::string& gpu, const std::vector<std::string>& names) {
  const std::string plain = plain_gpu_name(gpu);
  std::string longest;
  for (const std::string& name : names) {
    const bool occurs = plain.find(plain_gpu_name(name)) != std::string::npos;
    if (occurs && name.size() > longest.size()) longest = name;
  }
  return longest;
}

std::string how_to_profile(const std::string& gpu) {
  std::string name = gpu;  // as a profile may be called
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
  }
  return "A device profile holds the facts of a GPU that predictions need "
         "(docs/device_profile.md). On a machine with the GPU, `experiment device --name " +
         name +
         "` measures it; without the GPU, `pnsim device scale h200 --set sms=... --set "
         "clock_mhz=... --set memory_bandwidth=... --set l2_bytes=... -o " +
         name + ".json` estimates it from a data sheet.";
}

void fail_no_device(const std::string& name, const std::string& folder,
                    const std::vector<std::string>& names) {
  std::string known;
  for (const std::string& shipped : names) known += (known.empty() ? "" : ", ") + shipped;
  const std::string plain = plain_gpu_name(name);
  fail_input(name, (known.empty() ? "no such file, and nothing is shipped in " + folder
                                  : "no profile of this GPU is shipped; known: " + known +
                                        " (pnsim device list describes them)") +
                       ". " + how_to_profile(plain.empty() ? "mine" : plain));
}

}  // namespace pnsim
