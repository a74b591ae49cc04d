// The rules of the model of an SM that infer something which was not measured, or that decide by a
// threshold. Each has a name, its evidence and a plain fallback, and can be switched off.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pnsim {

enum class Heuristic : std::uint8_t {
  // Which accesses hit and miss (simulator/model/memory).
  kLoopBodiesMissInOrder,
  kFreshSectorsMissFirst,
  kWholeArraysMiss,
  kGathersMissLast,
  kCommonDataMissesLast,
  kDramMissesInOrder,
  kDrivenOutAlike,
  kPathsMissApart,
  kIdleSectorsOfPairs,
  kGatheredTableSize,
  kGatherFootprint,
  kL2KeepsWhatFits,
  kRowsFindL1Empty,
  kTagBankConflicts,
  kPartialSectorEvictions,
  kEarlierDataEvictedFirst,
  kUncountedWavefronts,
  kPassingAtomics,
  kAtomicMisses,
  kTextureSectors,
  kMergedRequests,
  kPartitionCrossings,
  // What segments cost (simulator/model/cost).
  kAddressProducts,
  kCountedWaits,
  kSpecialRegisterGaps,
  kPartialStores,
  kStoresHoldPort,
  kTextureKinds,
  kColumnStores,
  kL2BothDirections,
  kFillsEnterL2,
  kBusiestSlice,
  kDramTurnarounds,
  kFullSectorAtomics,
  kFloatAtomicsInOneWord,
  kFirstTouches,
  kWarpsWaitTogether,
  kOwnRowsWaitAlone,
  kSlowestWarp,
  kPrivateLines,
  kStridedRows,
  kLoadsOutliveWaits,
  kNeighboursShareDramRow,
  kFarthestSm,
  kQueueing,
  kQueueMix,
  kLevelsOverlap,
  kAccessesAhead,
  kSmsStartInStep,
  // Which programs the SM executes (simulator/model/sm).
  kFirstCopiesAwaited,
  kBulkStages,
  kMulticastCopies,
  kTimedStart,
  kFetchedCode,
  kRecordedBlocks,
  kLongerLoops,
  kBusiestBlocks,
  kCountedSm,
  kIdleBlocks,
  kCopyGroups,
  kMeanBusySms,
  kFirstBlocksInOrder,
  kJoinedSegments,
};
inline constexpr std::size_t kHeuristics = 63;

struct HeuristicRow {
  Heuristic heuristic;
  const char* name;       // "gathers-miss-last"
  const char* trigger;    // when it applies, and what it does
  const char* constants;  // its thresholds, "none" where it has none
  const char* evidence;   // the microbenchmark or document that it rests on, or "Estimate"
  const char* fallback;   // what holds where it is switched off
};

// One row for each, in the order of the enumeration.
std::span<const HeuristicRow> heuristics();

// Those that are switched on: all of them, unless one is taken out.
class Heuristics {
 public:
  bool on(Heuristic heuristic) const { return !off_.test(static_cast<std::size_t>(heuristic)); }
  Heuristics without(Heuristic heuristic) const {
    Heuristics out = *this;
    out.off_.set(static_cast<std::size_t>(heuristic));
    return out;
  }

 private:
  std::bitset<kHeuristics> off_;
};

// The table of docs/heuristics.md, in Markdown.
std::string heuristics_markdown();

}  // namespace pnsim
