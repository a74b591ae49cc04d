// How many executions of a guarded access touch memory.
#include <algorithm>

#include "simulator/model/derive/programs.h"
#include "simulator/model/sass/sass_text.h"

namespace pnsim {
namespace {

// Classes of the page that the raw page counts together. An absent class of a raw page was not
// asked for, unless it is one that every raw page has.
struct AccessGroup {
  std::vector<std::string_view> raw;
  std::vector<std::string_view> page;
  bool is_always_counted;
};

const std::vector<AccessGroup>& access_groups() {
  static const std::vector<AccessGroup> kGroups = {
      {{"global_load", "generic_load"}, {"global_load", "generic_load"}, true},
      {{"global_store", "generic_store"}, {"global_store", "generic_store"}, true},
      {{"global_atomic"}, {"global_atomic", "generic_atomic"}, false},
      {{"local"}, {"local_load", "local_store"}, false},
      {{"shared_load"}, {"shared_load"}, true},
      {{"shared_store"}, {"shared_store"}, true}};
  return kGroups;
}

// Executions of one access that touch memory: between the least and the most.
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
  const bool is_shared =
      class_of_opcode(parse_sass(row.text).opcode).paper == InstructionClass::kShared;
  limit(is_shared ? row.wavefronts : row.tags);
  if (row.threads_on > 0) b.least = std::min((row.threads_on + 31) / 32, row.executed);
  b.most = std::max(b.least, b.most);
  return b;
}

// Adds `amount` over the rows in proportion to their room, sums kept.
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

// Counts between the bounds that add up to `target`; beyond the bounds where they must.
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

bool is_in(const std::vector<std::string_view>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

std::vector<std::int64_t> carried_out_accesses(const SourceTable& page,
                                               const std::map<std::string, std::int64_t>& classes) {
  std::vector<std::int64_t> carried_out;
  for (const SourceRow& row : page.rows) carried_out.push_back(row.executed);
  for (const AccessGroup& group : access_groups()) {
    std::vector<Bounds> rows;
    std::int64_t executed = 0, most = 0, target = 0;
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      const SassInstruction sass = parse_sass(page.rows[i].text);
      if (!is_in(group.page, class_of_opcode(sass.opcode).name)) continue;
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
    for (std::size_t i = 0; i < rows.size(); ++i) carried_out[rows[i].line] = counts[i];
  }
  return carried_out;
}

}  // namespace pnsim
