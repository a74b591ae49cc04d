#include "simulator/model/memory/access_pattern.h"

#include <algorithm>

#include "simulator/model/launch/memory_units.h"

namespace pnsim {
namespace {

// Means over many executions are slightly below the value of a full execution, so 0.9 counts as
// "all".
constexpr double kNearlyAllLines = 0.9;
// Lanes far apart access one line each. With random addresses some lanes share a line: about one in
// thirty for 32 lanes in 512 lines (microbenchmark l1_tables). The threshold is 0.95 lines per
// lane.
constexpr double kNearlyAllLanes = 0.95;
// Bytes a sector, between one word (4) and two (8).
constexpr double kMostBytesOfAWord = 6;

// Contiguous lanes that start inside a sector touch one sector more than their bytes fill.
bool is_coalesced(const SegmentAccess& access) {
  const double side_by_side = access.lanes * static_cast<double>(access.bytes) / kSectorBytes + 1;
  return access.sectors <= access.count * side_by_side;
}

double lines_of_32_lanes(const SegmentAccess& access) {
  const double lanes = std::clamp(access.lanes * access.count, 1.0, 0x1p62);
  return std::min(access.tag_lookups * kWarpLanes / lanes, kWarpLanes);
}

// Indexed loads return to a line more often than streams do. A load with few active lanes is one,
// too, if its addresses come from memory and 32 such lanes would touch many lines.
bool is_gather(const SegmentAccess& access, const AccessPattern& pattern) {
  const bool is_of_some_lanes = access.addresses == Addresses::kLoaded && pattern.single_sectors &&
                                pattern.lines_of_32_lanes > kMostLinesOfRows;
  return access.tag_lookups > kMostLinesOfRows * access.count || is_of_some_lanes;
}

// The addresses come from memory; or their source is unknown, and lanes share lines.
bool is_random(const SegmentAccess& access, const AccessPattern& pattern) {
  if (pattern.coalesced) return false;
  const double lanes = access.lanes * access.count;
  const bool some_share = access.tag_lookups < kNearlyAllLanes * lanes && pattern.single_sectors;
  return access.addresses == Addresses::kLoaded ||
         (access.addresses == Addresses::kUnknown && some_share);
}

}  // namespace

AccessPattern access_pattern(const SegmentAccess& access) {
  const OpcodeClass& cls = *find_opcode_class(access.access_class);
  const bool is_global = cls.paper == InstructionClass::kGlobal;
  AccessPattern out;
  out.is_shared = cls.paper == InstructionClass::kShared;
  out.is_load = is_global_load(cls);
  out.is_store = is_global && cls.result == LateResult::kNone;
  out.is_atomic = is_global_atomic(cls);
  out.is_local = is_local_access(cls);
  out.is_copy = cls.result == LateResult::kAsyncCopy;
  out.is_bulk = cls.id == OpcodeClassId::kBulkCopy || cls.id == OpcodeClassId::kBulkStore;
  out.is_texture = cls.name == "texture";
  out.is_fetch = cls.result == LateResult::kTexture;
  out.count = access.count;
  out.lines = out.count > 0 ? access.tag_lookups / out.count : access.tag_lookups;
  out.lines_of_32_lanes = lines_of_32_lanes(access);
  out.coalesced = out.is_bulk || is_coalesced(access);
  out.single_sectors = access.tag_lookups > kNearlyAllLines * access.sectors;
  out.gather = !out.is_bulk && is_gather(access, out);
  out.random = is_random(access, out);
  out.private_lines = access.addresses == Addresses::kLoaded || !out.coalesced;
  out.single_words =
      !out.is_bulk && access.lanes * static_cast<double>(access.bytes) * access.count <
                          kMostBytesOfAWord * access.sectors;
  out.strided_words = access.addresses == Addresses::kComputed && out.single_words;
  return out;
}

std::vector<AccessPattern> access_patterns(const Segment& segment) {
  std::vector<AccessPattern> out;
  for (const SegmentAccess& access : segment.accesses) out.push_back(access_pattern(access));
  return out;
}

AccessPatterns access_patterns(const Launch& launch) {
  AccessPatterns out;
  for (const Segment& segment : launch.segments) out.push_back(access_patterns(segment));
  return out;
}

}  // namespace pnsim
