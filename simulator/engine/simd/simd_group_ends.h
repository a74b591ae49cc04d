// Part of simd_group.h: begin and end of replicas, and lane paths that are followed one by one.
#pragma once

#include "simulator/engine/simd/simd_group.h"

namespace pnsim {

template <class V, bool kPair, bool kSmall>
void SimdGroup<V, kPair, kSmall>::continue_singly(std::uint32_t replicas, Words lane,
                                                  Words duration) {
  for (; replicas != 0; replicas &= replicas - 1) {
    const auto r = static_cast<std::uint32_t>(__builtin_ctz(replicas));
    continue_singly(r, word_of(lane, r), word_of(duration, r));
  }
}

template <class V, bool kPair, bool kSmall>
void SimdGroup<V, kPair, kSmall>::continue_singly(std::uint32_t r, std::uint32_t lane,
                                                  std::uint32_t after) {
  std::uint32_t& state = lanes_.data()[lane * kLanes + r];
  std::uint32_t node = state & h_.node_mask;
  const std::uint32_t step = word_of(step_, r), ahead = word_of(ahead_, r);
  while (node >= t_.first_travelling) {
    const std::uint32_t row = row_of(r, node, lane, step + after);
    if (counts_rows_) ++visits_.data()[row * kLanes + r];
    const std::uint32_t entry = t_.rows.data()[row], shape = entry & 0xff;
    for (const SimdTables::SignalChange& later : t_.signal_changes) {
      const std::uint32_t change = later.changes.data()[shape];
      if (change != 0)
        changes_.data()[row_number(ahead + after + later.steps) * kLanes + r] += change;
    }
    sums_[r].firings += t_.firings.data()[shape];
    sums_[r].waiting += t_.waiting.data()[shape];
    after += t_.durations.data()[shape];
    state -= (entry >> 15 & 0xfff) << (entry >> 27);
    const std::uint32_t tokens = (state >> (entry >> 27)) << (entry >> 8 & 31) >> (entry >> 8 & 31);
    const std::uint32_t top = entry >> 13 & 3;
    node = t_.nexts.data()[row] >> (8 * (tokens < top ? tokens : top)) & 0xff;
  }
  state = (state & ~h_.node_mask) | node;
  if (word_of(last_, r) < step + after) set_word(last_, r, step + after);
  if (node >= t_.first_resting) return;
  AlignedWords& sets = lane < 32 ? low_sets_ : high_sets_;
  sets.data()[row_number(ahead + after) * kLanes + r] |= 1u << lane % 32;
}

template <class V, bool kPair, bool kSmall>
std::uint32_t SimdGroup<V, kPair, kSmall>::row_of(std::uint32_t r, std::uint32_t node,
                                                  std::uint32_t lane, std::uint32_t step) const {
  const std::uint32_t head = t_.heads.data()[node], choices = head >> 16,
                      draw = t_.draws.data()[node];
  if (choices <= 1) return head & 0xffff;
  const std::uint32_t place = t_.places.data()[(draw >> 16) + lane];
  const ReplicaKey key{word_of(key0_, r), word_of(key1_, r)};
  return (head & 0xffff) +
         multiply_high(draw_block(key, place, step + (draw & 0xffff), 0).w[0], choices);
}

template <class V, bool kPair, bool kSmall>
void SimdGroup<V, kPair, kSmall>::refill(std::uint32_t& next) {
  const Mask m = V::from_bits(prepare(next));
  running_ = running_ | m;
  Words* const zeroed[] = {&step_,          &ahead_,   &last_,    &left_, &low_,
                           &high_,          &firings_, &waiting_, &idle_, &contested_steps_,
                           &contested_wins_};
  for (Words* a : zeroed) *a = V::keep(~m, *a);
  packed_ = V::where(m, V::all(static_cast<std::uint32_t>(h_.initial)), packed_);
  for (AlignedWords* rows : {&changes_, &low_sets_, &high_sets_}) clear(m, *rows);
  clear(m, visits_);
  for (std::uint32_t lane = 0; lane < h_.lane_count; ++lane) start_lane(m, lane);
  begin(m);
}

template <class V, bool kPair, bool kSmall>
void SimdGroup<V, kPair, kSmall>::start_lane(Mask m, std::uint32_t lane) {
  const std::uint32_t word = t_.lanes[lane], node = word & h_.node_mask;
  std::uint32_t* const states = row_at(lanes_, lane);
  V::store(states, V::where(m, V::all(word), V::load(states)));
  if (node >= t_.first_travelling) return travel(m, V::all(lane));
  if (node >= t_.first_resting) return;
  Words& set = lane < 32 ? low_ : high_;
  set = set | V::keep(m, V::all(1u << lane % 32));
}

template <class V, bool kPair, bool kSmall>
void SimdGroup<V, kPair, kSmall>::clear(Mask m, AlignedWords& words) {
  for (std::uint32_t i = 0; i * kLanes < words.size(); ++i) {
    V::store(row_at(words, i), V::keep(~m, V::load(row_at(words, i))));
  }
}

template <class V, bool kPair, bool kSmall>
std::uint32_t SimdGroup<V, kPair, kSmall>::prepare(std::uint32_t& next) {
  alignas(64) std::uint32_t k0[kLanes], k1[kLanes];
  V::store(k0, key0_);
  V::store(k1, key1_);
  std::uint32_t taken = 0;
  for (std::uint32_t r = 0; r < kLanes && next < request_.count; ++r) {
    if ((V::bits(running_) >> r & 1) != 0) continue;
    const ReplicaKey key = replica_key(request_.seed, request_.first + next, request_.stream);
    k0[r] = key.k0;
    k1[r] = key.k1;
    number_[r] = next++;
    sums_[r] = {};
    taken |= 1u << r;
  }
  key0_ = V::load(k0);
  key1_ = V::load(k1);
  philox_.set_keys(key0_, key1_);
  return taken;
}

template <class V, bool kPair, bool kSmall>
void SimdGroup<V, kPair, kSmall>::end(Mask m, Mask left, Mask resting, const Loops& loops) {
  Mask goal = V::from_bits(0);
  if (h_.has_goal != 0) goal = V::no_bit_of(packed_, V::all(static_cast<std::uint32_t>(h_.goal)));
  const Mask limit = step_ >= V::all(request_.max_steps);
  const std::uint32_t over = V::bits(m & (left | goal | resting | limit));
  if (over == 0) return;
  running_ = running_ & ~V::from_bits(over);
  add_up();
  const Mask left_or_busy = left | (step_ < last_);
  for (std::uint32_t r = 0; r < kLanes; ++r) {
    const auto is = [&](Mask which) { return (V::bits(which) >> r & 1) != 0; };
    if ((over >> r & 1) != 0) end_one(r, is(left_or_busy), is(goal), is(resting), loops);
  }
}

template <class V, bool kPair, bool kSmall>
void SimdGroup<V, kPair, kSmall>::end_one(std::uint32_t r, bool is_left, bool is_goal,
                                          bool is_resting, const Loops& loops) {
  if (is_left) return report(r, ReplicaOutcome::kLeft);
  if (is_goal) return report(r, ReplicaOutcome::kGoal);
  if (is_resting && word_of(loops.count, r) == 0) return report(r, ReplicaOutcome::kDead);
  if (is_resting) go_to_limit(r, loops);
  report(r, ReplicaOutcome::kLimit);
}

template <class V, bool kPair, bool kSmall>
void SimdGroup<V, kPair, kSmall>::go_to_limit(std::uint32_t r, const Loops& loops) {
  const std::uint64_t steps = request_.max_steps - word_of(step_, r);
  const std::uint32_t pool = word_of(packed_, r) >> h_.pool.shift & h_.pool.mask;
  sums_[r].firings += steps * word_of(loops.count, r);
  sums_[r].waiting += steps * word_of(loops.waiting, r);
  sums_[r].idle += steps * (pool - word_of(loops.pool_taken, r));
  set_word(step_, r, request_.max_steps);
}

template <class V, bool kPair, bool kSmall>
void SimdGroup<V, kPair, kSmall>::report(std::uint32_t r, ReplicaOutcome outcome) {
  const std::uint32_t number = number_[r];
  out_.ends[number] = {sums_[r].firings, sums_[r].waiting, sums_[r].idle, word_of(step_, r),
                       outcome};
  if (outcome == ReplicaOutcome::kLeft) return;
  out_.sums[0] += word_of(contested_steps_, r);
  out_.sums[1] += word_of(contested_wins_, r);
  for (std::uint32_t row = 0; row * kLanes < visits_.size(); ++row) {
    for (const std::uint8_t tally : t_.tallies[row]) {
      if (tally != 0)
        out_.sums[2 * kMaxReplicaClasses + tally - 1] += visits_.data()[row * kLanes + r];
    }
  }
  if (number >= request_.kept) return;
  std::uint32_t* to = out_.finals + std::size_t{number} * final_words(h_);
  *to++ = word_of(packed_, r);
  *to++ = 0;
  for (std::uint32_t lane = 0; lane < h_.lane_count; ++lane) {
    const std::uint32_t word = lanes_.data()[lane * kLanes + r];
    *to++ = (word & ~h_.node_mask) | t_.old_node[word & h_.node_mask];
  }
}

template <class V, bool kPair, bool kSmall>
void SimdGroup<V, kPair, kSmall>::add_up() {
  turns_to_sums_ = turns_between_sums_;
  for (std::uint32_t r = 0; r < kLanes; ++r) {
    sums_[r].firings += word_of(firings_, r);
    sums_[r].waiting += word_of(waiting_, r);
    // Signed: within a step, tokens taken from the pool may already have been subtracted.
    const auto idle = static_cast<std::int32_t>(word_of(idle_, r));
    sums_[r].idle += static_cast<std::uint64_t>(std::int64_t{idle});
  }
  firings_ = waiting_ = idle_ = V::zero();
}

}  // namespace pnsim
