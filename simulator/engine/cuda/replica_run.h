// One run of a net of lanes, executed by one GPU thread. The same code is compiled for the host,
// where tests compare it with the reference engine step by step. It is the fast part of LaneEngine
// in compact words. A run that does not fit is left to the CPU as a whole.
#pragma once

#include <cstdint>

#include "simulator/engine/cuda/replica_draws.h"
#include "simulator/engine/cuda/replica_tables.h"

namespace pnsim {

// Consecutive words of one replica are kReplicaStride apart. So the threads of a warp never cause
// shared-memory bank conflicts, whatever word each of them accesses.
inline constexpr std::uint32_t kReplicaStride = 32;
// Limit of loop iterations. A longer run is left to the CPU, which executes consecutive steps much
// faster.
inline constexpr std::uint32_t kMaxIterations = 1u << 24;

// What is known about the net at compile time. With fewer words, more of the state stays in
// registers.
struct SmallShape {  // up to 32 lanes
  static constexpr int kClasses = 1, kWords = 1;
  using Packed = std::uint32_t;
};
struct PaperShape {  // up to 64 lanes
  static constexpr int kClasses = 1, kWords = 2;
  using Packed = std::uint32_t;
};
struct WideShape {
  static constexpr int kClasses = kMaxReplicaClasses, kWords = kMaxReplicaLanes / 32;
  using Packed = std::uint64_t;
};

struct NoWatch {
  PNSIM_HOST_DEVICE void begins(std::uint32_t, std::uint32_t, std::uint32_t) {}
  PNSIM_HOST_DEVICE void step(std::uint32_t, std::uint64_t) {}
};

// The tables of an image (16-byte aligned).
struct ReplicaTables {
  PNSIM_HOST_DEVICE ReplicaTables(const ReplicaHeader& h, const std::uint32_t* image)
      : nodes(reinterpret_cast<const ReplicaNode*>(image + h.nodes_at)),
        segments(reinterpret_cast<const ReplicaSegment*>(image + h.segments_at)),
        bursts(reinterpret_cast<const ReplicaBurst*>(image + h.bursts_at)),
        places(image + h.places_at),
        lanes(image + h.lanes_at) {}

  const ReplicaNode* nodes;
  const ReplicaSegment* segments;
  const ReplicaBurst* bursts;
  const std::uint32_t* places;  // [row * lanes + lane] index of the place of the draw
  const std::uint32_t* lanes;   // [lane * lane_words + word] initial state
};

// `Watch` receives events, for tests: begins(lane, step, segment), step(step, packed signals).
template <class Shape, class Watch>
class ReplicaRun {
 public:
  // `state`: state_words() words, kReplicaStride apart, all 0.
  PNSIM_HOST_DEVICE ReplicaRun(const ReplicaHeader& header, const ReplicaTables& tables,
                               std::uint32_t* state, ReplicaKey key, std::uint32_t max_steps,
                               Watch& watch)
      : h_(header),
        t_(tables),
        state_(state),
        key_(key),
        max_steps_(max_steps),
        watch_(watch),
        packed_(static_cast<Packed>(h_.initial)),
        tallies_at_(h_.lane_count * h_.lane_words),
        wheel_at_(tallies_at_ + h_.tally_count),
        slot_words_(h_.packed_words + h_.class_count * h_.set_words) {}

  PNSIM_HOST_DEVICE ReplicaEnd run() {
    start();
    // An iteration gives tokens to at most one lane. So threads of a warp whose steps have
    // different numbers of winners do not wait for each other.
    for (std::uint32_t iteration = 0; iteration < kMaxIterations && outcome_ == kRunning;
         ++iteration) {
      if (left_ == 0) begin_step();
      if (left_ != 0) grant();
      if (left_ == 0 && outcome_ == kRunning) end_class();
    }
    // The counts already include the future of a travelling lane.
    if (outcome_ == kRunning || last_ > step_) outcome_ = static_cast<int>(ReplicaOutcome::kLeft);
    return {firings_, waiting_, idle_, step_, static_cast<ReplicaOutcome>(outcome_)};
  }

  PNSIM_HOST_DEVICE std::uint64_t packed() const { return packed_; }
  PNSIM_HOST_DEVICE std::uint32_t tally(std::uint32_t i) const { return word(tallies_at_ + i); }
  PNSIM_HOST_DEVICE std::uint32_t lane_word(std::uint32_t i) const { return word(i); }
  PNSIM_HOST_DEVICE std::uint32_t contested_steps(int c) const { return contested_steps_[c]; }
  PNSIM_HOST_DEVICE std::uint32_t contested_wins(int c) const { return contested_wins_[c]; }

 private:
  using Packed = typename Shape::Packed;
  static constexpr int kRunning = -1;

  PNSIM_HOST_DEVICE std::uint32_t& word(std::uint32_t i) { return state_[i * kReplicaStride]; }
  PNSIM_HOST_DEVICE std::uint32_t word(std::uint32_t i) const { return state_[i * kReplicaStride]; }

  PNSIM_HOST_DEVICE std::uint32_t value(SignalField field) const {
    return static_cast<std::uint32_t>(packed_ >> field.shift) & field.mask;
  }

  // The first word of the slot `ahead` steps after the current step.
  PNSIM_HOST_DEVICE std::uint32_t slot(std::uint32_t ahead) const {
    std::uint32_t at = head_ + ahead;
    if (at >= h_.wheel_slots) at -= h_.wheel_slots;
    return wheel_at_ + at * slot_words_;
  }

  PNSIM_HOST_DEVICE std::uint64_t lane_state(std::uint32_t lane) const {
    if (h_.lane_words == 1) return word(lane);
    return word(2 * lane) | std::uint64_t{word(2 * lane + 1)} << 32;
  }
  PNSIM_HOST_DEVICE void set_lane_state(std::uint32_t lane, std::uint64_t state) {
    if (h_.lane_words == 1) {
      word(lane) = static_cast<std::uint32_t>(state);
      return;
    }
    word(2 * lane) = static_cast<std::uint32_t>(state);
    word(2 * lane + 1) = static_cast<std::uint32_t>(state >> 32);
  }

  PNSIM_HOST_DEVICE void start() {
    for (std::uint32_t i = 0; i < h_.lane_count * h_.lane_words; ++i) word(i) = t_.lanes[i];
    for (std::uint32_t lane = 0; lane < h_.lane_count; ++lane) {
      const ReplicaNode node = t_.nodes[word(lane * h_.lane_words) & h_.node_mask];
      if (node.kind == ReplicaNodeKind::kTravels) travel(lane);
      if (node.kind == ReplicaNodeKind::kParked) insert(node.lane_class, lane);
    }
    watch_.step(step_, packed_);
  }

  PNSIM_HOST_DEVICE void insert(std::uint32_t lane_class, std::uint32_t lane) {
    const std::uint32_t bit = 1u << (lane % 32);
    // No run-time index, so the words stay in registers.
    if (Shape::kClasses == 1 && Shape::kWords <= 2) {
      for (std::uint32_t w = 0; w < set_words(); ++w) ready_[0][w] |= lane / 32 == w ? bit : 0;
    } else {
      ready_[lane_class][lane / 32] |= bit;
    }
  }

  PNSIM_HOST_DEVICE bool has_ready(int c) const {
    std::uint32_t any = 0;
    for (std::uint32_t w = 0; w < set_words(); ++w) any |= ready_[c][w];
    return any != 0;
  }
  PNSIM_HOST_DEVICE std::uint32_t ready_count(int c) const {
    std::uint32_t count = 0;
    for (std::uint32_t w = 0; w < set_words(); ++w) count += popcount(ready_[c][w]);
    return count;
  }
  PNSIM_HOST_DEVICE std::uint32_t set_words() const {
    return Shape::kWords <= 2 ? static_cast<std::uint32_t>(Shape::kWords) : h_.set_words;
  }
  // The current class. It is a constant when there is only one; otherwise the sets would not stay
  // in registers.
  PNSIM_HOST_DEVICE int at_hand() const { return Shape::kClasses == 1 ? 0 : class_; }
  PNSIM_HOST_DEVICE int class_count() const {
    return Shape::kClasses == 1 ? 1 : static_cast<int>(h_.class_count);
  }

  // Removes the j-th lane from the set.
  PNSIM_HOST_DEVICE std::uint32_t take(int c, std::uint32_t j) {
    if (Shape::kWords == 2) {  // no run-time index
      const std::uint32_t low = popcount(ready_[c][0]);
      const bool is_high = j >= low;
      const std::uint32_t at =
          select_bit(is_high ? ready_[c][Shape::kWords - 1] : ready_[c][0], is_high ? j - low : j);
      const std::uint32_t bit = 1u << at;
      ready_[c][0] &= ~(is_high ? 0 : bit);
      ready_[c][Shape::kWords - 1] &= ~(is_high ? bit : 0);
      return is_high ? 32 + at : at;
    }
    std::uint32_t w = 0;
    for (; w + 1 < set_words(); ++w) {
      const std::uint32_t count = popcount(ready_[c][w]);
      if (j < count) break;
      j -= count;
    }
    const std::uint32_t at = select_bit(ready_[c][w], j);
    ready_[c][w] &= ~(1u << at);
    return 32 * w + at;
  }

  // Evaluates what the marking before the current step allows.
  PNSIM_HOST_DEVICE void begin_step() {
    if (h_.has_goal && (packed_ & static_cast<Packed>(h_.goal)) == 0)
      return end(ReplicaOutcome::kGoal);
    live_ = loops_ = loops_waiting_ = pool_taken_ = 0;
    std::uint32_t used = 0;
    for (int c = 0; c < class_count(); ++c) {
      if (!has_ready(c) || value(h_.classes[c].tokens) < h_.classes[c].weight) continue;
      live_ |= 1u << c;
      used |= h_.classes[c].signal_bit;
    }
    for (std::uint32_t i = 0; i < kMaxReplicaLoops; ++i) {
      const ReplicaLoop& loop = h_.loops[i];
      if (i >= h_.loop_count || !is_enabled(loop)) continue;
      if ((used & loop.used) != 0) return end(ReplicaOutcome::kLeft);
      used |= loop.used;
      ++loops_;
      loops_waiting_ += loop.is_waiting;
      pool_taken_ += loop.pool_taken;
    }
    if (live_ == 0 && loops_ == 0 && step_ >= last_) return end(ReplicaOutcome::kDead);
    if (step_ >= max_steps_) return end(ReplicaOutcome::kLimit);
    open_class();
  }

  PNSIM_HOST_DEVICE bool is_enabled(const ReplicaLoop& loop) const {
    if ((packed_ & static_cast<Packed>(loop.empty)) != 0) return false;
    bool all = true;
    for (std::uint32_t k = 0; k < kMaxReplicaNeeds; ++k) {
      all = all && (k >= loop.need_count || value(loop.needs[k].tokens) >= loop.needs[k].weight);
    }
    return all;
  }

  PNSIM_HOST_DEVICE void end(ReplicaOutcome outcome) { outcome_ = static_cast<int>(outcome); }

  // Opens the lowest class that can take tokens: sets how many of its lanes win, and whether draws
  // decide.
  PNSIM_HOST_DEVICE void open_class() {
    if (live_ == 0) return;
    if (Shape::kClasses > 1) class_ = static_cast<int>(select_bit(live_, 0));
    const ReplicaClass& waiting = h_.classes[at_hand()];
    const std::uint32_t tokens = value(waiting.tokens);
    size_ = ready_count(at_hand());
    is_drawn_ = std::uint64_t{size_} * waiting.weight > tokens;
    left_ = !is_drawn_ ? size_ : waiting.weight == 1 ? tokens : tokens / waiting.weight;
    draw_ = 0;
    if (!is_drawn_) return;
    ++contested_steps_[at_hand()];
    contested_wins_[at_hand()] += left_;
  }

  PNSIM_HOST_DEVICE std::uint32_t next_draw() {
    if (draw_ % 4 == 0) words_ = draw_block(key_, h_.classes[at_hand()].place, step_, draw_ / 4);
    ++draw_;
    const std::uint32_t word = words_.w[0];
    words_.w[0] = words_.w[1];
    words_.w[1] = words_.w[2];
    words_.w[2] = words_.w[3];
    return word;
  }

  PNSIM_HOST_DEVICE void grant() {
    const std::uint32_t j = is_drawn_ ? multiply_high(next_draw(), size_) : 0;
    --size_;
    --left_;
    pool_taken_ += h_.classes[at_hand()].pool_taken;
    travel(take(at_hand(), j));
  }

  // Advances the lane from a node until it waits again or rests. The wheel has room for the longest
  // path.
  PNSIM_HOST_DEVICE void travel(std::uint32_t lane) {
    std::uint64_t state = lane_state(lane);
    std::uint32_t number = static_cast<std::uint32_t>(state) & h_.node_mask;
    ReplicaNode node = t_.nodes[number];
    std::uint32_t ahead = 0;
    do {
      std::uint32_t way = node.segment;
      if (node.choices > 1) {
        const std::uint32_t place = t_.places[node.draw_row * h_.lane_count + lane];
        way += multiply_high(draw_block(key_, place, step_ + ahead, 0).w[0], node.choices);
      }
      watch_.begins(lane, step_ + ahead, way);
      number = follow(t_.segments[way], ahead, state);
      node = t_.nodes[number];
    } while (node.kind == ReplicaNodeKind::kTravels);
    set_lane_state(lane, (state & ~std::uint64_t{h_.node_mask}) | number);
    last_ = step_ + ahead > last_ ? step_ + ahead : last_;
    if (node.kind == ReplicaNodeKind::kIdle) return;
    const std::uint32_t set = slot(ahead) + h_.packed_words + node.lane_class * h_.set_words;
    word(set + lane / 32) |= 1u << (lane % 32);
  }

  // Schedules the signal changes of a segment on the wheel; returns the node at its end.
  PNSIM_HOST_DEVICE std::uint32_t follow(const ReplicaSegment segment, std::uint32_t& ahead,
                                         std::uint64_t& state) {
    firings_ += segment.firings;
    waiting_ += segment.waiting;
    if (segment.tally != 0) ++word(tallies_at_ + segment.tally - 1);
    for (std::uint32_t b = segment.first_burst; b < segment.end_burst; ++b) {
      add(slot(ahead + t_.bursts[b].offset), t_.bursts[b].change);
    }
    ahead += segment.duration;
    std::uint32_t level = 0;
    if (segment.counter_bits != 0) {
      state -= std::uint64_t{segment.taken} << segment.counter_shift;
      const std::uint64_t tokens =
          state >> segment.counter_shift & ((std::uint64_t{1} << segment.counter_bits) - 1);
      level = tokens < segment.top_level ? static_cast<std::uint32_t>(tokens) : segment.top_level;
    }
    return static_cast<std::uint32_t>(segment.next >> (16 * level)) & 0xffff;
  }

  PNSIM_HOST_DEVICE void add(std::uint32_t at, std::uint64_t change) {
    if (sizeof(Packed) == 4) {
      word(at) += static_cast<std::uint32_t>(change);
      return;
    }
    const std::uint64_t sum = (word(at) | std::uint64_t{word(at + 1)} << 32) + change;
    word(at) = static_cast<std::uint32_t>(sum);
    word(at + 1) = static_cast<std::uint32_t>(sum >> 32);
  }

  PNSIM_HOST_DEVICE void end_class() {
    live_ &= live_ - 1;  // this class has no lanes left to serve
    if (live_ != 0) return open_class();
    end_step();
  }

  // Advances to the next step. When no lane moved, it jumps to the next step with an event.
  PNSIM_HOST_DEVICE void end_step() {
    const bool is_idle = draw_ == kNoClass;
    std::uint32_t steps = 1;
    if (is_idle) {
      if (step_ >= last_) {
        steps = max_steps_ - step_;
      } else {
        const std::uint32_t most = (last_ < max_steps_ ? last_ : max_steps_) - step_;
        while (steps < most && is_empty(slot(steps))) ++steps;
      }
    }
    firings_ += std::uint64_t{steps} * loops_;
    waiting_ += std::uint64_t{steps} * loops_waiting_;
    if (h_.has_pool) idle_ += std::uint64_t{steps} * (value(h_.pool) - pool_taken_);
    advance(steps);
    draw_ = kNoClass;
  }

  PNSIM_HOST_DEVICE bool is_empty(std::uint32_t at) const {
    std::uint32_t any = 0;
    for (std::uint32_t k = 0; k < slot_words_; ++k) any |= word(at + k);
    return any == 0;
  }

  PNSIM_HOST_DEVICE void advance(std::uint32_t steps) {
    head_ += steps < h_.wheel_slots ? steps : 0;  // after a longer jump the wheel is empty
    if (head_ >= h_.wheel_slots) head_ -= h_.wheel_slots;
    step_ += steps;
    std::uint32_t at = wheel_at_ + head_ * slot_words_;
    if (sizeof(Packed) == 4) {
      packed_ += word(at);
      word(at++) = 0;
    } else {
      packed_ += static_cast<Packed>(word(at) | std::uint64_t{word(at + 1)} << 32);
      word(at) = word(at + 1) = 0;
      at += 2;
    }
    for (int c = 0; c < class_count(); ++c) {
      for (std::uint32_t w = 0; w < set_words(); ++w, ++at) {
        ready_[c][w] |= word(at);
        word(at) = 0;
      }
    }
    if ((packed_ & static_cast<Packed>(h_.guards)) != 0) end(ReplicaOutcome::kLeft);
    watch_.step(step_, packed_);
  }

  // Value of `draw_` while no class is open.
  static constexpr std::uint32_t kNoClass = ~std::uint32_t{0};

  const ReplicaHeader& h_;
  const ReplicaTables t_;
  std::uint32_t* const state_;
  const ReplicaKey key_;
  const std::uint32_t max_steps_;
  Watch& watch_;
  Packed packed_;  // signals of the marking before the current step
  std::uint32_t tallies_at_, wheel_at_, slot_words_;
  std::uint32_t ready_[Shape::kClasses][Shape::kWords] = {};
  std::uint32_t step_ = 0, head_ = 0;  // head_: the slot of step_
  std::uint32_t last_ = 0;             // the wheel is empty after this step
  int outcome_ = kRunning;             // otherwise a ReplicaOutcome
  // State of the current step:
  std::uint32_t live_ = 0;  // bit c: class c can take tokens and has not been served
  std::uint32_t loops_ = 0, loops_waiting_ = 0, pool_taken_ = 0;
  int class_ = 0;                      // the class that is being served
  std::uint32_t size_ = 0, left_ = 0;  // lanes that wait; lanes still to be served
  bool is_drawn_ = false;
  std::uint32_t draw_ = kNoClass;
  DrawWords words_{};
  std::uint64_t firings_ = 0, waiting_ = 0, idle_ = 0;
  std::uint32_t contested_steps_[Shape::kClasses] = {}, contested_wins_[Shape::kClasses] = {};
};

}  // namespace pnsim
