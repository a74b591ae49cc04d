// Fuzz targets: functions that must cope with any input text.
#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pnsim::fuzz {

// `run` throws for a finding: anything but a refusal as users see it (accepts()), and every check
// that fails. `seeds` are valid inputs, made from shipped files and from test data.
struct Target {
  std::string_view name;
  void (*run)(std::string_view input);
  std::vector<std::string> (*seeds)();
};

std::span<const Target> targets();
// Null when there is no target of this name.
const Target* find_target(std::string_view name);

// A check that failed.
struct Finding : std::logic_error {
  using std::logic_error::logic_error;
};
inline void require(bool holds, const std::string& what) {
  if (!holds) throw Finding(what);
}

// Runs `read`. False when it refuses the input with an Error that a user may get: one of the exit
// codes 2 to 5, and a message that is not empty and not long. Throws Finding for any other Error.
bool accepts(const std::function<void()>& read);

// Two-part inputs: the parts are separated by this line.
inline constexpr std::string_view kSeparator = "\n=====\n";
std::pair<std::string_view, std::string_view> parts(std::string_view input);

// A file of this process in a temporary folder. It is written anew in every run.
std::string scratch_file(const std::string& name, std::string_view text);
std::string scratch_path(const std::string& name);

// Shipped files and test data, for seeds. Paths are relative to the source tree.
std::string tree_file(const std::string& path);
std::vector<std::string> tree_files(const std::string& folder, const std::string& extension);

void run_pnml(std::string_view input);
void run_net(std::string_view input);
void run_template(std::string_view input);
void run_model(std::string_view input);
void run_pages(std::string_view input);
void run_rows(std::string_view input);
void run_text(std::string_view input);
std::vector<std::string> pnml_seeds(), net_seeds(), template_seeds(), model_seeds(), pages_seeds(),
    row_seeds(), text_seeds();

}  // namespace pnsim::fuzz
