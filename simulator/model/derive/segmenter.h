// Cuts runs of instructions into segments.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "simulator/model/launch/segment.h"
#include "simulator/model/sass/flow.h"

namespace pnsim {

class Segmenter {
 public:
  // `carried_out` [line]: executions of an access that touch memory.
  Segmenter(const Code& code, const Flow& flow, const std::vector<std::int64_t>& carried_out);

  // Segments of a run (lines of the code that are executed together), in order; the accesses at
  // `off` are predicated off for all lanes. Every line is in one segment.
  std::vector<Segment> segments(const std::vector<std::size_t>& run,
                                const std::set<std::size_t>& off) const;

 private:
  // [line] the kinds of results that are waited for before it: bit (1 << LateResult).
  void find_waits(const Flow& flow);
  double taken(std::size_t line) const;
  // [place in the run] shares of the sectors of its loads that no load before asked for.
  std::vector<double> fresh_of(const std::vector<std::size_t>& run,
                               const std::set<std::size_t>& off) const;

  const Code& code_;
  const std::vector<std::int64_t>& carried_out_;
  std::vector<std::uint32_t> waits_;
  std::vector<Addresses> addresses_;  // [line] of an access
};

}  // namespace pnsim
