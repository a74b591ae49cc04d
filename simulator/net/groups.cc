#include "simulator/net/groups.h"

#include <unordered_map>

namespace pnsim {
namespace {

template <class Id>
NodeGroups groups(const Net& net, std::size_t count) {
  NodeGroups out;
  out.group_of.reserve(count);
  std::unordered_map<std::string, std::uint32_t> known;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string name(net.group_of(Id{i}));
    const auto [it, added] = known.emplace(name, static_cast<std::uint32_t>(out.names.size()));
    if (added) {
      out.names.push_back(name);
      out.sizes.push_back(0);
    }
    out.group_of.push_back(it->second);
    ++out.sizes[it->second];
  }
  return out;
}

}  // namespace

NodeGroups place_groups(const Net& net) { return groups<PlaceId>(net, net.place_count()); }

NodeGroups transition_groups(const Net& net) {
  return groups<TransitionId>(net, net.transition_count());
}

}  // namespace pnsim
