#include "simulator/analysis/predict/reason_notes.h"

#include <algorithm>
#include <map>

#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr double kWorthANote = 0.1;  // of the cycles
constexpr std::int64_t kWarpThreads = 32;

std::string percent_of_cycles(double share) { return fixed(100 * share, 1) + " % of the cycles"; }

std::string counted(std::int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

template <class Share>
const IdleShares& largest(const std::vector<IdleShares>& launches, Share share) {
  return *std::max_element(
      launches.begin(), launches.end(),
      [&](const IdleShares& a, const IdleShares& b) { return share(a) < share(b); });
}

double sum_of(const std::vector<IdleShares>& launches, double IdleShares::*share) {
  double sum = 0;
  for (const IdleShares& launch : launches) sum += launch.*share;
  return sum;
}

// SMs without a block.
std::string note_on_grid(const std::vector<IdleShares>& launches) {
  const auto with_idle_sms = [](const IdleShares& of) {
    return of.launch->grid < of.device->count("sms") ? of.all : 0;
  };
  const IdleShares& of = largest(launches, with_idle_sms);
  if (with_idle_sms(of) < kWorthANote) return "";
  const std::int64_t sms = of.device->count("sms");
  return of.launch->kernel + " has " + counted(of.launch->grid, "block") + " for " +
         std::to_string(sms) + " SMs: " + std::to_string(sms - of.launch->grid) +
         " SMs have nothing to do in its " + percent_of_cycles(of.all) + ".";
}

// The SM has fewer warps at a time than schedulers. "" otherwise. A larger block helps where blocks
// wait for their turn, or where the grid keeps its blocks; the same threads in fewer blocks are no
// more warps.
std::string note_on_few_warps(const IdleShares& of, std::int64_t schedulers) {
  const Launch& launch = *of.launch;
  const std::int64_t sms = of.device->count("sms");
  const std::int64_t blocks = std::min(divided_up(launch.grid, sms), launch.resident_blocks);
  const std::int64_t warps_each = divided_up(launch.block, kWarpThreads);
  const std::int64_t warps = blocks * warps_each;
  if (warps >= schedulers) return "";
  const std::int64_t block = divided_up(schedulers, blocks) * kWarpThreads;
  const std::string text = launch.kernel + ": an SM runs " + counted(blocks, "block") + " of " +
                           counted(warps_each, "warp") + " at a time, so " +
                           std::to_string(schedulers - warps) + " of its " +
                           std::to_string(schedulers) + " schedulers have no warp. A block of " +
                           std::to_string(block) + " threads would give each of them one";
  if (launch.grid * warps_each >= schedulers * sms) return text + ".";
  return text + " if the grid keeps its " + counted(launch.grid, "block") +
         ". With as many threads in all, the grid shrinks to " +
         counted(divided_up(launch.grid * launch.block, block), "block") + " for " +
         std::to_string(sms) + " SMs, which does not help.";
}

std::string note_on_empty(const std::vector<IdleShares>& launches) {
  const double share = sum_of(launches, &IdleShares::empty);
  if (share < kWorthANote) return "";
  const IdleShares& of = largest(launches, [](const IdleShares& l) { return l.empty; });
  const std::string few = note_on_few_warps(of, of.device->count("schedulers_per_sm"));
  if (!few.empty()) return few;
  return of.launch->kernel + ": in " + percent_of_cycles(of.empty) +
         " its schedulers have no warp left, while the SM's last warps or their outstanding "
         "accesses to memory end. Where warps or blocks do unequal work, spread it more evenly.";
}

}  // namespace

std::string meaning_of_state(const std::string& name) {
  static const std::map<std::string, std::string> meanings{
      {"issued", "issues an instruction"},
      {"pipes", "holds the issue slot longer, because a pipe is slower"},
      {"dependence", "waits for arithmetic, a branch, a constant, a fence or code"},
      {"barrier", "waits at a barrier for other warps"},
      {"not selected", "is ready, but another warp issues"},
      {"tensor cores", "waits for the tensor core, or for products of warp groups"},
      {"constants", "its constant load queues for the SM's address divergence unit"},
      {"shared port", "its access to shared memory queues for the port"},
      {"shared", "waits for shared memory, shuffles, special functions or constants"},
      {"L1 port", "its loads queue for the port of L1"},
      {"L2 bandwidth", "its loads queue for L2"},
      {"DRAM bandwidth", "its loads queue for DRAM"},
      {"L1 latency", "waits for loads that L1 serves"},
      {"L2 latency", "waits for loads that L2 serves"},
      {"DRAM latency", "waits for loads that DRAM serves"},
      {"atomics", "waits for atomics in L2"},
      {"launch", "no warp: the first block has not started"},
      {"dispatch", "no warp: the next block has not started"},
      {"empty", "no warp: no block is left to start"}};
  const auto it = meanings.find(name);
  return it == meanings.end() ? "" : it->second;
}

std::vector<std::string> notes_on_idle(const std::vector<IdleShares>& launches) {
  std::vector<std::string> notes;
  if (launches.empty()) return notes;
  for (const std::string& note : {note_on_grid(launches), note_on_empty(launches)}) {
    if (!note.empty()) notes.push_back(note);
  }
  const double launching = sum_of(launches, &IdleShares::launching),
               dispatch = sum_of(launches, &IdleShares::dispatch);
  if (launching >= kWorthANote) {
    notes.push_back("Before the first block starts, " + percent_of_cycles(launching) +
                    " pass. This launch overhead is part of the predicted time; in a program the "
                    "fetching of evicted code is, too. More work in each launch, or fewer "
                    "launches, would reduce its share.");
  }
  if (dispatch >= kWorthANote) {
    notes.push_back("Schedulers wait for the next block to start in " +
                    percent_of_cycles(dispatch) +
                    ": fewer blocks with more work each would shorten that.");
  }
  return notes;
}

}  // namespace pnsim
