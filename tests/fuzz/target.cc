#include "tests/fuzz/target.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "simulator/base/error.h"
#include "simulator/base/json.h"

namespace pnsim::fuzz {

std::span<const Target> targets() {
  static constexpr std::array<Target, 7> kTargets{{
      {"pages", run_pages, pages_seeds},
      {"model", run_model, model_seeds},
      {"template", run_template, template_seeds},
      {"pnml", run_pnml, pnml_seeds},
      {"net", run_net, net_seeds},
      {"rows", run_rows, row_seeds},
      {"text", run_text, text_seeds},
  }};
  return kTargets;
}

const Target* find_target(std::string_view name) {
  const auto all = targets();
  const auto it = std::ranges::find(all, name, &Target::name);
  return it == all.end() ? nullptr : &*it;
}

bool accepts(const std::function<void()>& read) {
  constexpr std::size_t kLongMessage = 4000;
  try {
    read();
    return true;
  } catch (const Error& error) {
    const std::string message = error.what();
    const int code = static_cast<int>(error.code());
    require(code >= 2 && code <= 5, "exit code " + std::to_string(code) + ": " + message);
    require(!message.empty(), "an error without a message");
    require(message.size() <= kLongMessage, "a message of " + std::to_string(message.size()) +
                                                " bytes: " + message.substr(0, kLongMessage));
    return false;
  } catch (const Json::type_error& error) {
    // The programs end with exit code 3 for a name that is not UTF-8.
    if (error.id != kJsonNotUtf8) throw;
    return false;
  }
}

std::pair<std::string_view, std::string_view> parts(std::string_view input) {
  const std::size_t at = input.find(kSeparator);
  if (at == std::string_view::npos) return {input, {}};
  return {input.substr(0, at + 1), input.substr(at + kSeparator.size())};
}

std::string scratch_path(const std::string& name) {
  struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("pnsim_fuzz_" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return (folder.path / name).string();
}

std::string scratch_file(const std::string& name, std::string_view text) {
  const std::string path = scratch_path(name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string tree_file(const std::string& path) {
  std::ifstream in(std::string(PNSIM_TREE) + "/" + path, std::ios::binary);
  require(in.is_open(), path + " is not in the tree");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> tree_files(const std::string& folder, const std::string& extension) {
  std::vector<std::string> out;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(PNSIM_TREE) + "/" + folder)) {
    if (entry.path().extension() == extension) {
      out.push_back(folder + "/" + entry.path().filename().string());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace pnsim::fuzz
