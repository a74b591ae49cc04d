// Profiler pages of six kernels of PyTorch, and the models that `pnsim derive` makes of them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/cli/program.h"

namespace pnsim {

inline const std::string kPages = PNSIM_TEST_DATA;
inline const std::string kTorchRaw = kPages + "/pages/torch.raw.csv";
inline const std::string kTorch =
    " --ncu " + kTorchRaw + " --source " + kPages + "/pages/torch.source.csv";
inline const std::string kProduct = "/0038-nvjet_sm90_tst_128x64_64x8_1x2_h_bz_NNT.json";

// A folder with the models of the PyTorch pages.
inline std::string torch_models() {
  const std::string folder = scratch_folder() + "/models";
  const ProgramResult derived = run_program("derive" + kTorch + " -o " + folder);
  EXPECT_EQ(derived.code, 0) << derived.err;
  return folder;
}

}  // namespace pnsim
