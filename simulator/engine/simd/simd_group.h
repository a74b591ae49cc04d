// Runs replicas of one net in parallel, one in each lane of SIMD registers. Include it only where
// the compiler may use the instructions of `V` (Avx512 or Avx2). All code depends on `V`, so that
// no AVX-512 code reaches a processor that only has AVX2.
//
// The replicas advance step by step together, except that one may be kMaxAhead steps ahead. An
// iteration takes the replicas that have no tokens left to give to their next step. Then it gives
// tokens to one net lane in each replica. Future events are stored in rows, one per step, with one
// word per replica.
#pragma once

#include <cstdint>

#include "simulator/engine/cuda/replica_report.h"
#include "simulator/engine/simd/simd_draws.h"
#include "simulator/engine/simd/simd_tables.h"

namespace pnsim {

inline constexpr std::uint32_t kMaxAhead = 2;  // steps that a replica may be ahead of another

// `kPair`: sets of up to 64 net lanes, otherwise up to 32. `kSmall`: SimdTables::is_small().
template <class V, bool kPair, bool kSmall>
class SimdGroup {
 public:
  using Words = typename V::Words;
  using Mask = typename V::Mask;
  using Bits = SimdBits<V>;

  SimdGroup(const SimdTables& tables, const ReplicaRequest& request, const ReplicaOut& out,
            bool counts_rows)
      : t_(tables),
        h_(tables.header),
        request_(request),
        out_(out),
        counts_rows_(counts_rows),
        lanes_(kLanes * h_.lane_count),
        rows_(h_.wheel_slots + kMaxAhead + 1),
        changes_(kLanes * rows_),
        low_sets_(kLanes * rows_),
        high_sets_(kPair ? kLanes * rows_ : 0),
        visits_(counts_rows ? kLanes * t_.rows.size() : 0) {
    turns_between_sums_ = (1u << 30) / (2 * h_.pool.mask + 2 * t_.most_firings + 8);
  }

  // Runs all replicas whose numbers `next` provides.
  void run(std::uint32_t& next) {
    while (true) {
      advance_all();
      if (V::bits(running_) == 0 || many_are_done()) {
        if (next == request_.count && V::bits(running_) == 0) return;
        if (next < request_.count) refill(next);
      }
      grant(running_ & (V::zero() < left_));
      if (--turns_to_sums_ == 0) add_up();
    }
  }

 private:
  static constexpr std::uint32_t kLanes = V::kLanes;

  // Row i of the words, one word per replica.
  static std::uint32_t* row_at(AlignedWords& words, std::uint32_t i) {
    return words.data() + i * kLanes;
  }
  static Words value(Words packed, SignalField field) {
    return (packed >> field.shift) & V::all(field.mask);
  }

  // ---- Steps.

  // Advances twice, because the first step often has no tokens to give.
  void advance_all() {
    for (int again = 0; again < 2; ++again) {
      const Mask idle = running_ & (left_ == V::zero()) & (ahead_ < V::all(kMaxAhead));
      if (!V::any(idle)) return;
      advance(idle);
      begin(idle);
      if (!V::any(running_ & (ahead_ == V::zero()))) close_row();
    }
  }

  // Advances the masked replicas to the next step.
  void advance(Mask m) {
    const Words one = V::keep(m, V::all(1));
    step_ = step_ + one;
    ahead_ = ahead_ + one;
    for (std::uint32_t i = 1; i <= kMaxAhead; ++i) {
      const Mask now = m & (ahead_ == V::all(i));
      const std::uint32_t row = row_number(i) * kLanes;
      packed_ = packed_ + V::keep(now, V::load(changes_.data() + row));
      low_ = low_ | V::keep(now, V::load(low_sets_.data() + row));
      if (kPair) high_ = high_ | V::keep(now, V::load(high_sets_.data() + row));
    }
  }

  // All replicas have left the step of the first row, and all have read it. Advances to the next
  // row.
  void close_row() {
    base_ = row_number(1);
    ahead_ = ahead_ - V::all(1);
    V::store(changes_.data() + base_ * kLanes, V::zero());
    V::store(low_sets_.data() + base_ * kLanes, V::zero());
    if (kPair) V::store(high_sets_.data() + base_ * kLanes, V::zero());
  }
  // The row `steps` steps after the hindmost replica; `steps` is at most rows_.
  std::uint32_t row_number(std::uint32_t steps) const {
    const std::uint32_t row = base_ + steps;
    return row >= rows_ ? row - rows_ : row;
  }

  // Evaluates what the marking before the current step allows.
  void begin(Mask m) {
    low_bytes_ = Bits::counts(low_);
    if (kPair) high_bytes_ = Bits::counts(high_);
    size_ = V::sum_of_bytes(kPair ? V::add_bytes(low_bytes_, high_bytes_) : low_bytes_);
    const ReplicaClass& waiting = h_.classes[0];
    const Words tokens = value(packed_, waiting.tokens);
    const Mask live = (V::zero() < size_) & (tokens >= V::all(waiting.weight));
    Mask left = V::any_bit_of(packed_, V::all(static_cast<std::uint32_t>(h_.guards)));
    const Loops loops = ask_loops(m, live, left);
    const Mask resting = m & ~live & (step_ >= last_);
    end(m, left, resting, loops);
    m = m & running_;
    idle_ = idle_ + V::keep(m, value(packed_, h_.pool) - loops.pool_taken);
    firings_ = firings_ + V::keep(m, loops.count);
    waiting_ = waiting_ + V::keep(m, loops.waiting);
    const Words room = waiting.weight == 1 ? tokens : V::divide(tokens, waiting.weight);
    const Mask drawn = room < size_;
    left_ = V::where(m & live, V::min(room, size_), V::where(m, V::zero(), left_));
    draw_ = V::where(m, V::where(drawn, V::zero(), V::all(kNoDraw)), draw_);
    const Mask contested = m & live & drawn;
    contested_steps_ = contested_steps_ + V::keep(contested, V::all(1));
    contested_wins_ = contested_wins_ + V::keep(contested, room);
  }

  // Shared transitions that return what they take.
  struct Loops {
    Words count, waiting, pool_taken;
  };
  Loops ask_loops(Mask m, Mask live, Mask& left) const {
    Loops out{V::zero(), V::zero(), V::zero()};
    Mask active[kMaxReplicaLoops];
    for (std::uint32_t i = 0; i < h_.loop_count; ++i) {
      const ReplicaLoop& loop = h_.loops[i];
      Mask on = m & V::no_bit_of(packed_, V::all(static_cast<std::uint32_t>(loop.empty)));
      for (std::uint32_t k = 0; k < loop.need_count; ++k) {
        on = on & (value(packed_, loop.needs[k].tokens) >= V::all(loop.needs[k].weight));
      }
      if ((loop.used & h_.classes[0].signal_bit) != 0) left = left | (on & live);
      for (std::uint32_t k = 0; k < i; ++k) {
        if ((loop.used & h_.loops[k].used) != 0) left = left | (on & active[k]);
      }
      active[i] = on;
      out.count = out.count + V::keep(on, V::all(1));
      out.waiting = out.waiting + V::keep(on, V::all(loop.is_waiting));
      out.pool_taken = out.pool_taken + V::keep(on, V::all(loop.pool_taken));
    }
    return out;
  }

  // ---- Tokens for one net lane.

  void grant(Mask m) {
    if (!V::any(m)) return;
    const Words drawn = V::multiply_high(next_draw(m), size_);
    const Words j = V::where(draw_ == V::all(kNoDraw), V::zero(), drawn);
    size_ = size_ - V::keep(m, V::all(1));
    left_ = left_ - V::keep(m, V::all(1));
    idle_ = idle_ - V::keep(m, V::all(h_.classes[0].pool_taken));
    travel(m, take(m, j));
  }

  Words next_draw(Mask m) {
    const Mask first = m & V::no_bit_of(draw_, V::all(3));
    if (V::any(first)) {
      Words fresh[4] = {V::all(h_.classes[0].place), step_, V::zero(), draw_ >> 2};
      philox_(fresh);
      for (int i = 0; i < 4; ++i) drawn_[i] = V::where(first, fresh[i], drawn_[i]);
    }
    draw_ = draw_ + V::keep(m & ~(draw_ == V::all(kNoDraw)), V::all(1));
    const Words word = drawn_[0];
    for (int i = 0; i < 3; ++i) drawn_[i] = V::where(m, drawn_[i + 1], drawn_[i]);
    return word;
  }

  // Removes the j-th waiting net lane from the set.
  Words take(Mask m, Words j) {
    Words set = low_, sums = Bits::sums(low_bytes_);
    Mask is_high = V::from_bits(0);
    if (kPair) {
      const Words below = sums >> 24;
      is_high = j >= below;
      set = V::where(is_high, high_, low_);
      sums = V::where(is_high, Bits::sums(high_bytes_), sums);
      j = V::where(is_high, j - below, j);
    }
    Words byte_at;
    const Words at = Bits::select(set, sums, j, byte_at);
    const Words bit = V::keep(m, V::all(1) << at), one = V::keep(m, V::all(1) << byte_at);
    low_ = V::without(low_, V::keep(~is_high, bit));
    low_bytes_ = low_bytes_ - V::keep(~is_high, one);
    if (!kPair) return at;
    high_ = V::without(high_, V::keep(is_high, bit));
    high_bytes_ = high_bytes_ - V::keep(is_high, one);
    return at + V::keep(is_high, V::all(32));
  }

  // ---- The path of a net lane from wait to wait.

  // Advances from a node until the lane waits again or rests.
  void travel(Mask m, Words lane) {
    const Words at = (lane << kShift) + V::numbers();
    const Words state = V::gather(m, lanes_.data(), at);
    const Words node = state & V::all(h_.node_mask);
    const Words row = row_of(m, node, lane);
    if (counts_rows_) count_visit(m, row);
    const Words entry = of_row(t_.rows, row), shift = entry >> 27,
                width = (entry >> 8) & V::all(31);
    const Words after = state - (((entry >> 15) & V::all(0xfff)) << shift);
    const Words tokens = ((after >> shift) << width) >> width;
    const Words level = V::min(tokens, (entry >> 13) & V::all(3));
    const Words next = (of_row(t_.nexts, row) >> (level << 3)) & V::all(0xff);
    V::scatter(m, lanes_.data(), at, V::without(after, V::all(h_.node_mask)) | next);
    const Words shape = entry & V::all(0xff), duration = of_shape(t_.durations, shape);
    firings_ = firings_ + V::keep(m, of_shape(t_.firings, shape));
    if (t_.has_waiting) waiting_ = waiting_ + V::keep(m, of_shape(t_.waiting, shape));
    last_ = V::max(last_, V::keep(m, step_ + duration));
    schedule_changes(m, shape);
    wait_again(m & (next < V::all(t_.first_resting)), lane, duration);
    const Mask on = m & (next >= V::all(t_.first_travelling));
    if (V::any(on)) continue_singly(V::bits(on), lane, duration);
  }

  // Lengths of tables by shape, by node and by row.
  static constexpr int kShapes = kSmall ? 16 : 0, kNodes = kSmall ? 32 : 0, kRows = kSmall ? 64 : 0;
  static Words of_shape(const AlignedWords& table, Words at) {
    return V::template look_up<kShapes>(table, at);
  }
  static Words of_node(const AlignedWords& table, Words at) {
    return V::template look_up<kNodes>(table, at);
  }
  static Words of_row(const AlignedWords& table, Words at) {
    return V::template look_up<kRows>(table, at);
  }

  Words row_of(Mask m, Words node, Words lane) {
    const Words head = of_node(t_.heads, node);
    const Words first = head & V::all(0xffff), choices = head >> 16;
    const Mask drawn = m & (V::all(1) < choices);
    if (!V::any(drawn)) return first;
    const Words draw = of_node(t_.draws, node);
    Words w[4] = {place_of(drawn, node, draw >> 16, lane), step_ + (draw & V::all(0xffff)),
                  V::zero(), V::zero()};
    philox_(w);
    return first + V::keep(drawn, V::multiply_high(w[0], choices));
  }
  Words place_of(Mask m, Words node, Words begin, Words lane) const {
    if (!t_.has_place_stride) return V::gather(m, t_.places.data(), begin + lane);
    return of_node(t_.first_places, node) + V::multiply(lane, t_.place_stride);
  }

  // Schedules the signal changes of the path.
  void schedule_changes(Mask m, Words shape) {
    Mask at[kMaxAhead + 1];
    for (std::uint32_t i = 0; i <= kMaxAhead; ++i) at[i] = m & (ahead_ == V::all(i));
    for (const SimdTables::SignalChange& later : t_.signal_changes) {
      const Words change = of_shape(later.changes, shape);
      if (!V::any(m & V::any_bit_of(change, change))) continue;
      for (std::uint32_t i = 0; i <= kMaxAhead; ++i) {
        std::uint32_t* const row = changes_.data() + row_number(i + later.steps) * kLanes;
        V::store(row, V::load(row) + V::keep(at[i], change));
      }
    }
  }

  void wait_again(Mask m, Words lane, Words duration) {
    const Words bit = V::keep(m, V::all(1) << (lane & V::all(31)));
    const Mask is_high = lane >= V::all(32);
    const Words when = ahead_ + duration;
    for (const std::uint32_t steps : t_.ends) {
      if (!V::any(m & (duration == V::all(steps)))) continue;
      for (std::uint32_t i = 0; i <= kMaxAhead; ++i) {
        const Mask now = (duration == V::all(steps)) & (when == V::all(i + steps));
        const std::uint32_t row = row_number(i + steps) * kLanes;
        std::uint32_t* const low = low_sets_.data() + row;
        V::store(low, V::load(low) | V::keep(now & ~is_high, bit));
        if (!kPair) continue;
        std::uint32_t* const high = high_sets_.data() + row;
        V::store(high, V::load(high) | V::keep(now & is_high, bit));
      }
    }
  }

  // Continues one by one where a lane draws again, or depends on a counter, before it waits.
  void continue_singly(std::uint32_t replicas, Words lane, Words duration);
  void continue_singly(std::uint32_t r, std::uint32_t lane, std::uint32_t after);
  std::uint32_t row_of(std::uint32_t r, std::uint32_t node, std::uint32_t lane,
                       std::uint32_t step) const;

  void count_visit(Mask m, Words row) {
    const Words at = (row << kShift) + V::numbers();
    V::scatter(m, visits_.data(), at, V::gather(m, visits_.data(), at) + V::all(1));
  }

  // ---- Begin and end of replicas.

  bool many_are_done() const {
    return static_cast<std::uint32_t>(__builtin_popcount(V::bits(running_))) <= kLanes / 2;
  }

  // Assigns the next replicas to all SIMD lanes without one.
  void refill(std::uint32_t& next);
  // Advances a net lane from its initial state to its first wait.
  void start_lane(Mask m, std::uint32_t lane);
  static void clear(Mask m, AlignedWords& words);
  // Sets keys and sums of the starting replicas; returns which SIMD lanes get one.
  std::uint32_t prepare(std::uint32_t& next);

  // Ends replicas, with the outcomes in the order of the firing rule. `resting`: no net lane can
  // fire any more.
  void end(Mask m, Mask left, Mask resting, const Loops& loops);
  void end_one(std::uint32_t r, bool is_left, bool is_goal, bool is_resting, const Loops& loops);

  // From now on every step is equal: shared transitions fire until the limit.
  void go_to_limit(std::uint32_t r, const Loops& loops);

  static std::uint32_t word_of(Words a, std::uint32_t r) {
    alignas(64) std::uint32_t words[kLanes];
    V::store(words, a);
    return words[r];
  }
  static void set_word(Words& a, std::uint32_t r, std::uint32_t word) {
    a = V::where(V::from_bits(std::uint32_t{1} << r), V::all(word), a);
  }

  void report(std::uint32_t r, ReplicaOutcome outcome);

  // Adds the 32-bit sums to the 64-bit sums before they can overflow.
  void add_up();

  static constexpr std::uint32_t kNoDraw =
      1u << 30 | 1;  // value of draw_ when every waiting lane receives tokens
  static constexpr unsigned kShift = kLanes == 32 ? 5 : kLanes == 16 ? 4 : 3;

  const SimdTables& t_;
  const ReplicaHeader& h_;
  const ReplicaRequest& request_;
  const ReplicaOut& out_;
  const bool counts_rows_;

  // State of the replica in each SIMD lane:
  Mask running_ = V::from_bits(0);
  Words packed_ = V::zero();                  // signals of the marking before the current step
  Words low_ = V::zero(), high_ = V::zero();  // waiting net lanes, one bit each
  Words low_bytes_ = V::zero(), high_bytes_ = V::zero();  // their number per byte, 8 bits each
  // ahead_: distance from the hindmost replica's row
  Words step_ = V::zero(), ahead_ = V::zero();
  Words last_ = V::zero();                     // no event is scheduled after this step
  Words size_ = V::zero(), left_ = V::zero();  // lanes that wait; lanes still to be served
  Words draw_ = V::zero(), drawn_[4] = {};     // draws made in the step; words for the next ones
  Words firings_ = V::zero(), waiting_ = V::zero(), idle_ = V::zero();
  Words contested_steps_ = V::zero(), contested_wins_ = V::zero();
  Words key0_ = V::zero(), key1_ = V::zero();
  SimdPhilox<V> philox_;
  std::uint32_t number_[kLanes] = {};
  struct Sums {
    std::uint64_t firings = 0, waiting = 0, idle = 0;
  } sums_[kLanes];
  std::uint32_t turns_between_sums_ = 0, turns_to_sums_ = 1;

  AlignedWords lanes_;             // [lane] node and counters
  std::uint32_t rows_, base_ = 0;  // base_: the row of the hindmost replica's step
  // [row] events of that step: changes of the signals, net lanes that wait from then on.
  AlignedWords changes_, low_sets_, high_sets_;
  AlignedWords visits_;  // [row of the tables] number of visits, when requested
};

}  // namespace pnsim
