#include "simulator/engine/simd/simd_tables.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "simulator/engine/cuda/replica_run.h"

namespace pnsim {
namespace {

constexpr std::uint32_t kMaxTaken = 0xfff;
// Keeps the sums of some hundred iterations below 2^31.
constexpr std::uint32_t kMaxPool = 1u << 22;
constexpr std::uint32_t kMaxFirings = 1u << 20;  // for the same reason
constexpr std::uint32_t kMaxRows = 1u << 12;
constexpr std::size_t kMaxOffsets = 40;  // distinct offsets at which a path changes signals

// Consecutive segments; a counter is reduced at most at the end.
struct LanePath {
  std::uint32_t duration = 0, firings = 0, waiting = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> bursts;  // offset, change
  ReplicaSegment last{};                                        // its counter and successor nodes
  std::array<std::uint8_t, 2> tallies{};
  std::size_t tally_count = 0;

  auto shape() const { return std::tie(duration, firings, waiting, bursts); }
  bool operator<(const LanePath& other) const { return shape() < other.shape(); }
};

class SimdTablesMaker {
 public:
  SimdTablesMaker(const ReplicaHeader& header, const std::vector<std::uint32_t>& image)
      : t_(header, image.data()) {
    out_.header = header;
  }

  std::optional<SimdTables> make() {
    if (!fits() || !number_nodes()) return std::nullopt;
    for (const std::uint32_t node : out_.old_node) {
      if (!add_node(t_.nodes[node])) return std::nullopt;
    }
    const ReplicaHeader& h = out_.header;
    for (std::uint32_t lane = 0; lane < h.lane_count; ++lane) {
      const std::uint32_t word = t_.lanes[lane];
      out_.lanes.push_back((word & ~h.node_mask) | new_node_[word & h.node_mask]);
    }
    for (std::uint32_t i = 0; i < place_count(); ++i) out_.places.push_back(t_.places[i]);
    find_stride();
    if (!add_shows()) return std::nullopt;
    return std::move(out_);
  }
  const std::string& why() const { return why_; }

 private:
  bool refuse(const char* why) {
    why_ = why;
    return false;
  }

  bool fits() {
    const ReplicaHeader& h = out_.header;
    if (h.shape == ReplicaShape::kWide) {
      return refuse("more than 64 lanes, or more than one class of waiting lanes");
    }
    if (h.lane_words != 1) return refuse("counters of a lane are too large");
    if (h.pool.mask >= kMaxPool || h.classes[0].tokens.mask >= kMaxPool) {
      return refuse("too many shared tokens");
    }
    return true;
  }

  std::uint32_t node_count() const {
    return (out_.header.segments_at - out_.header.nodes_at) * 4 / sizeof(ReplicaNode);
  }
  std::uint32_t place_count() const { return out_.header.lanes_at - out_.header.places_at; }

  bool number_nodes() {
    new_node_.resize(node_count());
    for (const auto kind :
         {ReplicaNodeKind::kParked, ReplicaNodeKind::kIdle, ReplicaNodeKind::kTravels}) {
      if (kind == ReplicaNodeKind::kIdle) out_.first_resting = number_of_nodes();
      if (kind == ReplicaNodeKind::kTravels) out_.first_travelling = number_of_nodes();
      for (std::uint32_t node = 0; node < node_count(); ++node) {
        if (t_.nodes[node].kind != kind) continue;
        new_node_[node] = number_of_nodes();
        out_.old_node.push_back(node);
      }
    }
    return number_of_nodes() <= 256 || refuse("a lane has too many states");
  }
  std::uint32_t number_of_nodes() const { return static_cast<std::uint32_t>(out_.old_node.size()); }

  void append(LanePath& path, const ReplicaSegment& segment) const {
    for (std::uint32_t b = segment.first_burst; b < segment.end_burst; ++b) {
      path.bursts.emplace_back(path.duration + t_.bursts[b].offset,
                               static_cast<std::uint32_t>(t_.bursts[b].change));
    }
    path.duration += segment.duration;
    path.firings += segment.firings;
    path.waiting += segment.waiting;
    path.last = segment;
    if (segment.tally != 0) path.tallies[path.tally_count++] = segment.tally;
  }

  static std::uint32_t counter_of(const ReplicaSegment& last) {
    if (last.counter_bits == 0) return 0;
    return (32u - last.counter_bits) << 8 | std::uint32_t{last.top_level} << 13 | last.taken << 15 |
           std::uint32_t{last.counter_shift} << 27;
  }

  // The node after a path without a counter at its end, when the lane continues from there.
  const ReplicaNode* continuation(const LanePath& path) const {
    if (path.last.counter_bits != 0) return nullptr;
    const ReplicaNode& next = t_.nodes[path.last.next & 0xffff];
    return next.kind == ReplicaNodeKind::kTravels ? &next : nullptr;
  }

  // Adds a node and, when only a draw lies between, its successor.
  bool add_node(const ReplicaNode& node) {
    const auto first_row = out_.rows.size();
    const ReplicaNode* drawn = &node;
    LanePath before;
    if (node.kind != ReplicaNodeKind::kIdle && node.choices <= 1) {
      append(before, t_.segments[node.segment]);
      drawn = continuation(before);
    }
    const std::uint32_t choices = drawn && node.kind != ReplicaNodeKind::kIdle
                                      ? std::max<std::uint32_t>(drawn->choices, 1)
                                      : 0;
    out_.heads.push_back(first_row | choices << 16);
    out_.draws.push_back(before.duration |
                         (drawn ? drawn->draw_row * out_.header.lane_count << 16 : 0));
    if (node.kind == ReplicaNodeKind::kIdle) return true;
    if (choices == 0) return add_row(before);
    for (std::uint32_t j = 0; j < choices; ++j) {
      LanePath path = before;
      append(path, t_.segments[drawn->segment + j]);
      if (!add_row(path)) return false;
    }
    return true;
  }

  bool add_row(const LanePath& path) {
    const ReplicaSegment& last = path.last;
    const auto shape = shape_of(path);
    if (shape > 0xff || out_.rows.size() == kMaxRows) {
      return refuse("a lane has too many paths from one wait to the next");
    }
    if (last.taken > kMaxTaken) return refuse("too many tokens taken at once");
    if (path.firings > kMaxFirings) return refuse("a path of a lane has too many firings");
    std::uint32_t next = 0;
    for (std::uint32_t level = 0; level < 4; ++level) {
      next |= new_node_[last.next >> (16 * level) & 0xffff] << (8 * level);
    }
    out_.rows.push_back(shape | counter_of(last));
    out_.nexts.push_back(next);
    out_.tallies.push_back(path.tallies);
    return true;
  }

  std::uint32_t shape_of(const LanePath& path) {
    const auto [it, added] = shapes_.emplace(path, out_.durations.size());
    if (!added) return it->second;
    out_.durations.push_back(path.duration);
    out_.firings.push_back(path.firings);
    out_.waiting.push_back(path.waiting);
    out_.most_firings = std::max(out_.most_firings, path.firings);
    out_.has_waiting = out_.has_waiting || path.waiting != 0;
    return it->second;
  }

  bool add_shows() {
    std::set<std::uint32_t> steps, ends;
    for (const auto& [path, shape] : shapes_) {
      ends.insert(path.duration);
      for (const auto& [offset, change] : path.bursts) steps.insert(offset);
    }
    out_.ends.assign(ends.begin(), ends.end());
    for (const std::uint32_t after : steps) {
      std::vector<std::uint32_t> changes(shapes_.size());
      for (const auto& [path, shape] : shapes_) {
        for (const auto& [offset, change] : path.bursts) {
          if (offset == after) changes[shape] += change;
        }
      }
      SimdTables::SignalChange& later = out_.signal_changes.emplace_back();
      later.steps = after;
      for (const std::uint32_t change : changes) later.changes.push_back(change);
    }
    return steps.size() + ends.size() <= kMaxOffsets ||
           refuse("a lane has too many different paths from one wait to the next");
  }

  void find_stride() {
    const std::uint32_t lanes = out_.header.lane_count;
    const std::uint32_t stride = place_count() < 2 ? 0 : t_.places[1] - t_.places[0];
    bool is_same = true;
    for (std::uint32_t i = 1; i < place_count() / lanes * lanes; ++i) {
      is_same = is_same && (i % lanes == 0 || t_.places[i] - t_.places[i - 1] == stride);
    }
    out_.has_place_stride = is_same;
    out_.place_stride = stride;
    for (std::uint32_t node = 0; node < number_of_nodes(); ++node) {
      out_.first_places.push_back(place_count() == 0 ? 0
                                                     : t_.places[out_.draws.data()[node] >> 16]);
    }
  }

  const ReplicaTables t_;
  SimdTables out_;
  std::string why_;
  std::vector<std::uint32_t> new_node_;  // [node of the program]
  std::map<LanePath, std::uint32_t> shapes_;
};

}  // namespace

AlignedWords::AlignedWords(std::size_t size)
    : blocks_((size + 63) / 64), size_(static_cast<std::uint32_t>(size)) {}

void AlignedWords::push_back(std::uint32_t word) {
  if (size_ % 64 == 0) blocks_.emplace_back();
  blocks_.back().words[size_++ % 64] = word;
}

std::optional<SimdTables> SimdTables::make(const ReplicaHeader& header,
                                           const std::vector<std::uint32_t>& image,
                                           std::string& why) {
  SimdTablesMaker maker(header, image);
  std::optional<SimdTables> made = maker.make();
  why = maker.why();
  return made;
}

}  // namespace pnsim
