// Net files of any format that can be read or written.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simulator/base/json.h"
#include "simulator/net/net.h"

namespace pnsim {

struct LoadedNet {
  Net net;
  // Other names of places, which a goal may use while they are unique: the <name> texts of PNML.
  std::vector<std::pair<std::string, PlaceId>> display_names;
};

// .pnml and .xml are PNML, .json is a native net; any other extension is told by the first
// character. Error 3: see pnml_reader.h and net_json.h; also JSON whose "kind" is not "net".
LoadedNet load_net_file(const std::string& path);

// The format by the extension: .json, .pnml or .dot. Error 2 for another one, 74 when the file
// cannot be written; the file is whole or untouched. Error 5 for a .json or .pnml of over
// `most_bytes`, which load_net_file() would refuse.
void save_net_file(const Net& net, const std::string& path,
                   std::uint64_t most_bytes = kMaxFileBytes);

// parse_goal (net.h) that also knows the display names: a condition names a place by id, by group,
// else by a display name that only one place has. Error 2.
std::vector<PlaceId> parse_goal(const LoadedNet& loaded, std::span<const std::string> conditions);

}  // namespace pnsim
