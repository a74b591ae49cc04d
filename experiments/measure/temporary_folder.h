// A temporary folder that is removed with its content.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "simulator/base/error.h"

namespace pnsim::experiments {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "pnsim-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Error(ExitCode::kOutput, name + ": cannot be created");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace pnsim::experiments
