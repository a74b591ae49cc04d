#include "simulator/model/launch/segment.h"

#include <algorithm>
#include <cmath>

#include "simulator/base/nearest.h"
#include "simulator/net/net.h"

namespace pnsim {
namespace {

constexpr std::string_view kEndNames[] = {"load", "barrier", "exit", "edge"};
// Names of Addresses from kLoaded on.
constexpr std::string_view kAddressNames[] = {"loaded", "grid_index", "thread_index"};
// Names of TextureKind from k1d on.
constexpr std::string_view kTextureNames[] = {"1d", "2d", "3d", "cube"};
constexpr double kMaxMean = 0x1p50;

// Means are kept to a thousandth.
double thousandths(double value) { return std::round(value * 1000) / 1000; }

// A count of a file as a number without a fraction.
std::int64_t whole(double count) { return std::llround(count); }

double mean_at(const JsonReader& json, std::string_view key, double otherwise, double max) {
  const auto value = json.find(key);
  return value ? value->number(0, max) : otherwise;
}

const OpcodeClass& read_class(const JsonReader& json, const std::string& name) {
  if (const OpcodeClass* cls = find_opcode_class(name)) return *cls;
  json.fail("unknown class \"" + name + "\"" + suggestion(name, opcode_class_names()));
}

Addresses read_addresses(const JsonReader& json) {
  const auto it = std::find(std::begin(kAddressNames), std::end(kAddressNames), json.string());
  if (it == std::end(kAddressNames)) json.fail_expected("loaded, grid_index or thread_index");
  return static_cast<Addresses>(it - std::begin(kAddressNames) + 1);
}

TextureKind read_texture(const JsonReader& json, const SegmentAccess& access) {
  if (class_of(access).id != OpcodeClassId::kTexture)
    json.fail("found in class \"" + access.access_class + "\", expected only in class texture");
  const auto it = std::find(std::begin(kTextureNames), std::end(kTextureNames), json.string());
  if (it == std::end(kTextureNames)) json.fail_expected("1d, 2d, 3d or cube");
  return static_cast<TextureKind>(it - std::begin(kTextureNames) + 1);
}

// Only copies of 16 bytes can bypass L1.
bool must_pass_l1(const SegmentAccess& access) {
  const bool is_copy = class_of(access).result == LateResult::kAsyncCopy;
  return is_copy && access.bytes > 0 && access.bytes < 16;
}

bool passes_l1(const JsonReader& json, const SegmentAccess& access) {
  const auto said = json.find("through_l1");
  if (!said) return must_pass_l1(access);
  if (class_of(access).result != LateResult::kAsyncCopy && said->boolean())
    said->fail_expected("false for all classes but async_copy");
  return said->boolean();
}

SegmentAccess read_access(const JsonReader& json, const Segment& segment) {
  json.only({"class", "count", "bytes", "sectors", "tag_lookups", "wavefronts", "active_lanes",
             "float_atomic", "through_l1", "new_sector_share", "address_source", "outlives_wait",
             "texture"});
  SegmentAccess access;
  access.access_class = json.at("class").string();
  if (!read_class(json.at("class"), access.access_class).is_access) {
    json.at("class").fail_expected("a class of accesses to memory");
  }
  const auto it = segment.classes.find(access.access_class);
  const double most = it == segment.classes.end() ? 0 : it->second;
  if (most < 1) {
    json.fail("it is of " + access.access_class + ", of which \"classes\" counts no instruction");
  }
  access.count = static_cast<double>(json.at("count").integer(1, whole(most)));
  access.bytes = json.find("bytes") ? json.at("bytes").integer(0, kMostAccessBytes) : 0;
  access.sectors = mean_at(json, "sectors", 0, kMaxMean);
  access.tag_lookups = mean_at(json, "tag_lookups", 0, kMaxMean);
  access.wavefronts = mean_at(json, "wavefronts", 0, kMaxMean);
  access.lanes = mean_at(json, "active_lanes", 32, 32);
  access.is_float = json.find("float_atomic") && json.at("float_atomic").boolean();
  access.through_l1 = passes_l1(json, access);
  access.new_sector_share = mean_at(json, "new_sector_share", 1, 1);
  if (const auto addresses = json.find("address_source"))
    access.addresses = read_addresses(*addresses);
  if (const auto texture = json.find("texture")) access.texture = read_texture(*texture, access);
  if (const auto outlives = json.find("outlives_wait")) {
    access.outlives_wait = outlives->boolean();
    if (access.outlives_wait && !is_load(class_of(access).result))
      outlives->fail_expected("false for all classes but loads");
  }
  return access;
}

LateResult read_result(const JsonReader& json) {
  const LateResult result = late_result_of(json.string());
  if (result != LateResult::kNone) return result;
  std::vector<std::string> names;
  for (int i = 1; i < kLateResults; ++i) names.emplace_back(name_of(static_cast<LateResult>(i)));
  json.fail("unknown kind of result \"" + json.string() + "\"" + suggestion(json.string(), names));
}

template <std::size_t n>
void read_counts(const JsonReader& json, std::string_view key, std::int64_t most,
                 std::array<double, n>& counts) {
  const auto value = json.find(key);
  if (!value) return;
  const auto rows = value->items();
  if (rows.size() != n) value->fail_expected(std::to_string(n) + " counts");
  for (std::size_t i = 0; i < n; ++i) counts[i] = static_cast<double>(rows[i].integer(0, most));
}

// Stalls, branches and register reads of the `sum` instructions of a segment.
void read_issue(const JsonReader& json, std::int64_t sum, Segment& segment) {
  const auto integer = [&](const char* key, std::int64_t most) {
    const auto value = json.find(key);
    return value ? value->integer(0, most) : 0;
  };
  const std::int64_t stalls = integer("predicate_stalls", sum);
  segment.predicate_stalls = static_cast<double>(stalls);
  segment.predicate_stall_cycles =
      static_cast<double>(integer("predicate_stall_cycles", stalls * kGuardIssueCycles));
  segment.reconvergences = integer("reconvergences", sum);
  segment.branches = mean_at(json, "taken_branches", 0, static_cast<double>(sum));
  read_counts(json, "dependence_distances", sum, segment.distances);
  read_counts(json, "dependence_distances_across_pipes", sum, segment.distances_across);
  read_counts(json, "dependence_distances_fp64", sum, segment.distances_double);
  read_counts(json, "register_bank_reads", kMaxTokens, segment.register_bank_reads);
  if (const auto begins = json.find("last_producer_slots")) {
    for (const auto& [name, value] : begins->members()) {
      const LateResult result = late_result_of(name);
      if (result == LateResult::kNone) value.fail("unknown kind of result \"" + name + "\"");
      segment.last_producer_slots[result] = value.integer(0, kMaxTokens);
    }
  }
}

void read_tensor(const JsonReader& json, Segment& segment) {
  segment.tensor_stall_cycles = mean_at(json, "tensor_stall_cycles", 0, kMaxMean);
  if (const auto stages = json.find("copy_stages"))
    segment.copy_stages = static_cast<int>(stages->integer(0, kMostCopyStages));
  const auto products = json.find("tensor_products");
  if (!products) return;
  for (const auto& [name, value] : products->members()) {
    const auto& kinds = tensor_product_kinds();
    if (std::find(kinds.begin(), kinds.end(), name) == kinds.end()) {
      value.fail("unknown kind of product \"" + name + "\"" + suggestion(name, kinds));
    }
    segment.tensor_products[name] = value.number(0, kMaxMean);
  }
}

SegmentEnd read_end(const JsonReader& json) {
  const auto it = std::find(std::begin(kEndNames), std::end(kEndNames), json.string());
  if (it == std::end(kEndNames)) json.fail_expected("load, barrier, exit or edge");
  return static_cast<SegmentEnd>(it - std::begin(kEndNames));
}

Json access_json(const SegmentAccess& access) {
  Json row;
  row["class"] = access.access_class;
  row["count"] = whole(access.count);
  if (access.bytes) row["bytes"] = access.bytes;
  const auto set = [&](const char* key, double value, double otherwise) {
    if (thousandths(value) != otherwise) row[key] = thousandths(value);
  };
  set("sectors", access.sectors, 0);
  set("tag_lookups", access.tag_lookups, 0);
  set("wavefronts", access.wavefronts, 0);
  set("active_lanes", access.lanes, 32);
  if (access.is_float) row["float_atomic"] = true;
  if (access.through_l1 != must_pass_l1(access)) row["through_l1"] = access.through_l1;
  set("new_sector_share", access.new_sector_share, 1);
  if (access.addresses != Addresses::kUnknown)
    row["address_source"] = kAddressNames[static_cast<int>(access.addresses) - 1];
  if (access.texture != TextureKind::kMemory)
    row["texture"] = kTextureNames[static_cast<int>(access.texture) - 1];
  if (access.outlives_wait) row["outlives_wait"] = true;
  return row;
}

}  // namespace

InstructionCounts Segment::counts() const {
  InstructionCounts sum;
  for (const auto& [name, count] : classes) {
    switch (find_opcode_class(name)->paper) {
      case InstructionClass::kArithmetic:
        sum.arithmetic += whole(count);
        break;
      case InstructionClass::kShared:
        sum.shared += whole(count);
        break;
      case InstructionClass::kGlobal:
        sum.global += whole(count);
        break;
    }
  }
  return sum;
}

const OpcodeClass& class_of(const SegmentAccess& access) {
  return *find_opcode_class(access.access_class);
}

bool is_shared_access(const SegmentAccess& access) {
  return class_of(access).paper == InstructionClass::kShared;
}

const std::vector<std::string>& tensor_product_kinds() {
  static const std::vector<std::string> kinds{"mma_k16_bytes", "mma_k32_bytes", "dmma_8x8x4",
                                              "dmma_16x8x16", "wgmma_columns"};
  return kinds;
}

double instructions_of(const Segment& segment) {
  double sum = 0;
  for (const auto& [name, count] : segment.classes) sum += count;
  return sum;
}

double count_of(const Segment& segment, const char* name) {
  const auto it = segment.classes.find(name);
  return it == segment.classes.end() ? 0 : it->second;
}

double count_of(const Segment& segment, OpcodeClassId id) {
  return count_of(segment, std::string(opcode_class(id).name).c_str());
}

bool copies_in_bulk(const Segment& segment) {
  return count_of(segment, OpcodeClassId::kBulkCopy) > 0;
}

bool multiplies_matrices(const Segment& segment) { return !segment.tensor_products.empty(); }

Segment read_segment(const JsonReader& json) {
  json.only({"waits_for", "end", "classes", "dependence_distances",
             "dependence_distances_across_pipes", "dependence_distances_fp64", "predicate_stalls",
             "predicate_stall_cycles", "taken_branches", "reconvergences", "register_bank_reads",
             "last_producer_slots", "critical_path", "active_lanes", "accesses", "tensor_products",
             "tensor_stall_cycles", "copy_stages"});
  Segment segment;
  if (const auto waits = json.find("waits_for")) {
    for (const JsonReader& row : waits->items()) segment.waits_for.push_back(read_result(row));
  }
  segment.end = read_end(json.at("end"));
  std::int64_t sum = 0;
  for (const auto& [name, value] : json.at("classes").members()) {
    read_class(value, name);
    const std::int64_t count = value.integer(1, kMaxTokens);
    if (count > kMaxTokens - sum) value.fail("the instruction counts add up to over 2^62");
    sum += count;
    segment.classes[name] = static_cast<double>(count);
  }
  read_issue(json, sum, segment);
  read_tensor(json, segment);
  const auto path = json.find("critical_path");
  segment.critical_path = path ? path->integer(0, sum) : 0;
  segment.lanes = mean_at(json, "active_lanes", 32, 32);
  if (const auto accesses = json.find("accesses")) {
    for (const JsonReader& row : accesses->items()) {
      segment.accesses.push_back(read_access(row, segment));
    }
  }
  return segment;
}

Json segment_json(const Segment& segment) {
  Json row;
  for (const LateResult result : segment.waits_for) row["waits_for"].push_back(name_of(result));
  row["end"] = kEndNames[static_cast<int>(segment.end)];
  row["classes"] = Json::object();
  for (const auto& [name, count] : segment.classes) row["classes"][name] = whole(count);
  const auto set_counts = [&](const char* key, const auto& counts) {
    if (std::all_of(counts.begin(), counts.end(), [](double c) { return c == 0; })) return;
    for (const double count : counts) row[key].push_back(whole(count));
  };
  set_counts("dependence_distances", segment.distances);
  set_counts("dependence_distances_across_pipes", segment.distances_across);
  set_counts("dependence_distances_fp64", segment.distances_double);
  if (segment.predicate_stalls > 0) row["predicate_stalls"] = whole(segment.predicate_stalls);
  if (segment.predicate_stall_cycles > 0)
    row["predicate_stall_cycles"] = whole(segment.predicate_stall_cycles);
  if (thousandths(segment.branches) != 0) row["taken_branches"] = thousandths(segment.branches);
  if (segment.reconvergences) row["reconvergences"] = segment.reconvergences;
  set_counts("register_bank_reads", segment.register_bank_reads);
  for (const auto& [result, slots] : segment.last_producer_slots) {
    if (slots > 0) row["last_producer_slots"][std::string(name_of(result))] = slots;
  }
  for (const auto& [kind, count] : segment.tensor_products) {
    row["tensor_products"][kind] = thousandths(count);
  }
  if (segment.tensor_stall_cycles > 0)
    row["tensor_stall_cycles"] = thousandths(segment.tensor_stall_cycles);
  if (segment.copy_stages) row["copy_stages"] = segment.copy_stages;
  if (segment.critical_path) row["critical_path"] = segment.critical_path;
  if (thousandths(segment.lanes) != 32) row["active_lanes"] = thousandths(segment.lanes);
  for (const SegmentAccess& access : segment.accesses) {
    row["accesses"].push_back(access_json(access));
  }
  return row;
}

}  // namespace pnsim
