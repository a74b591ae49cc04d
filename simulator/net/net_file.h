// Reads and writes net files of all supported formats.
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

// .pnml and .xml are PNML, .json is a native net. For any other extension the first character
// decides. Error 3: see pnml_reader.h and net_json.h; also JSON whose "kind" is not "net".
LoadedNet load_net_file(const std::string& path);

// The same for the content of the file at `path`.
LoadedNet read_net_text(const std::string& text, const std::string& path);

// The extension selects the format: .json, .pnml or .dot. Error 2 for any other extension, 74 when
// the file cannot be written. The file is either complete or unchanged. Error 5 for a .json or
// .pnml of over `most_bytes`, which load_net_file() would refuse.
void save_net_file(const Net& net, const std::string& path,
                   std::uint64_t most_bytes = kMaxFileBytes);

// parse_goal (net.h) extended by display names. A condition names a place by id, by group, or by a
// display name that only one place has. Error 2.
Goal parse_goal(const LoadedNet& loaded, std::span<const std::string> conditions);

}  // namespace pnsim
