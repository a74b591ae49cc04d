// `pnsim check`: the examination of a net that fills the report.
#pragma once

#include "simulator/analysis/check/check_report.h"
#include "simulator/net/conflicts.h"
#include "simulator/net/elimination.h"
#include "simulator/net/siphons.h"

namespace pnsim {

struct CheckOptions {
  EliminationLimits elimination = {};
  SiphonLimits siphons = {};
  WatchOptions runs = {};
  PairLimits pairs = {};
};

CheckReport check_net(const Net& net, const CheckOptions& options = {});

}  // namespace pnsim
