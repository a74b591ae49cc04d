// A few runs of a net, watched for facts that its structure does not determine: how the runs end,
// which tokens remain, which transitions never fire, and which ones conflict.
#pragma once

#include <string>
#include <vector>

#include "simulator/engine/conflict_log.h"
#include "simulator/engine/run.h"

namespace pnsim {

struct WatchOptions {
  std::uint64_t seed = 1;
  std::uint32_t replicas = 4;
  std::uint64_t max_steps = kDefaultMaxSteps;  // of each run
  // Limit on the work of all runs together. A step costs its number of enabled transitions, plus
  // 1/64 of the number of all transitions, plus 16. 10^7 units take about one second.
  std::uint64_t max_work = 15'000'000;
};

struct WatchedRun {
  RunResult result;
  // The run reached a step that draws nothing and changes nothing, so it would repeat forever. Its
  // outcome is kLimit.
  bool repeats = false;

  // Whether the last marking of the run is final (an end, or a step that repeats forever).
  bool has_ended() const { return repeats || result.outcome != Outcome::kLimit; }
};

struct WatchedRuns {
  std::vector<WatchedRun> runs;      // [replica]; fewer than asked for when max_work is spent
  std::string error;                 // why a run broke off (a place over 2^62 tokens), or ""
  std::vector<char> fired;           // [transition] in any run
  std::vector<char> enabled_at_end;  // [transition] after any run that ended
  std::vector<std::pair<std::string, ConflictCount>> conflicts;  // by template place

  std::size_t ended() const;
  std::size_t repeating() const;
  std::size_t with_outcome(Outcome outcome) const;
};

WatchedRuns watch_runs(const Net& net, const WatchOptions& options);

// The tokens that remain in one template place after the runs that ended, compared with M0.
struct Residue {
  std::string place;          // template place
  std::size_t instances = 0;  // marked after any of the runs
  double mean_tokens = 0;     // of all instances, over the runs that ended
  double initial_tokens = 0;  // of all instances, at M0
  // After some run an instance holds more tokens than at M0, and these tokens are not mere results:
  // some transition would consume them.
  bool is_left_behind = false;
};

// The template places with remaining tokens, in the order of the places. Empty if no run ended.
std::vector<Residue> residue_of(const Net& net, const WatchedRuns& watched);

// Formats a mean number of tokens: "4" when it is whole, otherwise four significant digits.
std::string tokens_text(double tokens);

}  // namespace pnsim
