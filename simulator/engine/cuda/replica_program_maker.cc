#include "simulator/engine/cuda/replica_program_maker.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pnsim {
namespace {

constexpr std::size_t kMaxReplicaNodes = 250;     // with more nodes the tables exceed shared memory
constexpr std::uint32_t kMaxImageWords = 10'000;  // of shared memory, besides the replicas
// Words of one replica; the shared memory of no GPU holds a block of larger replicas.
constexpr std::uint32_t kMaxStateWords = 1 << 12;
constexpr std::uint32_t kMaxPathSteps = 2000;
constexpr std::uint32_t kNoPath = ~std::uint32_t{0};

bool travels(const LaneNode& node) {
  return node.kind == LaneKind::kFlight || node.kind == LaneKind::kChoice;
}

std::uint32_t segment_count_of(const LaneNode& node) {
  if (node.kind == LaneKind::kIdle) return 0;
  return node.kind == LaneKind::kChoice ? node.choices : 1;
}

}  // namespace

ReplicaProgramMaker::ReplicaProgramMaker(const LaneProgram& program, LaneMachine& machine)
    : lanes_(program), machine_(machine), out_(program, machine), header_(out_.header_) {}

bool ReplicaProgramMaker::refuse(const std::string& why) {
  why_ = why;
  return false;
}

std::optional<ReplicaProgram> ReplicaProgramMaker::make() {
  if (lanes_.lanes() > kMaxReplicaLanes) {
    refuse("more than " + std::to_string(kMaxReplicaLanes) + " lanes");
    return std::nullopt;
  }
  if (!explore() || !check_classes() || !find_longest_path() || !add_signals() || !add_loops() ||
      !add_lane_fields()) {
    return std::nullopt;
  }
  add_classes();
  add_goal();
  fill_image();
  if (header_.image_words > kMaxImageWords) {
    refuse("the tables of the lane states exceed shared memory");
    return std::nullopt;
  }
  if (state_words(header_) > kMaxStateWords) {
    refuse("the state of one replica exceeds shared memory");
    return std::nullopt;
  }
  return std::move(out_);
}

// Explores all reachable lane states, so that a run never has to compute a new one.
bool ReplicaProgramMaker::explore() {
  Marking local;
  for (std::uint32_t lane = 0; lane < lanes_.lanes(); ++lane) {
    lanes_.initial_marking_of(lane, local);
    first_node_.push_back(machine_.node_of(local));
  }
  for (std::uint32_t node = 0; node < machine_.node_count(); ++node) {
    if (machine_.is_exhausted() || machine_.node_count() > kMaxReplicaNodes) {
      return refuse("a lane has too many states");
    }
    const LaneNode found = machine_.nodes()[node];
    if (found.kind == LaneKind::kMixed) {
      return refuse("the next step of a lane depends on more than one wait or draw");
    }
    if (found.choices > 255) return refuse("a random draw has more than 255 choices");
    next_.emplace_back();
    for (std::uint32_t j = 0; j < segment_count_of(found); ++j) {
      if (!explore_segment(node, found.segment + j)) return false;
    }
  }
  return !machine_.is_exhausted() || refuse("a lane has too many states");
}

bool ReplicaProgramMaker::explore_segment(std::uint32_t node, std::uint32_t segment) {
  const LaneSegment path = machine_.segments()[segment];
  if (path.duration > kMaxPathSteps) {
    return refuse("a lane takes too many steps from one wait to the next");
  }
  if (path.end_burst > 0xffff) return refuse("a lane has too many paths from one wait to the next");
  std::uint32_t lowest = 0, highest = 0;
  if (path.counter != LaneSegment::kNone) {
    const auto level =
        static_cast<std::uint32_t>(machine_.marking(node)[machine_.counters()[path.counter]]);
    lowest = level - path.taken;
    // The top level stands for this level or more.
    highest = level == path.top_level ? level : lowest;
  }
  for (std::uint32_t level = lowest; level <= highest; ++level) {
    next_[node].push_back(machine_.next_node(segment, level));
  }
  return true;
}

bool ReplicaProgramMaker::check_classes() {
  std::uint32_t used = 0;
  for (const std::uint32_t position : machine_.lane_classes()) {
    const SignalEffect& effect = lanes_.lane_effects()[position];
    if (effect.takes.size() != 1 || effect.conditions.size() != 1) {
      return refuse("a lane waits for more than the tokens of one shared place");
    }
    const std::uint32_t bit = 1u << effect.takes[0].signal;
    if ((used & bit) != 0) return refuse("two classes of lanes wait for one shared place");
    used |= bit;
  }
  return true;
}

// The longest time in steps from a lane's departure until it waits or rests. It determines the size
// of the time wheel.
bool ReplicaProgramMaker::find_longest_path() {
  std::vector<std::uint32_t> rest(next_.size(), kNoPath);  // from a travelling node
  const auto path_from = [&](std::uint32_t node) {         // kNoPath: not known yet
    std::uint32_t longest = 0;
    for (const std::uint32_t next : next_[node]) {
      if (!travels(machine_.nodes()[next])) continue;
      if (rest[next] == kNoPath) return kNoPath;
      longest = std::max(longest, rest[next]);
    }
    return longest + machine_.nodes()[node].longest;
  };
  bool found_more = true;
  for (std::uint32_t round = 0; found_more; ++round) {
    found_more = false;
    for (std::uint32_t node = 0; node < next_.size(); ++node) {
      if (rest[node] != kNoPath) continue;
      rest[node] = path_from(node);
      found_more = found_more || rest[node] != kNoPath;
    }
  }
  const std::uint32_t longest = *std::max_element(rest.begin(), rest.end());
  if (longest == kNoPath) return refuse("a lane can run for ever without waiting");
  header_.wheel_slots = longest + 1;
  return longest <= kMaxPathSteps ||
         refuse("a lane takes too many steps from one wait to the next");
}

// Number of bits for the values of a signal. The signal of a shared place may grow from step to
// step. The width leaves room for growth, so that one step cannot jump over the guard bit.
std::uint32_t ReplicaProgramMaker::signal_bits(std::uint32_t signal) const {
  const LaneSplit& split = lanes_.split();
  std::uint64_t most = 0;
  if (signal < split.shared_places.size()) {
    const auto add = [&](const SignalEffect& effect, std::uint64_t times) {
      for (const SignalArc& arc : effect.gives) {
        if (arc.signal == signal) most += times * static_cast<std::uint64_t>(arc.weight);
      }
    };
    for (const SignalEffect& effect : lanes_.lane_effects()) add(effect, lanes_.lanes());
    for (const auto& shared : lanes_.shared_transitions()) add(shared.effect, 1);
    most = 2 * (most + static_cast<std::uint64_t>(lanes_.initial_signals()[signal]));
  } else {
    for (std::uint32_t p = 0; p < split.places[0].size(); ++p) {
      const auto& watchers = lanes_.watchers(p);
      const auto times = std::count(watchers.begin(), watchers.end(), signal);
      most += lanes_.lanes() * static_cast<std::uint64_t>(times);
    }
  }
  return static_cast<std::uint32_t>(std::bit_width(most));
}

bool ReplicaProgramMaker::add_signals() {
  std::uint32_t shift = 0;
  for (std::uint32_t signal = 0; signal < lanes_.signal_count(); ++signal) {
    const std::uint32_t bits = signal_bits(signal);
    if (bits > 31 || shift + bits + 1 > 64) return refuse("too many shared tokens");
    out_.signals_.push_back({shift, (1u << bits) - 1});
    shift += bits;
    header_.guards |= std::uint64_t{1} << shift++;
  }
  const std::size_t lanes = lanes_.lanes();
  const bool is_wide = lanes > 64 || shift > 32 || machine_.lane_classes().size() != 1;
  header_.shape = is_wide      ? ReplicaShape::kWide
                  : lanes > 32 ? ReplicaShape::kPaper
                               : ReplicaShape::kSmall;
  header_.packed_words = is_wide ? 2 : 1;
  header_.lane_count = static_cast<std::uint32_t>(lanes);
  header_.set_words = static_cast<std::uint32_t>((lanes + 31) / 32);
  header_.initial = packed(lanes_.initial_signals());
  return true;
}

std::uint64_t ReplicaProgramMaker::packed(const Signals& signals) const {
  std::uint64_t out = 0;
  for (std::uint32_t i = 0; i < lanes_.signal_count(); ++i) {
    const auto value = static_cast<std::uint64_t>(std::int64_t{signals[i]});
    out += value << out_.signals_[i].shift;  // the fields are summed: carries and borrows cancel
  }
  return out;
}

bool ReplicaProgramMaker::add_loops() {
  if (lanes_.shared_transitions().size() > kMaxReplicaLoops) {
    return refuse("more than 2 shared transitions");
  }
  for (const auto& shared : lanes_.shared_transitions()) {
    if (!shared.changes_nothing) return refuse("a shared transition moves tokens");
    ReplicaLoop& loop = header_.loops[header_.loop_count++];
    loop.is_waiting = shared.effect.is_waiting ? 1 : 0;
    loop.pool_taken = static_cast<std::uint32_t>(shared.effect.pool_taken);
    if (shared.effect.takes.size() > kMaxReplicaNeeds) {
      return refuse("a shared transition takes from more than 2 places");
    }
    for (const SignalArc& arc : shared.effect.takes) {
      loop.used |= 1u << arc.signal;
      loop.needs[loop.need_count++] = {out_.signals_[arc.signal],
                                       static_cast<std::uint32_t>(arc.weight)};
    }
    for (const SignalCondition& condition : shared.effect.conditions) {
      const SignalField field = out_.signals_[condition.signal];
      if (condition.max == 0) loop.empty |= std::uint64_t{field.mask} << field.shift;
    }
  }
  return true;
}

bool ReplicaProgramMaker::add_lane_fields() {
  const auto node_bits = static_cast<std::uint32_t>(std::bit_width(machine_.node_count() - 1));
  header_.node_mask = (1u << node_bits) - 1;
  std::uint32_t shift = node_bits;
  Marking local;
  for (const std::uint32_t position : machine_.counters()) {
    Tokens most = 0;
    for (std::uint32_t lane = 0; lane < header_.lane_count; ++lane) {
      lanes_.initial_marking_of(lane, local);
      most = std::max(most, local[position]);
    }
    const auto bits = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(most)));
    if (shift + bits > 64) return refuse("counters of a lane are too large");
    out_.counters_.push_back({bits == 0 ? 0 : shift, bits});
    shift += bits;
  }
  header_.lane_words = shift <= 32 ? 1 : 2;
  return true;
}

void ReplicaProgramMaker::add_classes() {
  for (const std::uint32_t position : machine_.lane_classes()) {
    const SignalEffect& effect = lanes_.lane_effects()[position];
    const SignalArc arc = effect.takes[0];
    header_.classes[header_.class_count++] = {
        out_.signals_[arc.signal], static_cast<std::uint32_t>(arc.weight), 1u << arc.signal,
        lanes_.split().shared_places[arc.signal].value,
        static_cast<std::uint32_t>(effect.pool_taken)};
  }
}

void ReplicaProgramMaker::add_goal() {
  const auto add = [&](std::uint32_t signal) {
    const SignalField field = out_.signals_[signal];
    header_.goal |= std::uint64_t{field.mask} << field.shift;
  };
  header_.has_goal = lanes_.net().has_goal() ? 1 : 0;
  if (lanes_.goal_signal()) add(*lanes_.goal_signal());
  for (const PlaceId p : lanes_.net().goal()) {
    if (const auto signal = lanes_.signal_of(p)) add(*signal);
  }
  if (!lanes_.pool_signal()) return;
  header_.has_pool = 1;
  header_.pool = out_.signals_[*lanes_.pool_signal()];
}

template <class Row>
std::uint32_t ReplicaProgramMaker::append(const std::vector<Row>& rows) {
  std::vector<std::uint32_t>& image = out_.image_;
  image.resize((image.size() + 3) / 4 * 4);  // the device reads rows 16 bytes at a time
  const std::size_t at = image.size();
  image.resize(at + rows.size() * sizeof(Row) / 4);
  if (!rows.empty()) std::memcpy(image.data() + at, rows.data(), rows.size() * sizeof(Row));
  return static_cast<std::uint32_t>(at);
}

void ReplicaProgramMaker::fill_image() {
  std::vector<ReplicaNode> nodes;
  std::vector<ReplicaSegment> segments;
  std::vector<ReplicaBurst> bursts;
  std::vector<std::uint32_t> places, lanes;
  for (std::uint32_t n = 0; n < machine_.node_count(); ++n) {
    nodes.push_back(node_row(machine_.nodes()[n]));
  }
  for (std::uint32_t s = 0; s < machine_.segment_count(); ++s) {
    segments.push_back(segment_row(s));
    const LaneSegment& path = machine_.segments()[s];
    for (std::uint32_t b = path.first_burst; b < path.end_burst; ++b) {
      bursts.push_back({packed(machine_.bursts()[b].change), machine_.bursts()[b].offset, 0});
    }
  }
  for (const std::uint32_t position : draw_rows_) {
    const std::uint32_t* row = lanes_.places() + std::size_t{position} * header_.lane_count;
    places.insert(places.end(), row, row + header_.lane_count);
  }
  Marking local;
  for (std::uint32_t lane = 0; lane < header_.lane_count; ++lane) {
    lanes_.initial_marking_of(lane, local);
    std::uint64_t word = first_node_[lane];
    for (std::size_t c = 0; c < out_.counters_.size(); ++c) {
      word |= static_cast<std::uint64_t>(local[machine_.counters()[c]]) << out_.counters_[c].shift;
    }
    for (std::uint32_t k = 0; k < header_.lane_words; ++k) {
      lanes.push_back(static_cast<std::uint32_t>(word >> (32 * k)));
    }
  }
  header_.nodes_at = append(nodes);
  header_.segments_at = append(segments);
  header_.bursts_at = append(bursts);
  header_.places_at = append(places);
  header_.lanes_at = append(lanes);
  header_.tally_count = static_cast<std::uint32_t>(out_.tally_segment_.size());
  header_.image_words = static_cast<std::uint32_t>(out_.image_.size());
}

ReplicaNode ReplicaProgramMaker::node_row(const LaneNode& node) {
  ReplicaNode row{ReplicaNodeKind::kIdle, 0, 0, 0, node.segment};
  if (node.kind == LaneKind::kParked) {
    row.kind = ReplicaNodeKind::kParked;
    row.lane_class = static_cast<std::uint8_t>(node.lane_class);
  } else if (travels(node)) {
    row.kind = ReplicaNodeKind::kTravels;
  }
  if (node.kind != LaneKind::kChoice) return row;
  row.choices = static_cast<std::uint8_t>(node.choices);
  const auto it = std::find(draw_rows_.begin(), draw_rows_.end(), node.draw_place);
  row.draw_row = static_cast<std::uint8_t>(it - draw_rows_.begin());
  if (it == draw_rows_.end()) draw_rows_.push_back(node.draw_place);
  return row;
}

ReplicaSegment ReplicaProgramMaker::segment_row(std::uint32_t segment) {
  const LaneSegment& path = machine_.segments()[segment];
  const LaneMachine::SegmentRecord& record = machine_.record(segment);
  ReplicaSegment row{};
  row.duration = path.duration;
  row.first_burst = static_cast<std::uint16_t>(path.first_burst);
  row.end_burst = static_cast<std::uint16_t>(path.end_burst);
  row.firings = static_cast<std::uint32_t>(record.firings);
  row.waiting = static_cast<std::uint32_t>(record.waiting);
  if (path.counter != LaneSegment::kNone) {
    row.taken = path.taken;
    row.counter_shift = static_cast<std::uint8_t>(out_.counters_[path.counter].shift);
    row.counter_bits = static_cast<std::uint8_t>(out_.counters_[path.counter].bits);
    row.top_level = static_cast<std::uint8_t>(path.top_level);
  }
  row.tally = tally_of(segment);
  for (std::size_t level = 0; level < 4; ++level) {
    if (path.next[level] == LaneSegment::kNone) continue;
    row.next |= std::uint64_t{path.next[level]} << (16 * level);
  }
  return row;
}

// Segments that begin with the same conflicts share a tally.
std::uint8_t ReplicaProgramMaker::tally_of(std::uint32_t segment) {
  const LaneMachine::SegmentRecord& record = machine_.record(segment);
  if (record.contests.empty()) return 0;
  std::string key;
  for (const auto& contest : record.contests) {
    key += "p" + std::to_string(contest.place.value);
    for (const TransitionId t : contest.takers) key += "t" + std::to_string(t.value);
  }
  for (const auto& [place, t] : record.won) {
    key += "w" + std::to_string(place.value) + "t" + std::to_string(t.value);
  }
  const auto number = static_cast<std::uint8_t>(out_.tally_segment_.size() + 1);
  const auto [it, added] = tallies_.emplace(std::move(key), number);
  if (added) out_.tally_segment_.push_back(segment);
  return it->second;
}

std::optional<ReplicaProgram> make_replica_program(const LaneProgram& program, LaneMachine& machine,
                                                   std::string& why) {
  ReplicaProgramMaker maker(program, machine);
  std::optional<ReplicaProgram> made = maker.make();
  why = maker.why();
  return made;
}

}  // namespace pnsim
