#include "simulator/cli/show_program.h"

#include "simulator/base/table.h"

namespace pnsim {
namespace {

void add_word(std::string& text, const std::string& word, const char* between = ", ") {
  text += (text.empty() ? "" : between) + word;
}

// Formats 12.5, 8, 0.125.
std::string mean_text(double value) { return significant(value, 4); }

std::string classes_text(const Segment& segment) {
  std::string text;
  for (const auto& [name, count] : segment.classes) {
    add_word(text, fixed(count, 0) + " " + name);
  }
  return text;
}

std::string access_text(const SegmentAccess& access) {
  std::string text = fixed(access.count, 0) + " " + access.access_class;
  if (access.bytes) text += " of " + std::to_string(access.bytes) + " B";
  const auto add = [&](double value, const char* what) {
    if (value > 0) text += ", " + mean_text(value) + " " + what;
  };
  add(access.sectors, "sectors");
  add(access.tag_lookups, "tags");
  add(access.wavefronts, "wavefronts");
  if (access.lanes < 32) text += ", " + mean_text(access.lanes) + " lanes";
  return text;
}

std::string accesses_text(const Segment& segment) {
  std::string text;
  for (const SegmentAccess& access : segment.accesses) add_word(text, access_text(access), "; ");
  return text;
}

std::string waits_text(const Segment& segment) {
  std::string text;
  for (const LateResult result : segment.waits_for)
    add_word(text, std::string(name_of(result)), "+");
  return text;
}

std::string distances_text(const Segment& segment) {
  const auto& [one, two, three] = segment.distances;
  if (one + two + three == 0) return "";
  return fixed(one, 0) + "/" + fixed(two, 0) + "/" + fixed(three, 0);
}

const char* end_text(SegmentEnd end) {
  switch (end) {
    case SegmentEnd::kLoad:
      return "load";
    case SegmentEnd::kBarrier:
      return "barrier";
    case SegmentEnd::kExit:
      return "exit";
    case SegmentEnd::kEdge:
      return "";
  }
  return "";
}

void add_row(const ProgramPlace& place, const Launch& launch, TextTable& table) {
  const std::string indent(static_cast<std::size_t>(2 * place.depth), ' ');
  const ProgramItem& item = place.item;
  if (place.is_loop()) {
    table.add_row({indent + grouped(item.repeat) + " times:", "", "", "", "", "", "", ""});
  } else if (item.segment) {
    const Segment& s = launch.segments[*item.segment];
    table.add_row({indent + "segment " + std::to_string(*item.segment), waits_text(s),
                   classes_text(s), accesses_text(s), distances_text(s),
                   std::to_string(s.critical_path), mean_text(s.lanes), end_text(s.end)});
  }
}

std::string kind_text(const Launch& launch, std::size_t kind) {
  const WarpKind& warps = launch.warp_kinds[kind];
  TextTable table({"program", "waits for", "instructions", "accesses", "stalls at 1/2/3", "path",
                   "lanes", "ends at"});
  for_each_item(warps.program, [&](const ProgramPlace& place) { add_row(place, launch, table); });
  const InstructionCounts sum = total_counts(warps.program, launch.kernel);
  return "\nkind " + std::to_string(kind) + " of " + launch.kernel + ": " + grouped(warps.warps) +
         " warps, each " + grouped(sum.arithmetic) + " arithmetic + " + grouped(sum.shared) +
         " shared + " + grouped(sum.global) + " global\n" + table.text();
}

std::string blocks_text(const Launch& launch) {
  std::string text = "\nblocks of " + launch.kernel + ", in order\n";
  for (const BlockKind& blocks : launch.block_kinds) {
    std::string warps;
    for (const auto& [kind, count] : blocks.warps) {
      add_word(warps, std::to_string(count) + " of kind " + std::to_string(kind));
    }
    text += "  " + grouped(blocks.blocks) + " x warps: " + warps + "\n";
  }
  return text;
}

std::string sums_text(const std::string& title, const std::map<std::string, std::int64_t>& sums) {
  if (sums.empty()) return "";
  std::string text = "\n" + title + "\n";
  for (const auto& [name, value] : sums) text += "  " + name + " " + grouped(value) + "\n";
  return text;
}

}  // namespace

std::string show_programs(const Launch& launch) {
  if (launch.segments.empty()) return "";
  std::string text;
  for (std::size_t k = 0; k < launch.warp_kinds.size(); ++k) text += kind_text(launch, k);
  if (!launch.block_kinds.empty()) text += blocks_text(launch);
  text += sums_text("counters of " + launch.kernel, launch.counters);
  return text + sums_text("unknown opcodes of " + launch.kernel, launch.unknown_opcodes);
}

}  // namespace pnsim
