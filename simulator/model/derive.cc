#include "simulator/model/derive.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/model/sass.h"

namespace pnsim {
namespace {

// Columns of the raw page that count as global or shared; the rest is arithmetic.
struct ClassColumn {
  const char* column;
  const char* name;  // the finer class
  bool is_global;    // else shared
  bool is_needed = false;  // else absent on a chip that executes none of these
};

// Counted from the code: an access all of whose lanes are predicated off is not among them. It
// takes its turn like an arithmetic instruction and touches no memory, so that is what it counts as.
constexpr ClassColumn kCodeColumns[] = {
    {"smsp__sass_inst_executed_op_global_ld.sum", "global_load", true, true},
    {"smsp__sass_inst_executed_op_global_st.sum", "global_store", true, true},
    {"smsp__sass_inst_executed_op_global_atom.sum", "global_atomic", true},
    {"smsp__sass_inst_executed_op_local.sum", "local", true},
    {"smsp__sass_inst_executed_op_shared_ld.sum", "shared_load", false, true},
    {"smsp__sass_inst_executed_op_shared_st.sum", "shared_store", false, true},
};

// Counted by the hardware, predicated-off ones included: for pages without the columns above.
constexpr ClassColumn kHardwareColumns[] = {
    {"smsp__inst_executed_op_global_ld.sum", "global_load", true, true},
    {"smsp__inst_executed_op_global_st.sum", "global_store", true, true},
    {"smsp__inst_executed_op_generic_atom_dot_alu.sum", "global_atomic", true},
    {"smsp__inst_executed_op_generic_atom_dot_cas.sum", "global_atomic", true},
    {"smsp__inst_executed_op_generic_ld.sum", "generic_load", true},
    {"smsp__inst_executed_op_generic_st.sum", "generic_store", true},
    {"smsp__inst_executed_op_local_ld.sum", "local", true},
    {"smsp__inst_executed_op_local_st.sum", "local", true},
    {"smsp__inst_executed_op_shared_ld.sum", "shared_load", false, true},
    {"smsp__inst_executed_op_shared_st.sum", "shared_store", false, true},
};

// Counted by the hardware only.
constexpr ClassColumn kOtherColumns[] = {
    {"smsp__inst_executed_op_global_red.sum", "global_reduction", true},
    {"smsp__inst_executed_op_ldgsts.sum", "async_copy", true},
    {"smsp__inst_executed_op_tma_ld.sum", "bulk_copy", true},
    {"smsp__inst_executed_op_tma_st.sum", "bulk_copy", true},
    {"smsp__inst_executed_op_surface_ld.sum", "surface", true},
    {"smsp__inst_executed_op_surface_st.sum", "surface", true},
    {"smsp__inst_executed_op_surface_atom.sum", "surface", true},
    {"smsp__inst_executed_op_surface_red.sum", "surface", true},
    {"smsp__inst_executed_op_shared_atom.sum", "shared_atomic", false},
    {"smsp__inst_executed_op_ldsm.sum", "matrix_load", false},
    {"smsp__inst_executed_op_shared_stsm.sum", "matrix_store", false},
};
constexpr const char* kTextureColumns[] = {"smsp__inst_executed_op_texture.sum",
                                           "smsp__inst_executed_pipe_tex.sum"};

constexpr double kMaxProfiledCount = 0x1p50;  // far over any launch; sums of the columns stay exact
constexpr std::int64_t kMaxProfiledGrid = std::int64_t{1} << 40;

constexpr const char* kLimits[] = {
    "launch__occupancy_limit_blocks", "launch__occupancy_limit_registers",
    "launch__occupancy_limit_shared_mem", "launch__occupancy_limit_warps"};

// "4,096" -> 4096.
std::optional<double> number_in(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

double parse_number(const std::string& text, const std::string& where) {
  if (const auto value = number_in(text)) return *value;
  fail_input(where, "found \"" + text + "\", expected a number");
}

// Factor to bytes, microseconds or plain counts; nothing for a unit that is none of them. The
// profiler's prefixes are decimal.
std::optional<double> known_unit_factor(const std::string& unit) {
  static const std::map<std::string, double> kFactors = {
      {"Kbyte", 1e3}, {"Mbyte", 1e6}, {"Gbyte", 1e9}, {"Kbyte/block", 1e3}, {"Mbyte/block", 1e6},
      {"ns", 1e-3},   {"nsecond", 1e-3}, {"us", 1}, {"usecond", 1}, {"ms", 1e3},
      {"msecond", 1e3}, {"s", 1e6}, {"second", 1e6}};
  if (const auto it = kFactors.find(unit); it != kFactors.end()) return it->second;
  static const std::string kPlain[] = {"",      "inst",  "warp",  "block", "byte", "byte/block",
                                       "thread", "sector", "sectors", "register/thread", "cycle", "SM"};
  if (std::find(std::begin(kPlain), std::end(kPlain), unit) != std::end(kPlain)) return 1;
  return std::nullopt;
}

double unit_factor(const std::string& unit, const std::string& where) {
  if (const auto factor = known_unit_factor(unit)) return *factor;
  fail_input(where, "unknown unit \"" + unit + "\"");
}

// One row of the raw page with its header and units.
class RawRow {
 public:
  RawRow(const std::vector<std::vector<std::string>>& rows, std::size_t row,
         const std::string& origin)
      : header_(rows[0]), units_(rows[1]), cells_(rows[row]),
        origin_(origin + ": row " + std::to_string(row + 1)) {}

  bool has(const std::string& column) const { return find(column) < header_.size(); }

  std::string text(const std::string& column) const {
    const std::size_t c = find(column);
    if (c < header_.size()) return cells_[c];
    fail_input(origin_, "the column \"" + column + "\" is missing; docs/derive.md has the ncu "
                        "command that asks for it");
  }

  double number(const std::string& column) const {
    const std::string where = origin_ + ", column " + column;
    const std::string cell = text(column);
    return parse_number(cell, where) * unit_factor(units_[find(column)], where);
  }

  std::int64_t count(const std::string& column) const {
    const double value = number(column);
    if (value < 0 || value > kMaxProfiledCount || std::abs(value - std::round(value)) > 1e-3) {
      fail_input(origin_ + ", column " + column, "found " + text(column) + ", expected a count");
    }
    return static_cast<std::int64_t>(std::llround(value));
  }

  // Every column that holds one number of a known unit.
  std::map<std::string, double> numbers() const {
    std::map<std::string, double> out;
    for (std::size_t c = 0; c < header_.size(); ++c) {
      const auto factor = known_unit_factor(units_[c]);
      const auto value = number_in(cells_[c]);
      if (factor && value) out[header_[c]] = *value * *factor;
    }
    return out;
  }

  const std::string& where() const { return origin_; }

 private:
  std::size_t find(const std::string& column) const {
    return static_cast<std::size_t>(std::find(header_.begin(), header_.end(), column) -
                                    header_.begin());
  }

  const std::vector<std::string>& header_;
  const std::vector<std::string>& units_;
  const std::vector<std::string>& cells_;
  std::string origin_;
};

void add_class(const RawRow& row, const ClassColumn& c, ProfiledLaunch& out) {
  const std::int64_t count = row.count(c.column);
  (c.is_global ? out.totals.global : out.totals.shared) += count;
  if (count > 0) out.launch.classes[c.name] += count;
}

void add_classes(const RawRow& row, std::span<const ClassColumn> columns, ProfiledLaunch& out) {
  for (const ClassColumn& c : columns) {
    if (c.is_needed || row.has(c.column)) add_class(row, c, out);
  }
}

// Counts by class; what is neither global nor shared is arithmetic.
void read_counts(const RawRow& row, ProfiledLaunch& out) {
  out.instructions = row.count("smsp__inst_executed.sum");
  const bool from_code = row.has(kCodeColumns[0].column) || !row.has(kHardwareColumns[0].column);
  if (from_code) {
    add_classes(row, kCodeColumns, out);
  } else {
    add_classes(row, kHardwareColumns, out);
  }
  add_classes(row, kOtherColumns, out);
  for (const char* column : kTextureColumns) {
    if (!row.has(column)) continue;
    add_class(row, {column, "texture", true, false}, out);
    break;
  }
  out.totals.arithmetic = out.instructions - out.totals.global - out.totals.shared;
  if (out.totals.arithmetic < 0) {
    fail_input(row.where(), "the memory instructions are more than all instructions");
  }
}

std::int64_t resident_blocks(const RawRow& row) {
  std::int64_t blocks = 1 << 20;
  for (const char* limit : kLimits) blocks = std::min(blocks, row.count(limit));
  return std::max<std::int64_t>(blocks, 1);
}

ProfiledLaunch read_row(const RawRow& row) {
  ProfiledLaunch out;
  const std::int64_t id = row.count("ID");
  if (id > std::numeric_limits<int>::max()) fail_input(row.where(), "the ID is over 2^31");
  out.id = static_cast<int>(id);
  out.kernel = plain_kernel_name(row.text("Kernel Name"));
  if (row.has("device__attribute_display_name")) {
    out.device = row.text("device__attribute_display_name");
  }
  Launch& launch = out.launch;
  launch.kernel = out.kernel;
  launch.grid = row.count("launch__grid_size");
  launch.block = row.count("launch__block_size");
  launch.registers = row.count("launch__registers_per_thread");
  launch.shared_bytes = row.count("launch__shared_mem_per_block_static") +
                        row.count("launch__shared_mem_per_block_dynamic");
  launch.resident_blocks = resident_blocks(row);
  if (launch.grid < 1 || launch.grid > kMaxProfiledGrid || launch.block < 1 || launch.block > 1024) {
    fail_input(row.where(), "the launch has an impossible grid or block");
  }
  out.warps = launch.grid * launch.warps_per_block();
  read_counts(row, out);
  if (row.has("gpu__time_duration.sum")) out.profiled_us = row.number("gpu__time_duration.sum");
  launch.warp_kinds = deal_out(out.totals, out.warps);
  out.counters = row.numbers();
  return out;
}

// "NVIDIA H200" -> "h200": the name a profile of that device goes by.
std::string profile_name(const std::string& title) {
  constexpr std::string_view kVendor = "NVIDIA ";
  std::string name;
  for (const char c : title.substr(title.starts_with(kVendor) ? kVendor.size() : 0)) {
    const auto byte = static_cast<unsigned char>(c);
    name += std::isalnum(byte) ? static_cast<char>(std::tolower(byte)) : '_';
  }
  return name.empty() ? "unknown" : name;
}

}  // namespace

std::string plain_kernel_name(std::string name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  for (auto at = name.find(kAnonymous); at != std::string::npos; at = name.find(kAnonymous)) {
    name.erase(at, kAnonymous.size());
  }
  int depth = 0;
  std::string plain;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (c == '(' && depth == 0) break;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  while (!plain.empty() && plain.back() == ' ') plain.pop_back();
  return plain.substr(plain.rfind(' ') + 1);  // a template's name comes with its return type
}

std::vector<ProfiledLaunch> read_ncu_raw(const std::string& csv_text, const std::string& origin) {
  const auto rows = parse_csv(csv_text, origin);
  if (rows.size() < 3 || rows[0].empty() || rows[0][0] != "ID") {
    fail_input(origin, "expected the raw page of ncu as CSV: a header that begins with \"ID\", a "
                       "row of units, and at least one launch");
  }
  std::vector<ProfiledLaunch> launches;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (rows[r].size() != rows[0].size()) {
      fail_input(origin + ": row " + std::to_string(r + 1),
                 "found " + std::to_string(rows[r].size()) + " cells, expected " +
                     std::to_string(rows[0].size()));
    }
    if (r > 1) launches.push_back(read_row(RawRow(rows, r, origin)));
  }
  return launches;
}

std::vector<WarpKind> deal_out(const InstructionCounts& totals, std::int64_t warps) {
  // Warps [0, cut) of a class get one more than the others; between cuts all warps are alike.
  std::vector<std::int64_t> cuts{totals.arithmetic % warps, totals.shared % warps,
                                 totals.global % warps, warps};
  std::sort(cuts.begin(), cuts.end());
  const auto share = [&](std::int64_t total, std::int64_t warp) {
    return total / warps + (warp < total % warps ? 1 : 0);
  };
  std::vector<WarpKind> kinds;
  std::int64_t first = 0;
  for (const std::int64_t cut : cuts) {
    if (cut == first) continue;
    ProgramItem segment;
    segment.counts = {share(totals.arithmetic, first), share(totals.shared, first),
                      share(totals.global, first)};
    kinds.push_back({cut - first, {segment}});
    first = cut;
  }
  return kinds;
}

KernelModel model_of_launch(const ProfiledLaunch& launch, const Json& provenance) {
  KernelModel model;
  model.name = launch.kernel;
  model.description = "one profiled launch of " + launch.kernel;
  model.net = "wpnm";
  model.device = profile_name(launch.device);
  model.problem = {{"block", launch.launch.block}, {"grid", launch.launch.grid}};
  model.points.push_back({model.problem, {launch.launch}});
  model.provenance = provenance;
  model.provenance["profiler_id"] = launch.id;
  model.provenance["profiled_on"] = launch.device;
  if (launch.profiled_us > 0) model.provenance["profiled_us"] = launch.profiled_us;
  return model;
}

}  // namespace pnsim
