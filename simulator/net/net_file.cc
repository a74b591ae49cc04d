#include "simulator/net/net_file.h"

#include <boost/algorithm/string.hpp>
#include <filesystem>
#include <optional>

#include "simulator/base/error.h"
#include "simulator/base/extension.h"
#include "simulator/base/json.h"
#include "simulator/base/output.h"
#include "simulator/net/dot_writer.h"
#include "simulator/net/net_json.h"
#include "simulator/net/pnml_reader.h"
#include "simulator/net/pnml_writer.h"

namespace pnsim {
namespace {

bool is_pnml(const std::string& path, std::string_view text) {
  if (has_extension(path, ".json")) return false;
  if (has_extension(path, ".pnml") || has_extension(path, ".xml")) return true;
  // Blanks, UTF-8 byte order mark.
  const std::size_t start = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return start != std::string_view::npos && text[start] == '<';
}

bool names_a_place(const Net& net, std::string_view name) {
  if (net.find_place(name)) return true;
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    if (net.group_of(PlaceId{p}) == name) return true;
  }
  return false;
}

// Replaces a display name in the condition by the id of the place that has it. The condition is
// unchanged when a place or group of that name exists, or no place has that display name.
void use_id(const LoadedNet& loaded, GoalCondition& condition) {
  const std::string name = boost::algorithm::trim_copy(condition.place);
  if (names_a_place(loaded.net, condition.place) || names_a_place(loaded.net, name)) return;
  std::optional<PlaceId> found;
  for (const auto& [display_name, place] : loaded.display_names) {
    if (display_name != name) continue;
    if (found) {
      fail_usage("the name \"" + name +
                 "\" is the display name of more than one place; use an id: \"" +
                 loaded.net.name_of(*found) + "\", \"" + loaded.net.name_of(place) + "\" ...");
    }
    found = place;
  }
  if (found) condition.place = loaded.net.name_of(*found);
}

// No file is written that would be refused when it is read.
void write_readable(const Net& net, const std::string& text, const std::string& path,
                    std::uint64_t most_bytes) {
  if (text.size() > most_bytes) {
    fail_limit("net " + net.name() + ": the file would have " + std::to_string(text.size()) +
               " bytes, and at most " + std::to_string(most_bytes) +
               " are read: use smaller parameters");
  }
  write_file_whole(path, text);
}

}  // namespace

LoadedNet load_net_file(const std::string& path) { return read_net_text(read_file(path), path); }

LoadedNet read_net_text(const std::string& text, const std::string& path) {
  if (!is_pnml(path, text)) {
    const InputJson json = parse_net_json(text, path);
    return {read_net_json(JsonReader(json, path)), {}};
  }
  PnmlNet pnml = read_pnml(text, path);
  return {std::move(pnml.net), std::move(pnml.display_names)};
}

void save_net_file(const Net& net, const std::string& path, std::uint64_t most_bytes) {
  const std::size_t nodes = net.place_count() + net.transition_count();
  if (nodes > kMaxNodes) {
    fail_limit("net " + net.name() + ": found " + std::to_string(nodes) +
               " places and transitions, a file has at most " + std::to_string(kMaxNodes));
  }
  if (has_extension(path, ".json")) {
    return write_readable(net, write_net_json(net), path, most_bytes);
  }
  if (has_extension(path, ".pnml")) return write_readable(net, write_pnml(net), path, most_bytes);
  if (has_extension(path, ".dot")) return write_file_whole(path, write_dot(net));
  fail_usage(path + ": found the extension \"" + std::filesystem::path(path).extension().string() +
             "\", expected .json, .pnml or .dot");
}

Goal parse_goal(const LoadedNet& loaded, std::span<const std::string> conditions) {
  std::vector<GoalCondition> parsed;
  for (const std::string& condition : conditions) {
    parsed.push_back(parse_condition(condition));
    use_id(loaded, parsed.back());
  }
  return goal_of(loaded.net, parsed);
}

}  // namespace pnsim
