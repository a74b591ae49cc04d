#include "simulator/model/paper/count_programs.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/launch/program_rows.h"

namespace pnsim {
namespace {

// The program of a warp.
struct Walk {
  ProgramRows<InstructionCounts> rows;
  InstructionCounts first;  // of the program's first segment
  Follower after_first;
};

Walk walk_of(const std::vector<ProgramItem>& program, const std::string& kernel) {
  Walk walk;
  const Follower begin =
      walk.rows.add(program, {}, kernel, [](const ProgramItem& item) { return item.counts; });
  if (begin.segment == kNoRow) return walk;
  const auto& first = walk.rows.segments[static_cast<std::size_t>(begin.segment)];
  walk.first = first.what;
  walk.after_first = first.next;
  return walk;
}

std::vector<std::size_t> kinds_in_warp_order(const Launch& launch, std::int64_t blocks) {
  const std::int64_t warps = blocks * launch.warps_per_block();
  const __int128 all = static_cast<__int128>(launch.grid) * launch.warps_per_block();
  std::vector<std::size_t> kinds;
  std::int64_t end = launch.warp_kinds.front().warps;
  for (std::int64_t i = 0, kind = 0; i < warps; ++i) {
    const auto stands_for = static_cast<std::int64_t>((2 * i + 1) * all / (2 * warps));
    while (stands_for >= end) end += launch.warp_kinds[static_cast<std::size_t>(++kind)].warps;
    kinds.push_back(static_cast<std::size_t>(kind));
  }
  return kinds;
}

const BlockKind& kind_of_block(const Launch& launch, std::int64_t block) {
  std::int64_t end = 0;
  for (const BlockKind& kind : launch.block_kinds) {
    end += kind.blocks;
    if (block < end) return kind;
  }
  return launch.block_kinds.back();
}

std::vector<std::size_t> kinds_on_sm(const Launch& launch, const Rounds& rounds, std::int64_t sm,
                                     std::int64_t sms) {
  std::vector<std::size_t> kinds;
  for (std::int64_t j = 0; j < rounds.blocks; ++j) {
    const BlockKind& block = kind_of_block(launch, sm + (rounds.first_round + j) * sms);
    for (const auto& [kind, count] : block.warps) {
      kinds.insert(kinds.end(), static_cast<std::size_t>(count), kind);
    }
  }
  return kinds;
}

// A double, since it is only compared and sums over many warps may be large.
double instructions_of(const InstructionCounts& counts) {
  return static_cast<double>(counts.arithmetic) + static_cast<double>(counts.shared) +
         static_cast<double>(counts.global);
}

// [warp of the wave]
std::vector<std::size_t> kinds_of_wave(const Launch& launch, const Rounds& rounds,
                                       std::int64_t sms) {
  if (launch.block_kinds.empty()) return kinds_in_warp_order(launch, rounds.blocks);
  std::vector<double> of_kind;
  for (const WarpKind& kind : launch.warp_kinds) {
    of_kind.push_back(instructions_of(total_counts(kind.program, "kernel " + launch.kernel)));
  }
  const std::int64_t before_last = (rounds.first_round + rounds.blocks - 1) * sms;
  std::vector<std::size_t> busiest;
  double most = -1;
  for (std::int64_t sm = 0; sm < std::min(sms, launch.grid - before_last); ++sm) {
    std::vector<std::size_t> kinds = kinds_on_sm(launch, rounds, sm, sms);
    double sum = 0;
    for (const std::size_t kind : kinds) sum += of_kind[kind];
    if (sum <= most) continue;
    most = sum;
    busiest = std::move(kinds);
  }
  return busiest;
}

// One value per warp.
void add_warp(const Walk& rows, ParameterValues& values) {
  values["xa0"].push_back(rows.first.arithmetic);
  values["xs0"].push_back(rows.first.shared);
  values["xg0"].push_back(rows.first.global);
  values["first"].push_back(rows.after_first.segment);
  values["first_turn"].push_back(rows.after_first.loop);
}

// K and Q values per warp: shorter programs are filled up with unreachable rows.
void add_rows(const ProgramRows<InstructionCounts>& rows, std::size_t segments, std::size_t loops,
              ParameterValues& values) {
  for (std::size_t k = 0; k < segments; ++k) {
    const auto row =
        k < rows.segments.size() ? rows.segments[k] : ProgramRows<InstructionCounts>::SegmentRow{};
    values["xa"].push_back(row.what.arithmetic);
    values["xs"].push_back(row.what.shared);
    values["xg"].push_back(row.what.global);
    values["next"].push_back(row.next.segment);
    values["turn"].push_back(row.next.loop);
  }
  for (std::size_t q = 0; q < loops; ++q) {
    const LoopRow row = q < rows.loops.size() ? rows.loops[q] : LoopRow{};
    values["trips"].push_back(row.trips);
    values["body"].push_back(row.body);
    values["next_after"].push_back(row.next.segment);
    values["turn_after"].push_back(row.next.loop);
  }
}

}  // namespace

const std::vector<std::string>& count_program_parameters() {
  static const std::vector<std::string> names{
      "W",  "K",  "Q",    "xa0",  "xs0",   "xg0",  "first",      "first_turn", "xa",
      "xs", "xg", "next", "turn", "trips", "body", "next_after", "turn_after"};
  return names;
}

bool walks_counts(const NetTemplate& net_template) {
  const auto& names = count_program_parameters();
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return net_template.find_parameter(name) != nullptr;
  });
}

ParameterValues program_counts(const Launch& launch, const Rounds& rounds, std::int64_t sms) {
  std::vector<Walk> of_kind;
  for (const WarpKind& kind : launch.warp_kinds) {
    of_kind.push_back(walk_of(kind.program, launch.kernel));
  }
  const std::vector<std::size_t> kinds = kinds_of_wave(launch, rounds, sms);
  std::size_t segments = 1, loops = 1;
  for (const std::size_t kind : kinds) {
    segments = std::max(segments, of_kind[kind].rows.segments.size());
    loops = std::max(loops, of_kind[kind].rows.loops.size());
  }
  ParameterValues values{{"W", {static_cast<std::int64_t>(kinds.size())}},
                         {"K", {static_cast<std::int64_t>(segments)}},
                         {"Q", {static_cast<std::int64_t>(loops)}}};
  for (const std::size_t kind : kinds) {
    add_warp(of_kind[kind], values);
    add_rows(of_kind[kind].rows, segments, loops, values);
  }
  return values;
}

}  // namespace pnsim
