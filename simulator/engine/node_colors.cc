#include "simulator/engine/node_colors.h"

#include <algorithm>

namespace pnsim {
namespace {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every output bit depends on every input
// bit.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

enum class ArcKind : std::uint64_t { kInput = 1, kOutput = 2, kInhibitor = 3 };

std::uint64_t through(ArcKind kind, Tokens weight, std::uint64_t color) {
  return mix(color +
             mix(static_cast<std::uint64_t>(weight) * 4 + static_cast<std::uint64_t>(kind)));
}

// One refinement round: every node combines the colours of its neighbours. The sums do not depend
// on their order.
NodeColors refined(const Net& net, const NodeColors& old) {
  NodeColors now{old.places, old.transitions};
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    const auto touch = [&](ArcKind kind, PlaceId p, Tokens weight) {
      now.transitions[t] += through(kind, weight, old.places[p.value]);
      now.places[p.value] += through(kind, weight, old.transitions[t]);
    };
    for (const Arc& arc : net.inputs(TransitionId{t}))
      touch(ArcKind::kInput, arc.place, arc.weight);
    for (const Arc& arc : net.outputs(TransitionId{t})) {
      touch(ArcKind::kOutput, arc.place, arc.weight);
    }
    for (const PlaceId p : net.inhibitors(TransitionId{t})) touch(ArcKind::kInhibitor, p, 1);
  }
  for (auto& color : now.places) color = mix(color);
  for (auto& color : now.transitions) color = mix(color);
  return now;
}

struct Variety {
  std::size_t colors = 0;  // number of different colours
  std::size_t single = 0;  // colours with a single node
};

Variety variety(std::vector<std::uint64_t> colors) {
  std::sort(colors.begin(), colors.end());
  Variety out;
  for (auto first = colors.begin(); first != colors.end();) {
    const auto last =
        std::find_if(first, colors.end(), [&](auto color) { return color != *first; });
    ++out.colors;
    if (last - first == 1) ++out.single;
    first = last;
  }
  return out;
}

}  // namespace

std::optional<NodeColors> node_colors(const Net& net, std::size_t most_single) {
  constexpr int kMaxRounds = 64;  // differences further away than this are not detected
  NodeColors colors{std::vector<std::uint64_t>(net.place_count(), 1),
                    std::vector<std::uint64_t>(net.transition_count(), 2)};
  std::size_t known = 0;
  for (int round = 0; round < kMaxRounds; ++round) {
    const Variety places = variety(colors.places);
    // Further rounds only increase this number.
    if (places.single > most_single) return std::nullopt;
    const std::size_t count = places.colors + variety(colors.transitions).colors;
    if (count == known) break;
    known = count;
    colors = refined(net, colors);
  }
  return colors;
}

}  // namespace pnsim
