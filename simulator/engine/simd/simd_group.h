// Replicas of one net side by side, one in each lane of SIMD registers of words. To be included where
// the compiler may use the instructions of `V` (Avx512 or Avx2); all of it depends on `V`, so that
// no code of one reaches a processor that has the other only.
//
// The replicas go from step to step together, but for a few steps that one may be ahead: a turn takes
// those that have nothing left to give away to their next step, then gives tokens to one lane of the
// net in each. What is to come stands in rows, a step each, with a word for each replica.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/cuda/replica_report.h"
#include "simulator/engine/simd/simd_tables.h"

namespace pnsim {

inline constexpr std::uint32_t kMostAhead = 2;  // steps that a replica may be ahead of another

// `kPair`: sets of up to 64 lanes of the net, else up to 32.
template <class V, bool kPair>
class SimdGroup {
 public:
  using Words = typename V::Words;
  using Mask = typename V::Mask;

  SimdGroup(const SimdTables& tables, const ReplicaRequest& request, const ReplicaOut& out,
            bool counts_rows)
      : t_(tables), h_(tables.header), request_(request), out_(out), counts_rows_(counts_rows),
        lanes_(kLanes * h_.lane_count),
        rows_(h_.wheel_slots + kMostAhead + 1), changes_(kLanes * rows_), low_sets_(kLanes * rows_),
        high_sets_(kPair ? kLanes * rows_ : 0), visits_(counts_rows ? kLanes * t_.rows.size() : 0) {
    turns_between_sums_ = (1u << 30) / (2 * h_.pool.mask + 2 * t_.most_firings + 8);
  }

  // All replicas that `next` gives numbers of.
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

  // Row i of words that lie side by side as the replicas do.
  static std::uint32_t* row_at(AlignedWords& words, std::uint32_t i) { return words.data() + i * kLanes; }
  static Words value(Words packed, SignalField field) {
    return (packed >> field.shift) & V::all(field.mask);
  }

  // ---- Steps.

  void advance_all() {
    for (int again = 0; again < 2; ++again) {
      const Mask idle = running_ & (left_ == V::zero()) & (ahead_ < V::all(kMostAhead));
      if (!V::any(idle)) return;
      advance(idle);
      begin(idle);
      if (!V::any(running_ & (ahead_ == V::zero()))) close_row();
    }
  }

  // To the next step.
  void advance(Mask m) {
    const Words one = V::keep(m, V::all(1));
    step_ = step_ + one;
    ahead_ = ahead_ + one;
    for (std::uint32_t i = 1; i <= kMostAhead; ++i) {
      const Mask now = m & (ahead_ == V::all(i));
      const std::uint32_t row = row_number(i) * kLanes;
      packed_ = packed_ + V::keep(now, V::load(changes_.data() + row));
      low_ = low_ | V::keep(now, V::load(low_sets_.data() + row));
      if (kPair) high_ = high_ | V::keep(now, V::load(high_sets_.data() + row));
    }
  }

  // All have left the step of the first row: on to the next row. It has been read by all.
  void close_row() {
    base_ = row_number(1);
    ahead_ = ahead_ - V::all(1);
    V::store(changes_.data() + base_ * kLanes, V::zero());
    V::store(low_sets_.data() + base_ * kLanes, V::zero());
    if (kPair) V::store(high_sets_.data() + base_ * kLanes, V::zero());
  }
  // Of `steps` steps after the hindmost; at most rows_.
  std::uint32_t row_number(std::uint32_t steps) const {
    const std::uint32_t row = base_ + steps;
    return row >= rows_ ? row - rows_ : row;
  }

  // What the marking before the step at hand allows.
  void begin(Mask m) {
    low_bytes_ = bit_counts(low_);
    if (kPair) high_bytes_ = bit_counts(high_);
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

  // Shared transitions that give back what they take.
  struct Loops {
    Words count, waiting, pool_taken;
  };
  Loops ask_loops(Mask m, Mask live, Mask& left) const {
    Loops out{V::zero(), V::zero(), V::zero()};
    Mask asked[kMaxReplicaLoops];
    for (std::uint32_t i = 0; i < h_.loop_count; ++i) {
      const ReplicaLoop& loop = h_.loops[i];
      Mask on = m & V::no_bit_of(packed_, V::all(static_cast<std::uint32_t>(loop.empty)));
      for (std::uint32_t k = 0; k < loop.need_count; ++k) {
        on = on & (value(packed_, loop.needs[k].tokens) >= V::all(loop.needs[k].weight));
      }
      if ((loop.asked & h_.classes[0].signal_bit) != 0) left = left | (on & live);
      for (std::uint32_t k = 0; k < i; ++k) {
        if ((loop.asked & h_.loops[k].asked) != 0) left = left | (on & asked[k]);
      }
      asked[i] = on;
      out.count = out.count + V::keep(on, V::all(1));
      out.waiting = out.waiting + V::keep(on, V::all(loop.is_waiting));
      out.pool_taken = out.pool_taken + V::keep(on, V::all(loop.pool_taken));
    }
    return out;
  }

  // Counts of 8 bits a byte.
  static Words bit_counts(Words a) {
    const __m128i counts = _mm_set_epi8(4, 3, 3, 2, 3, 2, 2, 1, 3, 2, 2, 1, 2, 1, 1, 0);
    const Words nibble = V::all(0x0f0f0f0f);
    return V::add_bytes(V::of_nibbles(counts, a & nibble), V::of_nibbles(counts, (a >> 4) & nibble));
  }

  // ---- Tokens for a lane of the net.

  void grant(Mask m) {
    if (!V::any(m)) return;
    const Words j = V::where(draw_ == V::all(kNoDraw), V::zero(), V::multiply_high(next_draw(m), size_));
    size_ = size_ - V::keep(m, V::all(1));
    left_ = left_ - V::keep(m, V::all(1));
    idle_ = idle_ - V::keep(m, V::all(h_.classes[0].pool_taken));
    travel(m, take(m, j));
  }

  Words next_draw(Mask m) {
    const Mask first = m & V::no_bit_of(draw_, V::all(3));
    if (V::any(first)) {
      Words fresh[4] = {V::all(h_.classes[0].place), step_, V::zero(), draw_ >> 2};
      philox(fresh);
      for (int i = 0; i < 4; ++i) drawn_[i] = V::where(first, fresh[i], drawn_[i]);
    }
    draw_ = draw_ + V::keep(m & ~(draw_ == V::all(kNoDraw)), V::all(1));
    const Words word = drawn_[0];
    for (int i = 0; i < 3; ++i) drawn_[i] = V::where(m, drawn_[i + 1], drawn_[i]);
    return word;
  }

  void philox(Words (&w)[4]) const {
    typename V::Half even[4], odd[4];
    for (int i = 0; i < 4; ++i) {
      even[i] = V::even(w[i]);
      odd[i] = V::odd(w[i]);
    }
    for (int round = 0; round < 10; ++round) {
      philox_round(even, even_keys_[round]);
      philox_round(odd, odd_keys_[round]);
    }
    for (int i = 0; i < 4; ++i) w[i] = V::join(even[i], odd[i]);
  }
  static void philox_round(typename V::Half (&w)[4], const typename V::Half (&keys)[2]) {
    const auto p = V::multiply(w[0], V::half_of(0xD2511F53u));
    const auto q = V::multiply(w[2], V::half_of(0xCD9E8D57u));
    w[0] = V::high_xor(q, w[1], keys[0]);
    w[2] = V::high_xor(p, w[3], keys[1]);
    w[1] = q;
    w[3] = p;
  }

  // Takes the j-th waiting lane of the net out of the set.
  Words take(Mask m, Words j) {
    Words set = low_, sums = sums_up_to(low_bytes_);
    Mask is_high = V::from_bits(0);
    if (kPair) {
      const Words below = sums >> 24;
      is_high = j >= below;
      set = V::where(is_high, high_, low_);
      sums = V::where(is_high, sums_up_to(high_bytes_), sums);
      j = V::where(is_high, j - below, j);
    }
    const Words byte_at = V::eight_a_byte_up_to(sums, V::low_byte_to_all(j));
    const Words before = ((sums << 8) >> byte_at) & V::all(0xff);
    const Words at = byte_at + bit_of_byte((set >> byte_at) & V::all(0xff), j - before);
    const Words bit = V::keep(m, V::all(1) << at), one = V::keep(m, V::all(1) << byte_at);
    low_ = V::without(low_, V::keep(~is_high, bit));
    low_bytes_ = low_bytes_ - V::keep(~is_high, one);
    if (!kPair) return at;
    high_ = V::without(high_, V::keep(is_high, bit));
    high_bytes_ = high_bytes_ - V::keep(is_high, one);
    return at + V::keep(is_high, V::all(32));
  }
  static Words sums_up_to(Words bytes) {
    bytes = bytes + (bytes << 8);
    return bytes + (bytes << 16);
  }
  // Position of set bit number j of 8.
  static Words bit_of_byte(Words byte, Words j) {
    const __m128i counts = _mm_set_epi8(4, 3, 3, 2, 3, 2, 2, 1, 3, 2, 2, 1, 2, 1, 1, 0);
    // [nibble] positions of its set bits, 2 bits each
    const __m128i positions = _mm_set_epi8(static_cast<char>(0xe4), 0x39, 0x38, 0x0e, 0x34, 0x0d, 0x0c, 3,
                                           0x24, 9, 8, 2, 4, 1, 0, 0);
    const Words low = byte & V::all(15), below = V::of_nibbles(counts, low);
    const Mask is_high = j >= below;
    const Words nibble = V::where(is_high, byte >> 4, low);
    j = V::where(is_high, j - below, j);
    const Words at = (V::of_nibbles(positions, nibble) >> (j + j)) & V::all(3);
    return at + V::keep(is_high, V::all(4));
  }

  // ---- The way of a lane of the net.

  // From a node to where the lane waits again or rests.
  void travel(Mask m, Words lane) {
    const Words at = (lane << kShift) + V::numbers();
    const Words state = V::gather(m, lanes_.data(), at);
    const Words node = state & V::all(h_.node_mask);
    const Words row = row_of(m, node, lane);
    if (counts_rows_) count_visit(m, row);
    const Words entry = look_up(t_.rows, row), shift = entry >> 27, width = (entry >> 8) & V::all(31);
    const Words after = state - (((entry >> 15) & V::all(0xfff)) << shift);
    const Words tokens = ((after >> shift) << width) >> width;
    const Words level = V::min(tokens, (entry >> 13) & V::all(3));
    const Words next = (look_up(t_.nexts, row) >> (level << 3)) & V::all(0xff);
    V::scatter(m, lanes_.data(), at, V::without(after, V::all(h_.node_mask)) | next);
    const Words shape = entry & V::all(0xff), duration = look_up(t_.durations, shape);
    firings_ = firings_ + V::keep(m, look_up(t_.firings, shape));
    if (t_.has_waiting) waiting_ = waiting_ + V::keep(m, look_up(t_.waiting, shape));
    last_ = V::max(last_, V::keep(m, step_ + duration));
    show(m, shape);
    wait_again(m & (next < V::all(t_.first_resting)), lane, duration);
    const Mask on = m & (next >= V::all(t_.first_travelling));
    if (V::any(on)) go_on(V::bits(on), lane, duration);
  }

  static Words look_up(const AlignedWords& table, Words at) {
    return V::look_up(table.data(), table.size(), at);
  }

  Words row_of(Mask m, Words node, Words lane) {
    const Words head = look_up(t_.heads, node);
    const Words first = head & V::all(0xffff), choices = head >> 16;
    const Mask drawn = m & (V::all(1) < choices);
    if (!V::any(drawn)) return first;
    const Words draw = look_up(t_.draws, node);
    Words w[4] = {place_of(drawn, node, draw >> 16, lane), step_ + (draw & V::all(0xffff)), V::zero(),
                  V::zero()};
    philox(w);
    return first + V::keep(drawn, V::multiply_high(w[0], choices));
  }
  Words place_of(Mask m, Words node, Words begin, Words lane) const {
    if (!t_.has_place_stride) return V::gather(m, t_.places.data(), begin + lane);
    return look_up(t_.first_places, node) + V::multiply(lane, t_.place_stride);
  }

  // What others see of the way.
  void show(Mask m, Words shape) {
    Mask at[kMostAhead + 1];
    for (std::uint32_t i = 0; i <= kMostAhead; ++i) at[i] = m & (ahead_ == V::all(i));
    for (const SimdTables::Show& show : t_.shows) {
      const Words change = look_up(show.changes, shape);
      if (!V::any(m & V::any_bit_of(change, change))) continue;
      for (std::uint32_t i = 0; i <= kMostAhead; ++i) {
        std::uint32_t* const row = changes_.data() + row_number(i + show.steps) * kLanes;
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
      for (std::uint32_t i = 0; i <= kMostAhead; ++i) {
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

  // Where lanes draw again, or what they do hangs on a counter, before they wait: one by one.
  void go_on(std::uint32_t replicas, Words lane, Words duration) {
    for (; replicas != 0; replicas &= replicas - 1) {
      const auto r = static_cast<std::uint32_t>(__builtin_ctz(replicas));
      go_on(r, word_of(lane, r), word_of(duration, r));
    }
  }
  void go_on(std::uint32_t r, std::uint32_t lane, std::uint32_t after) {
    std::uint32_t& state = lanes_.data()[lane * kLanes + r];
    std::uint32_t node = state & h_.node_mask;
    const std::uint32_t step = word_of(step_, r), ahead = word_of(ahead_, r);
    while (node >= t_.first_travelling) {
      const std::uint32_t row = row_of(r, node, lane, step + after);
      if (counts_rows_) ++visits_.data()[row * kLanes + r];
      const std::uint32_t entry = t_.rows.data()[row], shape = entry & 0xff;
      for (const SimdTables::Show& show : t_.shows) {
        const std::uint32_t change = show.changes.data()[shape];
        if (change != 0) changes_.data()[row_number(ahead + after + show.steps) * kLanes + r] += change;
      }
      word_of(firings_, r) += t_.firings.data()[shape];
      word_of(waiting_, r) += t_.waiting.data()[shape];
      after += t_.durations.data()[shape];
      state -= (entry >> 15 & 0xfff) << (entry >> 27);
      const std::uint32_t tokens = (state >> (entry >> 27)) << (entry >> 8 & 31) >> (entry >> 8 & 31);
      const std::uint32_t top = entry >> 13 & 3;
      node = t_.nexts.data()[row] >> (8 * (tokens < top ? tokens : top)) & 0xff;
    }
    state = (state & ~h_.node_mask) | node;
    if (word_of(last_, r) < step + after) word_of(last_, r) = step + after;
    if (node >= t_.first_resting) return;
    AlignedWords& sets = lane < 32 ? low_sets_ : high_sets_;
    sets.data()[row_number(ahead + after) * kLanes + r] |= 1u << lane % 32;
  }
  std::uint32_t row_of(std::uint32_t r, std::uint32_t node, std::uint32_t lane, std::uint32_t step) const {
    const std::uint32_t head = t_.heads.data()[node], choices = head >> 16, draw = t_.draws.data()[node];
    if (choices <= 1) return head & 0xffff;
    const std::uint32_t place = t_.places.data()[(draw >> 16) + lane];
    const ReplicaKey key{word_of(key0_, r), word_of(key1_, r)};
    return (head & 0xffff) +
           multiply_high(draw_block(key, place, step + (draw & 0xffff), 0).w[0], choices);
  }

  void count_visit(Mask m, Words row) {
    const Words at = (row << kShift) + V::numbers();
    V::scatter(m, visits_.data(), at, V::gather(m, visits_.data(), at) + V::all(1));
  }

  // ---- Begin and end of replicas.

  bool many_are_done() const {
    return static_cast<std::uint32_t>(__builtin_popcount(V::bits(running_))) <= kLanes / 2;
  }

  // Gives the next replicas to all lanes that have none.
  void refill(std::uint32_t& next) {
    const Mask m = V::from_bits(prepare(next));
    running_ = running_ | m;
    Words* const zeroed[] = {&step_,  &ahead_, &last_, &left_, &low_, &high_,
                             &firings_, &waiting_, &idle_, &contested_steps_, &contested_wins_};
    for (Words* a : zeroed) *a = V::keep(~m, *a);
    packed_ = V::where(m, V::all(static_cast<std::uint32_t>(h_.initial)), packed_);
    for (AlignedWords* rows : {&changes_, &low_sets_, &high_sets_}) clear(m, *rows);
    clear(m, visits_);
    for (std::uint32_t lane = 0; lane < h_.lane_count; ++lane) set_out(m, lane);
    begin(m);
  }

  void set_out(Mask m, std::uint32_t lane) {
    const std::uint32_t word = t_.lanes[lane], node = word & h_.node_mask;
    std::uint32_t* const states = row_at(lanes_, lane);
    V::store(states, V::where(m, V::all(word), V::load(states)));
    if (node >= t_.first_travelling) return travel(m, V::all(lane));
    if (node >= t_.first_resting) return;
    Words& set = lane < 32 ? low_ : high_;
    set = set | V::keep(m, V::all(1u << lane % 32));
  }

  static void clear(Mask m, AlignedWords& words) {
    for (std::uint32_t i = 0; i * kLanes < words.size(); ++i) {
      V::store(row_at(words, i), V::keep(~m, V::load(row_at(words, i))));
    }
  }

  // Keys and sums of the replicas that begin; returns which lanes get one.
  std::uint32_t prepare(std::uint32_t& next) {
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
    Words a = key0_, b = key1_;
    for (int round = 0; round < 10; ++round) {
      even_keys_[round][0] = V::even(a);
      even_keys_[round][1] = V::even(b);
      odd_keys_[round][0] = V::odd(a);
      odd_keys_[round][1] = V::odd(b);
      a = a + V::all(0x9E3779B9u);
      b = b + V::all(0xBB67AE85u);
    }
    return taken;
  }

  // In the order of the law. `resting`: no lane of the net can do anything any more.
  void end(Mask m, Mask left, Mask resting, const Loops& loops) {
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
      if ((over >> r & 1) == 0) continue;
      ReplicaOutcome outcome = ReplicaOutcome::kLimit;
      if (is(resting) && word_of(loops.count, r) == 0) outcome = ReplicaOutcome::kDead;
      else if (is(resting) && !is(goal)) go_to_limit(r, loops);
      if (is(goal)) outcome = ReplicaOutcome::kGoal;
      if (is(left_or_busy)) outcome = ReplicaOutcome::kLeft;
      report(r, outcome);
    }
  }

  // From now on every step is the same: shared transitions fire on and on.
  void go_to_limit(std::uint32_t r, const Loops& loops) {
    const std::uint64_t steps = request_.max_steps - word_of(step_, r);
    const std::uint32_t pool = word_of(packed_, r) >> h_.pool.shift & h_.pool.mask;
    sums_[r].firings += steps * word_of(loops.count, r);
    sums_[r].waiting += steps * word_of(loops.waiting, r);
    sums_[r].idle += steps * (pool - word_of(loops.pool_taken, r));
    word_of(step_, r) = request_.max_steps;
  }

  static const std::uint32_t& word_of(const Words& a, std::uint32_t r) {
    return reinterpret_cast<const std::uint32_t*>(&a)[r];
  }
  static std::uint32_t& word_of(Words& a, std::uint32_t r) {
    return reinterpret_cast<std::uint32_t*>(&a)[r];
  }

  void report(std::uint32_t r, ReplicaOutcome outcome) {
    const std::uint32_t number = number_[r];
    out_.ends[number] = {sums_[r].firings, sums_[r].waiting, sums_[r].idle, word_of(step_, r), outcome};
    if (outcome == ReplicaOutcome::kLeft) return;
    out_.sums[0] += word_of(contested_steps_, r);
    out_.sums[1] += word_of(contested_wins_, r);
    for (std::uint32_t row = 0; row * kLanes < visits_.size(); ++row) {
      for (const std::uint8_t tally : t_.tallies[row]) {
        if (tally != 0) out_.sums[2 * kMaxReplicaClasses + tally - 1] += visits_.data()[row * kLanes + r];
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

  // Sums of 32 bits into those of 64, before they could be too large.
  void add_up() {
    turns_to_sums_ = turns_between_sums_;
    for (std::uint32_t r = 0; r < kLanes; ++r) {
      sums_[r].firings += word_of(firings_, r);
      sums_[r].waiting += word_of(waiting_, r);
      // What is taken of the pool may be subtracted before or after.
      sums_[r].idle += static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(word_of(idle_, r))});
    }
    firings_ = waiting_ = idle_ = V::zero();
  }

  static constexpr std::uint32_t kNoDraw = 1u << 30 | 1;  // as draw_: all that wait are given tokens
  static constexpr unsigned kShift = kLanes == 32 ? 5 : kLanes == 16 ? 4 : 3;

  const SimdTables& t_;
  const ReplicaHeader& h_;
  const ReplicaRequest& request_;
  const ReplicaOut& out_;
  const bool counts_rows_;

  // Of the replica in each lane:
  Mask running_ = V::from_bits(0);
  Words packed_ = V::zero();                       // signals of the marking before the step at hand
  Words low_ = V::zero(), high_ = V::zero();       // lanes of the net that wait: a bit each
  Words low_bytes_ = V::zero(), high_bytes_ = V::zero();  // how many, in 8 bits each
  Words step_ = V::zero(), ahead_ = V::zero();     // ahead_: of the hindmost's row
  Words last_ = V::zero();                         // nothing is on the way after this step
  Words size_ = V::zero(), left_ = V::zero();      // lanes that wait; those still to be given tokens
  Words draw_ = V::zero(), drawn_[4] = {};         // draws made in the step; words for the next ones
  Words firings_ = V::zero(), waiting_ = V::zero(), idle_ = V::zero();
  Words contested_steps_ = V::zero(), contested_wins_ = V::zero();
  Words key0_ = V::zero(), key1_ = V::zero();
  typename V::Half even_keys_[10][2], odd_keys_[10][2];
  std::uint32_t number_[kLanes] = {};
  struct Sums {
    std::uint64_t firings = 0, waiting = 0, idle = 0;
  } sums_[kLanes];
  std::uint32_t turns_between_sums_ = 0, turns_to_sums_ = 1;

  AlignedWords lanes_;                             // [lane] node and counters
  std::uint32_t rows_, base_ = 0;                  // base_: the row of the hindmost's step
  // [row] to come with that step: changes of the signals, lanes of the net that wait from then on.
  AlignedWords changes_, low_sets_, high_sets_;
  AlignedWords visits_;                      // [row] how often, where that is asked for
};

}  // namespace pnsim
