// Groups the nodes of a net by their template node: p2.0, p2.1 ... are group "p2".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

struct NodeGroups {
  std::vector<std::uint32_t> group_of;  // [node] position in names
  std::vector<std::string> names;       // [group] in order of first appearance
  std::vector<std::size_t> sizes;       // [group] nodes in it
};

NodeGroups place_groups(const Net& net);
NodeGroups transition_groups(const Net& net);

}  // namespace pnsim
