// Inference: runs of instructions are cut into segments.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "simulator/model/derive/address_sources.h"
#include "simulator/model/derive/instruction_waits.h"
#include "simulator/model/launch/segment.h"
#include "simulator/model/sass/flow.h"

namespace pnsim {

class Segmenter {
 public:
  // `active` [line]: executions of an access that touch memory (active_accesses.h).
  Segmenter(const Code& code, const Flow& flow, const std::vector<std::int64_t>& active,
            std::int64_t block_threads);

  // Segments of a run, in order; a run is a list of lines that are executed together. The accesses
  // at `off` are predicated off for all lanes. Every line is in one segment.
  std::vector<Segment> segments(const std::vector<std::size_t>& run,
                                const std::set<std::size_t>& off) const;

 private:
  double taken(std::size_t line) const;
  // [place in the run] shares of a load's sectors that no earlier load requests.
  std::vector<double> new_shares_of(const std::vector<std::size_t>& run,
                                    const std::set<std::size_t>& off) const;

  const Code& code_;
  std::int64_t block_threads_;
  int copy_stages_;
  const std::vector<std::int64_t>& active_;
  ScoreboardWaits waits_;
  std::vector<AddressSource> addresses_;  // [line] of an access
};

}  // namespace pnsim
