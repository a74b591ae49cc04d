// A few runs of a net, watched for what its structure cannot tell: how they end, what is left
// behind, what never fires, who competes.
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
  // Of all runs together: each step counts its enabled transitions, 1/64 of all, and 16. 10^7 take
  // about a second.
  std::uint64_t max_work = 15'000'000;
};

struct WatchedRun {
  RunResult result;
  // The run came to a step that draws nothing and changes nothing: it would repeat for ever. The
  // outcome is kLimit.
  bool repeats = false;

  // Whether its last marking is where it comes to.
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

// Tokens of one template place after the runs that ended, against those at M0.
struct Residue {
  std::string place;          // template place
  std::size_t instances = 0;  // marked after any of the runs
  double mean_tokens = 0;     // of all instances, over the runs that ended
  double initial_tokens = 0;  // of all instances, at M0
  // After some run an instance has more tokens than at M0, and they are not mere results: there
  // are transitions that would take from it.
  bool is_left_behind = false;
};

// Template places with tokens left, in the order of the places. Empty when no run ended.
std::vector<Residue> residue_of(const Net& net, const WatchedRuns& watched);

// A mean number of tokens: "4" when it is whole, else four significant digits.
std::string tokens_text(double tokens);

}  // namespace pnsim
