// The real pages of tests/data/vectors in the role of a user's pages, and a table of times for
// their five launches.
#pragma once

#include <string>

#include "experiments/validate/own_points.h"
#include "tests/base/temp_folder.h"

namespace pnsim::experiments {

inline const std::string kOwnRaw = PNSIM_TEST_DATA "/vectors/ncu_raw.csv";
inline const std::string kOwnSource = PNSIM_TEST_DATA "/vectors/ncu_source.csv";

// Launches 2 and 4 are a pair: they have one problem and different block sizes. Any predictor that
// uses the numbers of threads and blocks ranks them correctly.
inline const std::string kOwnTimes =
    "index,kernel,config,problem,block,time_us\n"
    "0,vector_add,first,n1,256,1.2\n"
    "1,block_sum,,n1,256,1.5\n"
    "2,vector_add,,n2,256,1.1\n"
    "3,sum,,n2,256,1.6\n"
    "4,vector_add,,n2,32x4,1.4\n";

// `text` with every `what` replaced. The test fails when there is none.
inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  for (; at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

// The three files of one test.
struct OwnFolder {
  explicit OwnFolder(const std::string& times = kOwnTimes)
      : files{kOwnRaw, kOwnSource, folder.write("times.csv", times)} {}

  // The files as options of `experiment validate`.
  std::string options() const {
    return "--pages " + files.pages + " --source " + files.source + " --times " + files.times;
  }

  const test::TempFolder folder;
  OwnFiles files;
};

}  // namespace pnsim::experiments
