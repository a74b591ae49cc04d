// Points that are compared with the first of them, with as many replicas as tell each difference
// from the noise of the draws.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/analysis/predict/predict.h"
#include "simulator/analysis/questions/replica_rule.h"

namespace pnsim {

struct ComparedPoint {
  // The time of the first point, which is the mean of all its replicas, times 1 + `change`: so the
  // points of few replicas have the same baseline as those of many. Absent when a run did not end.
  std::optional<double> time_us;
  std::optional<double> change;      // time / time of the first point - 1; absent without both
  std::optional<double> half_width;  // of the 95 % interval of `change`; absent for one replica
  std::uint32_t replicas = 0;
  Told told = Told::kNone;  // whether the change is told from the noise of the draws
};

struct ComparedPoints {
  std::vector<ComparedPoint> points;  // [request]; the first one has the most replicas
  Prediction first;                   // of the first request, with the first replicas of the rule
  Outcome outcome = Outcome::kGoal;   // the worst over all runs
};

// For a net whose step is one cycle. All points share the seed and the draws, so most of the random
// variation cancels in the differences. A change within -+ `matters` does not matter.
ComparedPoints compare_with_first(const std::vector<PointRequest>& requests,
                                  const RunOptions& options, const ReplicaRule& rule,
                                  double matters);

}  // namespace pnsim
