#include "simulator/model/imbalance.h"

#include <algorithm>
#include <cmath>

#include "simulator/model/sm_phases.h"

namespace pnsim {
namespace {

// Below it, the difference may be how blocks happened to be placed.
constexpr double kLeastFactor = 1.02;
// Where such loops are a smaller part of the instructions, it is that for the most part, too.
constexpr double kLeastLooped = 0.5;

double sum_of(const InstructionCounts& c) {
  return static_cast<double>(c.arithmetic) + static_cast<double>(c.shared) +
         static_cast<double>(c.global);
}

// Warp instructions of the programs of a launch.
class Instructions {
 public:
  explicit Instructions(const Launch& launch) {
    for (const Segment& segment : launch.segments) segments_.push_back(sum_of(segment.counts()));
    for (const WarpKind& kind : launch.warp_kinds) {
      kinds_.push_back(of(kind.program));
      all_ += static_cast<double>(kind.warps) * kinds_.back();
    }
  }

  double of(const ProgramItem& item) const {
    const double once = item.segment        ? segments_[*item.segment]
                        : item.body.empty() ? sum_of(item.counts)
                                            : of(item.body);
    return static_cast<double>(item.repeat) * once;
  }
  double of(const std::vector<ProgramItem>& program) const {
    double sum = 0;
    for (const ProgramItem& item : program) sum += of(item);
    return sum;
  }
  double of_kind(std::size_t kind) const { return kinds_[kind]; }  // [Launch::warp_kinds]
  double all() const { return all_; }

 private:
  std::vector<double> segments_, kinds_;
  double all_ = 0;
};

double counter(const Launch& launch, const char* name) {
  const auto it = launch.counters.find(name);
  return it == launch.counters.end() ? 0 : static_cast<double>(it->second);
}

// [segment] executions by all warps, and warps that execute it at all.
struct Executions {
  std::vector<double> times, warps;
};

void count(const std::vector<ProgramItem>& program, double times, std::vector<double>& to) {
  for (const ProgramItem& item : program) {
    const double here = times * static_cast<double>(item.repeat);
    if (item.segment) {
      to[*item.segment] += here;
    } else {
      count(item.body, here, to);
    }
  }
}

Executions executions_of(const Launch& launch) {
  const std::size_t segments = launch.segments.size();
  Executions out{std::vector<double>(segments, 0), std::vector<double>(segments, 0)};
  for (const WarpKind& kind : launch.warp_kinds) {
    std::vector<double> mine(segments, 0);
    count(kind.program, 1, mine);
    for (std::size_t s = 0; s < segments; ++s) {
      out.times[s] += static_cast<double>(kind.warps) * mine[s];
      if (mine[s] > 0) out.warps[s] += static_cast<double>(kind.warps);
    }
  }
  return out;
}

bool touches(const ProgramItem& item, const std::vector<bool>& segments) {
  if (item.segment) return segments[*item.segment];
  return std::any_of(item.body.begin(), item.body.end(),
                     [&](const ProgramItem& inner) { return touches(inner, segments); });
}

// Instructions of the outermost loops that touch such segments.
double looped(const std::vector<ProgramItem>& program, const std::vector<bool>& segments,
              const Instructions& instructions) {
  double sum = 0;
  for (const ProgramItem& item : program) {
    if (item.repeat > 1 && touches(item, segments)) sum += instructions.of(item);
  }
  return sum;
}

}  // namespace

double programs_imbalance(const Launch& launch, std::int64_t sms, std::int64_t schedulers) {
  const Instructions instructions(launch);
  const std::int64_t blocks = (launch.grid + sms - 1) / sms;
  std::vector<double> load(static_cast<std::size_t>(schedulers), 0);
  std::size_t first = 0;  // the scheduler of the block's first warp
  for (const Phase& phase : phases_of_sm(launch, blocks)) {
    // As many blocks as schedulers come to the same on each of them.
    const std::int64_t rounds = phase.blocks / schedulers, rest = phase.blocks % schedulers;
    for (std::int64_t b = 0; b < std::min(phase.blocks, schedulers); ++b) {
      const auto times = static_cast<double>(rounds + (b < rest ? 1 : 0));
      for (std::size_t w = 0; w < phase.kinds.size(); ++w) {
        load[(first + w) % load.size()] += times * instructions.of_kind(phase.kinds[w]);
      }
      first += phase.kinds.size();
    }
  }
  const double mean = instructions.all() / static_cast<double>(sms * schedulers);
  return mean > 0 ? *std::max_element(load.begin(), load.end()) / mean : 1;
}

double mean_busy_sms(const Launch& launch, std::int64_t sms) {
  const Instructions instructions(launch);
  double mine = 0;
  for (const Phase& phase : phases_of_sm(launch, (launch.grid + sms - 1) / sms)) {
    for (const std::size_t kind : phase.kinds) {
      mine += static_cast<double>(phase.blocks) * instructions.of_kind(kind);
    }
  }
  return mine > 0 ? std::clamp(instructions.all() / mine, 1.0, static_cast<double>(sms)) : 1;
}

double counted_imbalance(const Launch& launch, std::int64_t sms, std::int64_t schedulers) {
  const double all = counter(launch, kAllSchedulers);
  return all > 0 ? counter(launch, kBusiestScheduler) * static_cast<double>(sms * schedulers) / all
                 : 0;
}

Stretch stretch_of(const Launch& launch, std::int64_t sms, std::int64_t schedulers) {
  const double counted = counted_imbalance(launch, sms, schedulers);
  const double more = counted / programs_imbalance(launch, sms, schedulers);
  if (more < kLeastFactor) return {};
  // Loops whose turns do not come out even over the warps that take them.
  const Executions executions = executions_of(launch);
  Stretch out{1, std::vector<bool>(launch.segments.size(), false)};
  for (std::size_t s = 0; s < launch.segments.size(); ++s) {
    out.segments[s] =
        executions.warps[s] > 0 && std::fmod(executions.times[s], executions.warps[s]) != 0;
  }
  const Instructions instructions(launch);
  const double all = instructions.all();
  double loops = 0;
  for (const WarpKind& kind : launch.warp_kinds) {
    loops += static_cast<double>(kind.warps) * looped(kind.program, out.segments, instructions);
  }
  if (loops > kLeastLooped * all) out.factor = 1 + (more - 1) * all / loops;
  return out;
}

std::vector<ProgramItem> stretched(const std::vector<ProgramItem>& program,
                                   const Stretch& stretch) {
  std::vector<ProgramItem> out = program;
  if (stretch.factor <= 1) return out;
  for (ProgramItem& item : out) {
    if (item.repeat <= 1 || !touches(item, stretch.segments)) continue;
    const double longer = static_cast<double>(item.repeat) * stretch.factor;
    item.repeat = std::min<std::int64_t>(std::llround(longer), kMaxRepeat);
  }
  return out;
}

}  // namespace pnsim
