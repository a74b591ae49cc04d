#include "simulator/engine/cuda/replica_program.h"

namespace pnsim {

Marking ReplicaProgram::final_marking(const std::uint32_t* words) const {
  const LaneSplit& split = program_->split();
  Marking out(program_->net().place_count());
  const std::uint64_t packed = words[0] | std::uint64_t{words[1]} << 32;
  for (std::size_t i = 0; i < split.shared_places.size(); ++i) {
    out[split.shared_places[i].value] = signal_value(packed, i);
  }
  words += 2;
  for (std::uint32_t lane = 0; lane < header_.lane_count; ++lane) {
    std::uint64_t state = *words++;
    if (header_.lane_words == 2) state |= std::uint64_t{*words++} << 32;
    Marking local = machine_->marking(static_cast<std::uint32_t>(state) & header_.node_mask);
    for (std::size_t c = 0; c < counters_.size(); ++c) {
      const std::uint64_t mask = (std::uint64_t{1} << counters_[c].bits) - 1;
      local[machine_->counters()[c]] = static_cast<Tokens>(state >> counters_[c].shift & mask);
    }
    for (std::size_t p = 0; p < local.size(); ++p) out[split.places[lane][p].value] = local[p];
  }
  return out;
}

RunResult ReplicaProgram::result(const ReplicaRequest& request, const ReplicaBatch& batch,
                                 std::uint32_t index) const {
  const Observables& observables = program_->net().observables();
  const ReplicaEnd& end = batch.ends[index];
  RunResult out{.id = {request.seed, request.first + index, request.stream},
                .outcome = Outcome::kLimit,
                .steps = end.steps,
                .firings = end.firings,
                .waiting_steps = {},
                .idle_scheduler_steps = {},
                .final_marking = {}};
  if (end.outcome == ReplicaOutcome::kDead) out.outcome = Outcome::kDead;
  if (end.outcome == ReplicaOutcome::kGoal) out.outcome = Outcome::kGoal;
  if (!observables.waiting.empty()) out.waiting_steps = end.waiting;
  if (observables.scheduler_pool) out.idle_scheduler_steps = end.idle;
  if (index < request.kept) {
    out.final_marking =
        final_marking(batch.finals.data() + std::size_t{index} * final_words(header_));
  }
  return out;
}

std::vector<RunResult> ReplicaProgram::results(const ReplicaRequest& request,
                                               const ReplicaBatch& batch, std::uint64_t max_steps,
                                               ConflictLog* log,
                                               std::vector<std::uint32_t>& left) const {
  std::vector<RunResult> runs(request.count);
  const auto is_cut = [&](const ReplicaEnd& end) {
    return end.outcome == ReplicaOutcome::kLimit && end.steps < max_steps;
  };
  // The sums include the counts of a run that must continue elsewhere, and cannot be separated from
  // it. So all runs are left to the CPU.
  const bool leaves_all = std::any_of(batch.ends.begin(), batch.ends.end(), is_cut);
  for (std::uint32_t i = 0; i < request.count; ++i) {
    if (leaves_all || batch.ends[i].outcome == ReplicaOutcome::kLeft)
      left.push_back(i);
    else
      runs[i] = result(request, batch, i);
  }
  if (log && !leaves_all) add_conflicts_to(batch, *log);
  return runs;
}

void ReplicaProgram::add_conflicts_to(const ReplicaBatch& batch, ConflictLog& log) const {
  const LaneSplit& split = program_->split();
  for (std::uint32_t i = 0; i < tally_segment_.size(); ++i) {
    const auto& record = machine_->record(tally_segment_[i]);
    for (const auto& contest : record.contests) {
      std::vector<TransitionId> takers;
      for (const TransitionId t : contest.takers) takers.push_back(split.transitions[0][t.value]);
      log.add_contests(split.places[0][contest.place.value], takers, batch.tally(i));
    }
    for (const auto& [place, t] : record.won) {
      log.add_wins(split.places[0][place.value], split.transitions[0][t.value], batch.tally(i));
    }
  }
  for (std::uint32_t c = 0; c < header_.class_count; ++c) {
    const std::uint32_t position = machine_->lane_classes()[c];
    const TransitionId taker = split.transitions[0][position];
    const PlaceId place{header_.classes[c].place};
    log.add_contests(place, {&taker, 1}, batch.contested_steps(c));
    log.add_wins(place, taker, batch.contested_wins(c));
  }
}

}  // namespace pnsim
