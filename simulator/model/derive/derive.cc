#include "simulator/model/derive/derive.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/model/derive/infer_programs.h"
#include "simulator/model/derive/kept_counters.h"
#include "simulator/model/derive/raw_row.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/deal_out.h"
#include "simulator/model/sass/constant_use.h"
#include "simulator/model/sass/kernel_name.h"
#include "simulator/model/sass/page_text.h"
#include "simulator/model/sass/spinning.h"

namespace pnsim {
namespace {

// Columns of the raw page that count as global or shared; the rest is arithmetic.
struct ClassColumn {
  const char* column;
  const char* name;        // the finer class
  bool is_global;          // else shared
  bool is_needed = false;  // else absent on a chip that executes none of these
};

// Counters from the code leave out accesses all of whose lanes are predicated off. Such an access
// takes an issue slot and touches no memory: it counts as arithmetic.
constexpr ClassColumn kCodeColumns[] = {
    {"smsp__sass_inst_executed_op_global_ld.sum", "global_load", true, true},
    {"smsp__sass_inst_executed_op_global_st.sum", "global_store", true, true},
    {"smsp__sass_inst_executed_op_global_atom.sum", "global_atomic", true},
    {"smsp__sass_inst_executed_op_local.sum", "local", true},
    {"smsp__sass_inst_executed_op_shared_ld.sum", "shared_load", false, true},
    {"smsp__sass_inst_executed_op_shared_st.sum", "shared_store", false, true},
};

// A page of `--set full` lacks two of these columns. These are the parts of one of them, and the
// hardware's counters in place of the other.
constexpr ClassColumn kLocalColumns[] = {
    {"smsp__sass_inst_executed_op_local_ld.sum", "local", true},
    {"smsp__sass_inst_executed_op_local_st.sum", "local", true}};
constexpr ClassColumn kAtomicColumns[] = {
    {"smsp__inst_executed_op_generic_atom_dot_alu.sum", "global_atomic", true},
    {"smsp__inst_executed_op_generic_atom_dot_cas.sum", "global_atomic", true}};

// Counters of the hardware, which include predicated-off accesses: for pages without the columns
// above.
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

// Only the hardware counts these.
constexpr ClassColumn kOtherColumns[] = {
    {"smsp__inst_executed_op_global_red.sum", "global_reduction", true},
    {"smsp__inst_executed_op_ldgsts.sum", "async_copy", true},
    {"smsp__inst_executed_op_tma_ld.sum", "bulk_copy", true},
    {"smsp__inst_executed_op_tma_st.sum", "bulk_store", true},
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

// Columns without which a launch has no shape or no instructions.
constexpr const char* kNeededColumns[] = {"Kernel Name",
                                          "smsp__inst_executed.sum",
                                          "launch__grid_size",
                                          "launch__block_size",
                                          "launch__registers_per_thread",
                                          "launch__shared_mem_per_block_static",
                                          "launch__shared_mem_per_block_dynamic"};

constexpr std::int64_t kMaxProfiledGrid = std::int64_t{1} << 40;

constexpr const char* kLimits[] = {
    "launch__occupancy_limit_blocks", "launch__occupancy_limit_registers",
    "launch__occupancy_limit_shared_mem", "launch__occupancy_limit_warps"};

// Whether the page has the counters from the code; else it has those of the hardware.
bool has_code_columns(const RawRow& row) {
  return row.has(kCodeColumns[0].column) || !row.has(kHardwareColumns[0].column);
}

void check_columns(const RawRow& row, const std::string& origin,
                   const std::string& profile_command) {
  std::vector<std::string> missing;
  const auto need = [&](const char* column) {
    if (!row.has(column)) missing.push_back(column);
  };
  for (const char* column : kNeededColumns) need(column);
  for (const char* column : kLimits) need(column);
  const std::span<const ClassColumn> classes =
      has_code_columns(row) ? std::span<const ClassColumn>(kCodeColumns) : kHardwareColumns;
  for (const ClassColumn& c : classes) {
    if (c.is_needed) need(c.column);
  }
  if (missing.empty()) return;
  fail_input(origin, "found no column " + quoted_columns(missing) +
                         ", which every model needs; profile with: " + profile_command);
}

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

// Counts by class. Instructions that are neither global nor shared are arithmetic.
void read_counts(const RawRow& row, ProfiledLaunch& out) {
  out.instructions = row.count("smsp__inst_executed.sum");
  if (has_code_columns(row)) {
    add_classes(row, kCodeColumns, out);
    if (!row.has("smsp__sass_inst_executed_op_local.sum")) add_classes(row, kLocalColumns, out);
    if (!row.has("smsp__sass_inst_executed_op_global_atom.sum"))
      add_classes(row, kAtomicColumns, out);
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

// A count that a kernel model can hold.
std::int64_t count_up_to(const RawRow& row, const std::string& column, std::int64_t most) {
  const std::int64_t count = row.count(column);
  if (count <= most) return count;
  fail_input(row.where() + ", column " + column,
             "found " + row.text(column) + ", expected at most " + std::to_string(most));
}

// "(5, 2, 1)" -> 10; nothing for any other text.
std::optional<std::int64_t> size_of(const std::string& dimensions) {
  std::istringstream text(dimensions);
  std::int64_t x = 0, y = 0, z = 0;
  char open = 0, first = 0, second = 0, close = 0;
  text >> open >> x >> first >> y >> second >> z >> close;
  if (!text || open != '(' || first != ',' || second != ',' || close != ')') return {};
  std::int64_t size = 0;
  if (__builtin_mul_overflow(x, y, &size) || __builtin_mul_overflow(size, z, &size)) return {};
  return size;
}

// The page has the shape of a launch twice: both must agree.
void check_shape(const RawRow& row, const char* column, const char* dimensions) {
  if (!row.has(dimensions)) return;
  const auto size = size_of(row.text(dimensions));
  if (!size || *size == row.count(column)) return;
  fail_input(row.where() + ", column " + column, "found " + row.text(column) + ", expected the " +
                                                     std::to_string(*size) + " of column " +
                                                     dimensions);
}

std::int64_t resident_blocks(const RawRow& row) {
  std::int64_t blocks = kMaxResidentBlocks;
  for (const char* limit : kLimits) {
    const std::int64_t most = row.count(limit);
    if (most < 1) {
      fail_input(
          row.where() + ", column " + limit,
          "found " + row.text(limit) + ", expected at least the one block of a launch that ran");
    }
    blocks = std::min(blocks, most);
  }
  return blocks;
}

// A launch that ran has at least one block of at least one thread, and no more than CUDA allows.
void check_extent(const RawRow& row, const std::string& column, std::int64_t found,
                  std::int64_t most, const char* what) {
  if (found >= 1 && found <= most) return;
  fail_input(row.where() + ", column " + column, "found " + row.text(column) + ", expected 1 to " +
                                                     std::to_string(most) + " " + what +
                                                     ": no launch has another number");
}

int id_of(const RawRow& row) {
  const std::int64_t id = row.count("ID");
  if (id > std::numeric_limits<int>::max()) fail_input(row.where(), "the ID is over 2^31");
  return static_cast<int>(id);
}

int id_if_valid(const RawRow& row) {
  try {
    return id_of(row);
  } catch (const Error&) {
    return kNoLaunchId;
  }
}

double read_stands_for(const RawRow& row) {
  if (!row.has_value(kStandsForColumn)) return 0;
  const double count = row.number(kStandsForColumn);
  if (count >= 1 && count <= static_cast<double>(kMaxRepeat)) return count;
  fail_input(row.where() + ", column " + kStandsForColumn,
             "found " + row.text(kStandsForColumn) + ", expected a number of launches, 1 to 10^9");
}

ProfiledLaunch read_row(const RawRow& row) {
  ProfiledLaunch out;
  out.id = id_of(row);
  out.kernel = plain_kernel_name(row.text("Kernel Name"));
  if (out.kernel.empty()) {
    fail_input(row.where() + ", column Kernel Name", "found no name, expected that of the kernel");
  }
  check_utf8(row.text("Kernel Name"), row.where() + ", column Kernel Name", PageKind::kRaw);
  if (row.has("device__attribute_display_name")) {
    out.device = row.text("device__attribute_display_name");
    check_utf8(out.device, row.where() + ", column device__attribute_display_name", PageKind::kRaw);
  }
  Launch& launch = out.launch;
  launch.kernel = out.kernel;
  launch.template_arguments = template_arguments(row.text("Kernel Name"));
  launch.grid = row.count("launch__grid_size");
  launch.block = row.count("launch__block_size");
  launch.registers = count_up_to(row, "launch__registers_per_thread", kMaxRegisters);
  launch.shared_bytes =
      count_up_to(row, "launch__shared_mem_per_block_static", kMaxSharedBytes / 2) +
      count_up_to(row, "launch__shared_mem_per_block_dynamic", kMaxSharedBytes / 2);
  launch.resident_blocks = resident_blocks(row);
  check_extent(row, "launch__grid_size", launch.grid, kMaxProfiledGrid, "blocks");
  check_extent(row, "launch__block_size", launch.block, 1024, "threads");
  check_shape(row, "launch__grid_size", "Grid Size");
  check_shape(row, "launch__block_size", "Block Size");
  out.warps = launch.grid * launch.warps_per_block();
  read_counts(row, out);
  check_counters(row, out.warps, launch.classes);
  out.memory = kept_counters(row);
  out.missing = missing_columns(row, launch.classes);
  out.missing_of_slices = missing_slice_columns(row, launch.classes);
  out.counters = row.numbers();
  if (row.has("gpu__time_duration.sum")) {
    out.profiled_us = row.number("gpu__time_duration.sum");
    if (out.profiled_us < 0) {
      fail_input(row.where() + ", column gpu__time_duration.sum",
                 "found " + row.text("gpu__time_duration.sum") + ", expected a time of 0 or more");
    }
  }
  out.stands_for = read_stands_for(row);
  launch.warp_kinds = deal_out(out.totals, out.warps);
  return out;
}

// The rows whose launches are valid, by what names the file of a model: the ID and the kernel.
using RowsOfLaunches = std::map<std::pair<int, std::string>, std::size_t>;

void refuse_second_id(const ProfiledLaunch& launch, std::size_t number, const std::string& where,
                      RowsOfLaunches& rows) {
  const auto [first, is_new] = rows.try_emplace({launch.id, launch.kernel}, number);
  if (is_new) return;
  fail_input(where + ", column ID",
             "found the ID " + std::to_string(launch.id) + " twice (rows " +
                 std::to_string(first->second) + " and " + std::to_string(number) +
                 "), expected one launch of a kernel with it: the ID names the file of the model");
}

// "NVIDIA H200" -> "h200": the name of the device's profile.
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

void refuse_faults(const Faults& faults) {
  for (const std::string& fault : faults) {
    if (!fault.empty()) throw Error(ExitCode::kBadInput, fault);
  }
}

RawLaunches read_raw_launches(const std::string& csv_text, const std::string& origin,
                              const std::string& profile_command) {
  const CsvRows rows = raw_page_rows(csv_text, origin);
  check_columns(RawRow(rows, 2, origin), origin, profile_command);
  RawLaunches out;
  RowsOfLaunches rows_of_launches;
  for (std::size_t r = 2; r < rows.size(); ++r) {
    const RawRow row(rows, r, origin);
    out.faults.push_back(fault_of_joined_pages(rows, r, origin));
    if (!out.faults.back().empty()) {
      out.launches.emplace_back().id = kNoLaunchId;
      continue;
    }
    try {
      ProfiledLaunch launch = read_row(row);
      refuse_second_id(launch, r + 1, row.where(), rows_of_launches);
      out.launches.push_back(std::move(launch));
    } catch (const Error& error) {
      if (error.code() != ExitCode::kBadInput) throw;
      out.faults.back() = error.what();
      out.launches.emplace_back();
      out.launches.back().id = id_if_valid(row);
      out.launches.back().kernel = plain_kernel_name(row.text("Kernel Name"));
    }
  }
  return out;
}

std::vector<ProfiledLaunch> read_ncu_raw(const std::string& csv_text, const std::string& origin) {
  RawLaunches page = read_raw_launches(csv_text, origin);
  refuse_faults(page.faults);
  return std::move(page.launches);
}

Faults add_programs(std::vector<ProfiledLaunch>& launches, const LaunchTables& tables,
                    Faults faults) {
  std::vector<ConstantUse> uses;
  std::vector<Launch*> with;
  faults.resize(launches.size());
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (!tables[i] || !faults[i].empty()) continue;
    Launch& launch = launches[i].launch;
    try {
      Launch profiled = launch;
      profiled.counters = launches[i].memory;
      launch = infer_programs(profiled, *tables[i]);
    } catch (const Error& error) {
      faults[i] = error.what();
      continue;
    }
    const Code code = parse_code(*tables[i]);
    launches[i].code = code_fetch(code);
    uses.push_back(constant_use(code, launch.grid * launch.warps_per_block()));
    if (const std::int64_t spins = spinning_instructions(code)) {
      launch.counters[kSpinningInstructions] = spins;
    }
    if (uses.back().indexed_loads > 0) {
      launch.counters[kIndexedConstantLoads] = uses.back().indexed_loads;
    }
    with.push_back(&launch);
  }
  set_constant_use(uses, with);
  return faults;
}

KernelModel model_of_launch(const ProfiledLaunch& launch, const Json& provenance) {
  KernelModel model;
  model.name = launch.kernel;
  model.description = "one profiled launch of " + launch.kernel + launch.launch.template_arguments;
  model.net = launch.launch.segments.empty() ? "wpnm" : "sm";  // what it has the data for
  model.device = profile_name(launch.device);
  model.problem = {{"block", launch.launch.block}, {"grid", launch.launch.grid}};
  model.points.push_back({model.problem, {launch.launch}});
  model.provenance = provenance;
  model.provenance["profiler_id"] = launch.id;
  model.provenance["profiled_on"] = launch.device;
  if (launch.profiled_us > 0) model.provenance["profiled_us"] = launch.profiled_us;
  if (launch.stands_for > 0) model.provenance["stands_for"] = launch.stands_for;
  const bool is_needed = !launch.launch.segments.empty();  // the paper's net uses no counters
  if (is_needed && !launch.missing.empty()) model.provenance["missing"] = launch.missing;
  return model;
}

}  // namespace pnsim
