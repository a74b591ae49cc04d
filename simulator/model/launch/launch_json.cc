#include "simulator/model/launch/launch_json.h"

#include "simulator/base/error.h"
#include "simulator/net/net.h"

namespace pnsim {
namespace {

constexpr std::int64_t kMaxGrid = std::int64_t{1} << 40;
constexpr std::int64_t kMaxWarpCount = kMaxGrid * 32;

InstructionCounts read_plain_counts(const JsonReader& row) {
  row.only({"arithmetic", "shared", "global"});
  const auto count = [&](const char* key) {
    return row.find(key) ? row.at(key).integer(0, kMaxTokens) : 0;
  };
  return {count("arithmetic"), count("shared"), count("global")};
}

// An item is the number of a segment, a segment with counts alone, or a loop.
std::vector<ProgramItem> read_program(const JsonReader& json, const std::vector<Segment>& segments,
                                      const std::vector<InstructionCounts>& counts) {
  std::vector<ProgramItem> program;
  for (const JsonReader& row : json.items()) {
    ProgramItem item;
    if (row.is_integer()) {
      if (segments.empty()) row.fail("found a number, but the launch has no \"segments\"");
      item.segment =
          static_cast<std::size_t>(row.integer(0, static_cast<std::int64_t>(segments.size()) - 1));
      item.counts = counts[*item.segment];
    } else if (row.find("body")) {
      row.only({"repeat", "body"});
      item.repeat = row.at("repeat").integer(0, kMaxRepeat);
      item.body = read_program(row.at("body"), segments, counts);
      if (item.body.empty()) row.at("body").fail_expected("at least one item");
    } else {
      item.counts = read_plain_counts(row);
    }
    program.push_back(std::move(item));
  }
  return program;
}

void check_warps(const Launch& launch, const JsonReader& row) {
  std::int64_t sum = 0;
  const std::int64_t expected = launch.grid * launch.warps_per_block();
  for (const WarpKind& kind : launch.warp_kinds) {
    sum += kind.warps;
    if (sum > expected) {  // checked here: the sum of very many kinds would overflow
      row.at("warps").fail("found more than the " + std::to_string(expected) +
                           " warps of the launch (grid times warps of a block)");
    }
  }
  if (sum != expected) {
    row.at("warps").fail("found " + std::to_string(sum) + " warps, expected " +
                         std::to_string(expected) + " (grid times warps of a block)");
  }
}

// [kind, count] of neighbouring warps; a block has the launch's number of them.
BlockKind read_block_kind(const JsonReader& row, const Launch& launch) {
  row.only({"count", "warps"});
  BlockKind out{row.at("count").integer(1, launch.grid), {}};
  std::int64_t warps = 0;
  for (const JsonReader& pair : row.at("warps").items()) {
    const auto parts = pair.items();
    if (parts.size() != 2) pair.fail_expected("a pair: [kind, warps]");
    const auto kinds = static_cast<std::int64_t>(launch.warp_kinds.size());
    out.warps.push_back({static_cast<std::size_t>(parts[0].integer(0, kinds - 1)),
                         parts[1].integer(1, launch.warps_per_block())});
    warps += out.warps.back().count;
  }
  if (warps != launch.warps_per_block()) {
    row.at("warps").fail("found " + std::to_string(warps) + " warps, expected the " +
                         std::to_string(launch.warps_per_block()) + " of a block");
  }
  return out;
}

void read_block_kinds(const JsonReader& rows, Launch& launch) {
  std::int64_t blocks = 0;
  std::vector<std::int64_t> warps(launch.warp_kinds.size(), 0);
  for (const JsonReader& row : rows.items()) {
    launch.block_kinds.push_back(read_block_kind(row, launch));
    const BlockKind& kind = launch.block_kinds.back();
    blocks += kind.blocks;
    if (blocks > launch.grid) break;  // checked here, before a sum could overflow
    for (const auto& [k, count] : kind.warps) warps[k] += kind.blocks * count;
  }
  if (blocks != launch.grid) {
    rows.fail("found " + std::to_string(blocks) + (blocks > launch.grid ? " or more" : "") +
              " blocks, expected the " + std::to_string(launch.grid) + " of the grid");
  }
  for (std::size_t k = 0; k < warps.size(); ++k) {
    if (warps[k] == launch.warp_kinds[k].warps) continue;
    rows.fail("found " + std::to_string(warps[k]) + " warps of kind " + std::to_string(k) +
              ", expected its count, " + std::to_string(launch.warp_kinds[k].warps));
  }
}

std::map<std::string, std::int64_t> read_sums(const JsonReader& launch, std::string_view key) {
  std::map<std::string, std::int64_t> sums;
  const auto section = launch.find(key);
  if (!section) return sums;
  for (const auto& [name, value] : section->members()) sums[name] = value.integer(0, kMaxTokens);
  return sums;
}

void read_warps(const JsonReader& row, Launch& launch) {
  std::vector<InstructionCounts> counts;
  if (const auto section = row.find("segments")) {
    for (const JsonReader& segment : section->items()) {
      launch.segments.push_back(read_segment(segment));
      counts.push_back(launch.segments.back().counts());
    }
  }
  InstructionCounts sum;
  for (const JsonReader& kind : row.at("warps").items()) {
    kind.only({"count", "program"});
    launch.warp_kinds.push_back({kind.at("count").integer(1, kMaxWarpCount),
                                 read_program(kind.at("program"), launch.segments, counts)});
    const WarpKind& last = launch.warp_kinds.back();
    add_total_counts(last.program, last.warps, kind.where(), sum);
  }
  check_warps(launch, row);
  if (const auto blocks = row.find("blocks")) read_block_kinds(*blocks, launch);
}

Json program_json(const std::vector<ProgramItem>& program) {
  Json out = Json::array();
  for (const ProgramItem& item : program) {
    if (item.segment) {
      out.push_back(*item.segment);
      continue;
    }
    Json row = Json::object();
    if (!item.body.empty()) {
      row["repeat"] = item.repeat;
      row["body"] = program_json(item.body);
    } else {
      if (item.counts.arithmetic) row["arithmetic"] = item.counts.arithmetic;
      if (item.counts.shared) row["shared"] = item.counts.shared;
      if (item.counts.global) row["global"] = item.counts.global;
    }
    out.push_back(std::move(row));
  }
  return out;
}

Json block_kind_json(const BlockKind& kind) {
  Json row;
  row["count"] = kind.blocks;
  for (const auto& [k, count] : kind.warps) row["warps"].push_back(Json::array({k, count}));
  return row;
}

constexpr const char* kInPlaceStart = "in_place";

CacheStart read_cache_start(const JsonReader& row) {
  const auto start = row.find("cache_start");
  if (!start) return CacheStart::kWarm;
  if (start->string() != kInPlaceStart)
    start->fail_expected("\"in_place\", or no such key for a launch that is repeated");
  return CacheStart::kInPlace;
}

}  // namespace

Launch read_launch(const JsonReader& row) {
  row.only({"kernel", "template_arguments", "repeat", "grid", "block", "registers", "shared_bytes",
            "resident_blocks", "segments", "warps", "blocks", "classes", "counters",
            "unknown_opcodes", "cache_start"});
  Launch launch;
  launch.kernel = row.at("kernel").string();
  if (const auto arguments = row.find("template_arguments"))
    launch.template_arguments = arguments->string();
  launch.repeat = row.find("repeat") ? row.at("repeat").integer(1, kMaxRepeat) : 1;
  launch.grid = row.at("grid").integer(1, kMaxGrid);
  launch.block = row.at("block").integer(1, 1024);
  launch.registers = row.find("registers") ? row.at("registers").integer(0, kMaxRegisters) : 0;
  launch.shared_bytes =
      row.find("shared_bytes") ? row.at("shared_bytes").integer(0, kMaxSharedBytes) : 0;
  launch.resident_blocks = row.at("resident_blocks").integer(1, kMaxResidentBlocks);
  launch.classes = read_sums(row, "classes");
  launch.counters = read_sums(row, "counters");
  launch.unknown_opcodes = read_sums(row, "unknown_opcodes");
  launch.start = read_cache_start(row);
  read_warps(row, launch);
  return launch;
}

Json launch_json(const Launch& launch) {
  Json row;
  row["kernel"] = launch.kernel;
  if (!launch.template_arguments.empty()) row["template_arguments"] = launch.template_arguments;
  if (launch.repeat != 1) row["repeat"] = launch.repeat;
  row["grid"] = launch.grid;
  row["block"] = launch.block;
  row["registers"] = launch.registers;
  row["shared_bytes"] = launch.shared_bytes;
  row["resident_blocks"] = launch.resident_blocks;
  for (const Segment& segment : launch.segments) row["segments"].push_back(segment_json(segment));
  for (const WarpKind& kind : launch.warp_kinds) {
    row["warps"].push_back(Json{{"count", kind.warps}, {"program", program_json(kind.program)}});
  }
  for (const BlockKind& kind : launch.block_kinds) row["blocks"].push_back(block_kind_json(kind));
  if (!launch.classes.empty()) row["classes"] = launch.classes;
  if (!launch.counters.empty()) row["counters"] = launch.counters;
  if (!launch.unknown_opcodes.empty()) row["unknown_opcodes"] = launch.unknown_opcodes;
  if (launch.start == CacheStart::kInPlace) row["cache_start"] = kInPlaceStart;
  return row;
}

}  // namespace pnsim
