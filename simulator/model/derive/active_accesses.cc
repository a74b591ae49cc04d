#include "simulator/model/derive/active_accesses.h"

#include <algorithm>

#include "simulator/model/launch/opcodes.h"
#include "simulator/model/sass/sass_text.h"

namespace pnsim {
namespace {

// Classes of the source page whose sum the raw page has. A class that a raw page lacks was not
// counted, unless it is one that every raw page has.
struct AccessGroup {
  std::vector<std::string_view> raw;  // names of Launch::classes
  std::vector<OpcodeClassId> page;
  bool is_always_counted;
  // Of groups with generic accesses: the class of shared memory that counts those which touch it.
  OpcodeClassId shared = OpcodeClassId::kOther;
};

const std::vector<AccessGroup>& access_groups() {
  using Id = OpcodeClassId;
  static const std::vector<AccessGroup> kGroups = {
      {{"global_load", "generic_load"}, {Id::kGlobalLoad, Id::kGenericLoad}, true, Id::kSharedLoad},
      {{"global_store", "generic_store"},
       {Id::kGlobalStore, Id::kGenericStore},
       true,
       Id::kSharedStore},
      {{"global_atomic"}, {Id::kGlobalAtomic, Id::kGenericAtomic}, false},
      {{"local"}, {Id::kLocalLoad, Id::kLocalStore}, false},
      {{"shared_load"}, {Id::kSharedLoad}, true},
      {{"shared_store"}, {Id::kSharedStore}, true}};
  return kGroups;
}

const OpcodeClass& class_of_row(const SourceRow& row, const SassInstruction& sass) {
  return class_of_opcode(opcode_of(row, sass.opcode));
}

// Bounds of the executions of one access that touch memory.
struct Bounds {
  std::size_t line = 0;
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::int64_t executed = 0;
};

Bounds bounds_of(std::size_t line, const SourceRow& row, bool has_guard) {
  if (!has_guard) return {line, row.executed, row.executed, row.executed};
  Bounds b{line, 0, row.executed, row.executed};
  const auto limit = [&](std::int64_t count) {
    if (count >= 0) b.most = std::min(b.most, count);
  };
  limit(row.threads_on);
  const bool is_shared = class_of_row(row, parse_sass(row.text)).paper == InstructionClass::kShared;
  limit(is_shared ? row.wavefronts : row.tags);
  if (row.threads_on > 0) b.least = std::min((row.threads_on + 31) / 32, row.executed);
  b.most = std::max(b.least, b.most);
  return b;
}

// Divides `amount` among the rows in proportion to their room; the parts add up to it.
void spread(std::int64_t amount, const std::vector<std::int64_t>& room,
            std::vector<std::int64_t>& to) {
  __int128 all = 0, before = 0;
  for (const std::int64_t r : room) all += r;
  if (all == 0) return;
  for (std::size_t i = 0; i < room.size(); ++i) {
    const __int128 after = before + room[i];
    to[i] += static_cast<std::int64_t>(after * amount / all - before * amount / all);
    before = after;
  }
}

// Counts that add up to `target`. They lie between the bounds unless no such counts exist.
std::vector<std::int64_t> settle(const std::vector<Bounds>& rows, std::int64_t target) {
  std::vector<std::int64_t> counts(rows.size(), 0);
  std::int64_t left = target;
  for (int stage = 0; stage < 3 && left > 0; ++stage) {
    std::vector<std::int64_t> room;
    std::int64_t all = 0;
    for (const Bounds& b : rows) {
      room.push_back(stage == 0 ? b.least : stage == 1 ? b.most - b.least : b.executed - b.most);
      all += room.back();
    }
    const std::int64_t amount = std::min(left, all);
    spread(amount, room, counts);
    left -= amount;
  }
  return counts;
}

bool is_in(const std::vector<OpcodeClassId>& list, OpcodeClassId id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

// How many more accesses of shared memory the raw page counts than the page has of its own opcodes:
// these are generic ones.
std::int64_t generic_accesses_of(OpcodeClassId shared, const SourceTable& page,
                                 const std::map<std::string, std::int64_t>& classes) {
  const auto it = classes.find(std::string(opcode_class(shared).name));
  if (shared == OpcodeClassId::kOther || it == classes.end()) return 0;
  std::int64_t more = it->second;
  for (const SourceRow& row : page.rows) {
    if (class_of_row(row, parse_sass(row.text)).id == shared) more -= row.executed;
  }
  return std::max<std::int64_t>(more, 0);
}

}  // namespace

std::vector<std::int64_t> active_executions(const SourceTable& page,
                                            const std::map<std::string, std::int64_t>& classes) {
  std::vector<std::int64_t> active;
  for (const SourceRow& row : page.rows) active.push_back(row.executed);
  for (const AccessGroup& group : access_groups()) {
    std::vector<Bounds> rows;
    std::int64_t executed = 0, most = 0;
    std::int64_t target = generic_accesses_of(group.shared, page, classes);
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      const SassInstruction sass = parse_sass(page.rows[i].text);
      if (!is_in(group.page, class_of_row(page.rows[i], sass).id)) continue;
      rows.push_back(bounds_of(i, page.rows[i], !sass.guard.empty()));
      executed += rows.back().executed;
      most += rows.back().most;
    }
    bool is_counted = group.is_always_counted;
    for (const std::string_view name : group.raw) {
      const auto it = classes.find(std::string(name));
      is_counted |= it != classes.end();
      if (it != classes.end()) target += it->second;
    }
    const auto counts = settle(rows, is_counted ? std::min(target, executed) : most);
    for (std::size_t i = 0; i < rows.size(); ++i) active[rows[i].line] = counts[i];
  }
  return active;
}

}  // namespace pnsim
