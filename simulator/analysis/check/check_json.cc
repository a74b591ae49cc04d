// A check as JSON; docs/check.md lists the keys.
#include <algorithm>
#include <memory>
#include <new>

#include "simulator/analysis/check/check_report.h"

namespace pnsim {
namespace {

constexpr std::size_t kMaxFamilies = 1000;   // families of each kind
constexpr std::size_t kMaxEntries = 20'000;  // terms, names or rows of each kind

// The destructor of Json allocates. Without memory this would end the program while a bad_alloc
// propagates. So the handler of the first failed allocation frees this reserve before it throws.
class MemoryReserve {
 public:
  MemoryReserve() : before_(std::set_new_handler(release)) {
    reserve = std::make_unique<char[]>(std::size_t{8} << 20);
  }
  ~MemoryReserve() {
    std::set_new_handler(before_);
    reserve.reset();
  }
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

 private:
  static void release() {
    reserve.reset();
    throw std::bad_alloc();
  }

  static inline std::unique_ptr<char[]> reserve;
  std::new_handler before_;
};

// The rest of kMaxEntries for one list and everything inside it.
struct Room {
  std::size_t left = kMaxEntries;

  std::size_t take(std::size_t wanted) {
    const std::size_t taken = std::min(wanted, left);
    left -= taken;
    return taken;
  }
};

Json term_list(const std::vector<GroupTerm>& terms, Room& room) {
  const auto count = static_cast<std::ptrdiff_t>(room.take(terms.size()));
  return to_json(std::vector<GroupTerm>(terms.begin(), terms.begin() + count));
}

Json term_list(const std::vector<GroupTerm>& terms) {
  Room room;
  return term_list(terms, room);
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json family_list(const std::vector<Family>& families, const char* tag_name) {
  Json out = Json::array();
  Room room;
  for (std::size_t f = 0; f < families.size() && f < kMaxFamilies && room.left > 0; ++f) {
    Json one = {{"terms", term_list(families[f].terms, room)}, {"count", families[f].count}};
    if (tag_name) one[tag_name] = families[f].tag;
    out.push_back(std::move(one));
  }
  return out;
}

Json searched(const FamilyList& list, const char* tag_name) {
  return {{"found", list.found},
          {"stopped", or_null(list.stopped)},
          {"families", family_list(list.families, tag_name)}};
}

Json shape_json(const NetShape& shape) {
  return {{"places", shape.places},
          {"transitions", shape.transitions},
          {"arcs", shape.arcs},
          {"inhibitor_arcs", shape.inhibitor_arcs},
          {"max_weight", shape.max_weight},
          {"parts", shape.parts},
          {"state_machine", shape.state_machine},
          {"marked_graph", shape.marked_graph},
          {"free_choice", shape.free_choice}};
}

Json shared_place_json(const SharedPlaceLine& line, Room& room) {
  Json pairs = Json::array();
  for (const auto& pair : line.competing) {
    pairs.push_back({{"transitions", {pair.first, pair.second}},
                     {"pairs", pair.pairs},
                     {"possible", pair.possible}});
  }
  Json takers = Json::array(), won = Json::object();
  const std::size_t named = room.take(line.takers.size());
  for (std::size_t i = 0; i < named; ++i) takers.push_back(line.takers[i]);
  for (const auto& [name, times] : line.seen.won) {
    if (won.size() < named) won.push_back({name, times});
  }
  return {{"place", line.place},       {"instances", line.instances}, {"transitions", takers},
          {"pairs", std::move(pairs)}, {"examined", line.examined},   {"times", line.seen.times},
          {"won", std::move(won)}};
}

Json runs_json(const CheckReport& report) {
  const WatchedRuns& runs = report.runs;
  Json list = Json::array();
  for (const WatchedRun& run : runs.runs) {
    list.push_back({{"replica", run.result.id.replica},
                    {"outcome", outcome_name(run.result.outcome)},
                    {"repeats", run.repeats},
                    {"steps", run.result.steps}});
  }
  Json residue = Json::array();
  Room room;
  const std::size_t residues = room.take(report.residue.size());
  for (std::size_t i = 0; i < residues; ++i) {
    const Residue& left = report.residue[i];
    residue.push_back({{"place", left.place},
                       {"instances", left.instances},
                       {"mean_tokens", left.mean_tokens},
                       {"initial_tokens", left.initial_tokens},
                       {"left_behind", left.is_left_behind}});
  }
  return {{"runs", std::move(list)},
          {"error", or_null(runs.error)},
          {"residue", std::move(residue)},
          {"enabled_at_end", term_list(report.enabled_at_end)},
          {"never_fired", term_list(report.never_fired)}};
}

Json bounds_json(const CheckReport& report) {
  Json bounds = Json::array();
  Room room;
  for (const auto& [bound, places] : report.bounds) {
    if (room.left == 0) break;
    bounds.push_back({{"bound", bound}, {"places", term_list(places, room)}});
  }
  if (!report.unbounded.empty()) {
    bounds.push_back({{"bound", nullptr}, {"places", term_list(report.unbounded)}});
  }
  return bounds;
}

}  // namespace

Json to_json(const CheckReport& report) {
  const MemoryReserve reserve;
  Json findings = Json::array();
  for (const Finding& finding : report.findings) {
    findings.push_back({{"severity", severity_name(finding.severity)},
                        {"topic", finding.topic},
                        {"text", finding.text}});
  }
  Json shared = Json::array();
  Room room;
  for (const SharedPlaceLine& line : report.shared_places) {
    if (room.left == 0) break;
    shared.push_back(shared_place_json(line, room));
  }
  Json sums = searched(report.sums, "value");
  sums["basis_size"] = report.sum_basis_size ? Json(*report.sum_basis_size) : Json(nullptr);
  return {{"net", report.net},
          {"findings", std::move(findings)},
          {"shape", shape_json(report.shape)},
          {"goal", term_list(report.goal)},
          {"goal_ranges", report.goal_ranges},
          {"clusters", family_list(report.clusters, nullptr)},
          {"shared_places", std::move(shared)},
          {"place_sums", std::move(sums)},
          {"cycles", searched(report.cycles, nullptr)},
          {"bounds", bounds_json(report)},
          {"siphons", searched(report.siphons, "state")},
          {"traps", searched(report.traps, "state")},
          {"endless", term_list(report.endless)},
          {"self_sustaining", term_list(report.self_sustaining)},
          {"never_enabled", family_list(report.never_enabled, "reason")},
          {"watched", runs_json(report)}};
}

}  // namespace pnsim
