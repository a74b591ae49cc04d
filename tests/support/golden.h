// Compares output with a stored file that was checked by hand.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "simulator/base/json.h"
#include "simulator/base/output.h"

namespace pnsim {

// Compares with tests/data/golden/NAME. When they differ (or there is none yet) the content is
// written beside it as NAME.new: look at it, then rename it if it is right.
inline void expect_golden(const std::string& name, const std::string& content) {
  const std::string path = PNSIM_TEST_DATA "/golden/" + name;
  const std::string expected = std::filesystem::exists(path) ? read_file(path) : "";
  if (content == expected) return;
  write_file_whole(path + ".new", content);
  ADD_FAILURE() << "not what " << path << " has; see " << path << ".new";
}

}  // namespace pnsim
