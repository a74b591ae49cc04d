#include "simulator/analysis/predict/reasons.h"

#include <algorithm>
#include <numeric>

#include "simulator/analysis/baselines/launch_levels.h"
#include "simulator/analysis/predict/reason_notes.h"
#include "simulator/base/table.h"
#include "simulator/model/template/unit_states_of.h"

namespace pnsim {
namespace {

constexpr double kNearLimit = 0.6;  // of the cycles: from here on a unit is said to limit

// Cycles by name, in the order in which the names came.
class Cycles {
 public:
  void add(const std::string& name, double cycles) {
    const auto it =
        std::find_if(rows_.begin(), rows_.end(), [&](auto& r) { return r.first == name; });
    if (it == rows_.end()) {
      rows_.push_back({name, cycles});
    } else {
      it->second += cycles;
    }
  }
  void add(const Cycles& more, double times) {
    for (const auto& [name, cycles] : more.rows_) add(name, cycles * times);
  }
  double at(const std::string& name) const {
    const auto it =
        std::find_if(rows_.begin(), rows_.end(), [&](auto& r) { return r.first == name; });
    return it == rows_.end() ? 0 : it->second;
  }
  double all() const {
    return std::accumulate(rows_.begin(), rows_.end(), 0.0,
                           [](double sum, const auto& row) { return sum + row.second; });
  }
  const Shares& rows() const { return rows_; }

 private:
  Shares rows_;
};

struct Stack {
  Cycles schedulers, warps;
};

const StateSpec* first_of(const UnitSpec& spec, const std::string& name) {
  const auto it = std::find_if(spec.states.begin(), spec.states.end(),
                               [&](const StateSpec& s) { return s.name == name; });
  return it == spec.states.end() ? nullptr : &*it;
}

// Makes the stack of one launch, or of a net alone (no launch).
class StackMaker {
 public:
  StackMaker(const ReasonsSpec& spec, const LaunchReasons& of) : spec_(spec), of_(of) {
    if (of.launch) levels_ = launch_levels(*of.launch, *of.device, of.counts);
  }

  Stack make() {
    const UnitSpec& schedulers = *spec_.schedulers;
    const std::vector<std::string> states = state_names(schedulers);
    find_pipe_share(states);
    Cycles stalls;
    add_warps(stalls);
    double stalled = 0;
    for (std::size_t s = 0; s < states.size(); ++s) {
      const double cycles = of_.times[0][s];
      if (states[s] != spec_.shared_out) {
        add(first_of(schedulers, states[s]), states[s], cycles, out_.schedulers);
      } else if (stalls.all() > 0) {
        out_.schedulers.add(stalls, cycles / stalls.all());
      } else {
        stalled = cycles;  // all its warps were ready or issued in the steps around
      }
    }
    if (stalled > 0) out_.schedulers.add(spec_.shared_out, stalled);
    return std::move(out_);
  }

 private:
  // The issue slots are taken for the instructions, and beyond that where a pipe is slower: this is
  // the share of the warps waiting for an issue slot that wait for the pipe.
  void find_pipe_share(const std::vector<std::string>& states) {
    if (!of_.launch) return;
    for (std::size_t s = 0; s < states.size(); ++s) {
      const StateSpec* const state = first_of(*spec_.schedulers, states[s]);
      const double cycles = of_.times[0][s];
      if (!state || state->detail != "instructions" || cycles <= 0) continue;
      const double instructions = levels_.sm_instructions * of_.runs;
      pipe_share_ = std::max(0.0, 1 - instructions / cycles);
    }
  }

  void add_warps(Cycles& stalls) {
    const std::vector<std::string> states = state_names(spec_.warps);
    for (std::size_t s = 0; s + 1 < states.size(); ++s) {
      const StateSpec* const state = first_of(spec_.warps, states[s]);
      add(state, states[s], of_.times[1][s], out_.warps);
      if (state->stalls) add(state, states[s], of_.times[1][s], stalls);
    }
  }

  void add(const StateSpec* state, const std::string& name, double cycles, Cycles& to) const {
    for (const auto& [part, share] : parts(state, name)) to.add(part, share * cycles);
  }

  Shares parts(const StateSpec* state, const std::string& name) const {
    if (!state || !of_.launch) return {{name, 1.0}};
    if (state->detail == "latency") return levels_.latency;
    if (state->detail == "bandwidth") return {{levels_.bandwidth, 1.0}};
    if (state->detail != "instructions") return {{name, 1.0}};
    return {{name, 1 - pipe_share_}, {"pipes", pipe_share_}};
  }

  const ReasonsSpec& spec_;
  const LaunchReasons& of_;
  LaunchLevels levels_;  // of the launch, if there is one
  double pipe_share_ = 0;
  Stack out_;
};

// Schedulers' own rows come last: launch, dispatch, empty.
std::vector<ReasonRow> rows_of(const Stack& stack) {
  Cycles names = stack.warps;
  names.add(stack.schedulers, 0);
  const double schedulers = stack.schedulers.all(), warps = stack.warps.all();
  std::vector<ReasonRow> rows;
  for (const auto& [name, unused] : names.rows()) {
    rows.push_back({name, schedulers > 0 ? stack.schedulers.at(name) / schedulers : 0,
                    warps > 0 ? stack.warps.at(name) / warps : 0});
  }
  return rows;
}

double repeats(const LaunchReasons& of) {
  return of.launch ? static_cast<double>(of.launch->repeat) : 1;
}

IdleShares idle_cycles(const ReasonsSpec& spec, const LaunchReasons& of, const Cycles& mine) {
  const double times = repeats(of);
  return {of.launch,
          of.device,
          times * mine.all(),
          times * mine.at("launch"),
          times * mine.at("dispatch"),
          times * mine.at(spec.schedulers->rest)};
}

std::vector<IdleShares> over(std::vector<IdleShares> cycles, double all) {
  if (all <= 0) return {};
  for (IdleShares& of : cycles) {
    for (double* share : {&of.all, &of.launching, &of.dispatch, &of.empty}) *share /= all;
  }
  return cycles;
}

// The launch that keeps the unit busy longest says which limit it is.
UnitUse use_of(const ReasonsSpec& spec, std::size_t u, const std::vector<LaunchReasons>& launches) {
  UnitUse use{spec.units[u].name, 0, ""};
  double all = 0, busy = 0, longest = 0;
  for (const LaunchReasons& of : launches) {
    const std::vector<double>& times = of.times[2 + u];
    const double mine = times[0] * repeats(of);
    busy += mine;
    all += (times[0] + times[1]) * repeats(of);
    if (mine <= longest) continue;
    longest = mine;
    const bool has_levels = of.launch && spec.units[u].states[0].detail == "bandwidth";
    if (has_levels) use.detail = launch_levels(*of.launch, *of.device, of.counts).bandwidth;
  }
  use.busy = all > 0 ? busy / all : 0;
  return use;
}

std::string percent(double share) { return fixed(100 * share, 1); }

std::string name_of(const UnitUse& use) {
  return use.name + (use.detail.empty() ? "" : " (" + use.detail + ")");
}

std::vector<UnitUse>::const_iterator busiest_unit(const Reasons& reasons) {
  const auto by_busy = [](const UnitUse& a, const UnitUse& b) { return a.busy < b.busy; };
  return std::max_element(reasons.units.begin(), reasons.units.end(), by_busy);
}

// What most cycles of the schedulers go to.
std::vector<ReasonRow>::const_iterator largest_reason(const Reasons& reasons) {
  const auto by_share = [](const ReasonRow& a, const ReasonRow& b) {
    return a.schedulers < b.schedulers;
  };
  return std::max_element(reasons.rows.begin(), reasons.rows.end(), by_share);
}

}  // namespace

void add_times(ReasonTimes& sum, const ReasonTimes& more, double times) {
  sum.resize(std::max(sum.size(), more.size()));
  for (std::size_t g = 0; g < more.size(); ++g) {
    sum[g].resize(more[g].size());
    for (std::size_t s = 0; s < more[g].size(); ++s) sum[g][s] += times * more[g][s];
  }
}

void add_times(ReasonTimes& sum, const ReplicaRuns& runs, double times) {
  for (const RunResult& run : runs.runs) {
    ReasonTimes of_run;
    for (const StateTimes& group : run.state_times) of_run.emplace_back(group.begin(), group.end());
    add_times(sum, of_run, times);
  }
}

Reasons reasons_of(const NetTemplate& net_template, const std::vector<LaunchReasons>& launches) {
  const ReasonsSpec& spec = net_template.reasons;
  Stack sum;
  std::vector<IdleShares> idle;  // cycles, until their sum is known
  for (const LaunchReasons& of : launches) {
    const Stack mine = StackMaker(spec, of).make();
    sum.schedulers.add(mine.schedulers, repeats(of));
    sum.warps.add(mine.warps, repeats(of));
    if (of.launch) idle.push_back(idle_cycles(spec, of, mine.schedulers));
  }
  Reasons out{rows_of(sum), {}};
  out.notes = notes_on_idle(over(std::move(idle), sum.schedulers.all()));
  for (std::size_t u = 0; u < spec.units.size(); ++u)
    out.units.push_back(use_of(spec, u, launches));
  return out;
}

Reasons reasons_of(const NetTemplate& net_template, const ReasonTimes& times) {
  return reasons_of(net_template, std::vector<LaunchReasons>{{nullptr, nullptr, times, 1}});
}

std::string busiest_unit_text(const Reasons& reasons) {
  const auto unit = busiest_unit(reasons);
  if (unit == reasons.units.end()) return "-";
  const auto row = largest_reason(reasons);
  if (unit->busy >= kNearLimit || row == reasons.rows.end()) {
    return name_of(*unit) + " " + percent(unit->busy) + " %";
  }
  return "none (" + row->name + " " + percent(row->schedulers) + " %)";
}

std::string limit_text(const Reasons& reasons) {
  const auto unit = busiest_unit(reasons);
  const auto row = largest_reason(reasons);
  if (unit == reasons.units.end() || row == reasons.rows.end()) return "no units";
  const std::string name = name_of(*unit);
  if (unit->busy >= kNearLimit)
    return name + ": busy in " + percent(unit->busy) + " % of the cycles";
  return "none: the busiest unit, " + name + ", is busy in " + percent(unit->busy) +
         " % of the cycles; most cycles of the schedulers go to: " + row->name;
}

std::string text_of(const Reasons& reasons) {
  TextTable stack({"cycles go to", "schedulers %", "warps %", "a warp, or the scheduler"});
  double schedulers = 0, warps = 0;
  for (const ReasonRow& row : reasons.rows) {
    if (row.schedulers + row.warps > 0) {
      stack.add_row(
          {row.name, percent(row.schedulers), percent(row.warps), meaning_of_state(row.name)});
    }
    schedulers += row.schedulers;
    warps += row.warps;
  }
  stack.add_row({"all", percent(schedulers), percent(warps), ""});
  TextTable units({"unit", "busy %"});
  for (const UnitUse& use : reasons.units) {
    units.add_row({name_of(use), percent(use.busy)});
  }
  std::string text = "\n" + stack.text(2) + "\n" + units.text(2) + "\nnearest limit           " +
                     limit_text(reasons) + "\n";
  for (const std::string& note : reasons.notes) text += "note: " + note + "\n";
  return text;
}

void add_json(const Reasons& reasons, Json& breakdown) {
  for (const ReasonRow& row : reasons.rows) {
    breakdown["schedulers"][row.name] = row.schedulers;
    breakdown["warps"][row.name] = row.warps;
  }
  for (const UnitUse& use : reasons.units) breakdown["units"][use.name] = use.busy;
  breakdown["nearest_limit"] = limit_text(reasons);
  breakdown["notes"] = reasons.notes;
}

}  // namespace pnsim
