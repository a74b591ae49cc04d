// The launches of the user's files, with their kernel models.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/derive/profile_pages.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim::experiments {

struct OwnFiles {
  std::string pages;             // the raw page of the profile, or ncu's report; "": `models`
  std::string source;            // the source page of the same launches; "": that of the report
  std::string times;             // the table of times (own_times.h)
  std::string in_place{};        // a raw page of the launches in place (in_place_page.h); "": none
  std::string models{};          // in place of pages: a folder that `pnsim derive -o` wrote
  bool allow_missing = false;    // go on without columns that decide the predicted time
  double tolerance_percent = 0;  // difference of the pages' sums that is accepted

  bool are_given() const { return !pages.empty() || !models.empty(); }
};

struct OwnLaunches {
  std::vector<ProfiledLaunch> launches;  // that have a model, in the order of the profile
  std::vector<KernelModel> models;       // [launch] as `pnsim --model` reads it
  std::vector<SkippedLaunch> skipped;    // that have none
  std::string from;                      // the page or the folder, for messages
};

// Reads the pages, or the models. Notes and warnings on the pages go to the log. A launch that is
// read from a model has only the properties that the model states. `times` is the number of
// measured times: with as many models, these are in the order of the profiler's IDs; with fewer,
// the IDs are the indices, and launches without a model are skipped. Error 3 for invalid pages, for
// a folder without models, for a model that is not of one profiled launch with the programs of its
// warps, and for models that do not go with so many times.
OwnLaunches own_launches(const OwnFiles& files, std::size_t times);

}  // namespace pnsim::experiments
