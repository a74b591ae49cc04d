#include "simulator/model/sm/row_segments.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "simulator/model/template/instances.h"

namespace pnsim {
namespace {

constexpr std::string_view kNext = "at";  // loses its token when the row issues
constexpr std::array<std::string_view, 3> kInRow{kNext, "running", "at_barrier"};
constexpr const char* kWork = "work";

int place_row(const NetTemplate& net_template, std::string_view name) {
  const auto& places = net_template.places;
  const auto it =
      std::find_if(places.begin(), places.end(), [&](const auto& p) { return p.name == name; });
  return it == places.end() ? -1 : static_cast<int>(it - places.begin());
}

const std::string& scope_name(const NetTemplate& net_template, int scope) {
  return net_template.scopes[static_cast<std::size_t>(scope)].name;
}

std::uint32_t count_of(const std::vector<std::uint32_t>& numbers) {
  std::uint32_t count = 0;
  for (const std::uint32_t number : numbers) {
    if (number != kNoNumber) count = std::max(count, number + 1);
  }
  return count;
}

// At most one row of a warp is its next, under way or at its barrier.
UnitStates no_marks(std::uint32_t units, std::uint32_t states) {
  UnitStates out;
  out.is_exclusive = true;
  out.name = "warps";
  out.units = units;
  out.states.resize(states);
  return out;
}

}  // namespace

bool has_row_places(const NetTemplate& net_template) {
  return std::all_of(kInRow.begin(), kInRow.end(), [&](std::string_view name) {
    const int row = place_row(net_template, name);
    if (row < 0) return false;
    const int scope = net_template.places[static_cast<std::size_t>(row)].scope;
    const int parent = net_template.scopes[static_cast<std::size_t>(scope)].parent;
    return parent >= 0 && scope_name(net_template, scope) == "segment" &&
           scope_name(net_template, parent) == "warp";
  });
}

UnitStates row_states(const NetTemplate& net_template, const ParameterValues& values,
                      const std::vector<std::uint32_t>& numbers) {
  const TemplateInstances instances(net_template, values);
  const auto rows = static_cast<std::size_t>(values.at("K")[0]);
  const std::vector<std::int64_t>& work = values.at(kWork);
  const std::uint32_t count = count_of(numbers), last = 3 * count;
  UnitStates out = no_marks(static_cast<std::uint32_t>(numbers.size() / rows), last + 1);
  for (const std::string_view name : kInRow) {
    const int place = place_row(net_template, name);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto warp = static_cast<std::uint32_t>(i / rows);
      const PlaceId at = instances.place(place, static_cast<std::int64_t>(i));
      const bool has_number = numbers[i] != kNoNumber;
      const std::uint32_t waiting = (name == kNext ? count : 2 * count) + numbers[i];
      out.marks.push_back({at, warp, has_number ? waiting : last, false});
      if (name != kNext) continue;
      // The next row is marked as soon as this one has issued, but it begins after this one's work.
      const auto cycles = static_cast<std::uint64_t>(work[work.size() == 1 ? 0 : i]);
      out.takes.push_back({at, warp, has_number ? numbers[i] : last, cycles});
    }
  }
  return out;
}

std::vector<double> segment_cycles(const RowParts& parts, const std::vector<double>& state_cycles,
                                   std::size_t segments) {
  std::vector<double> out(segments, 0.0);
  const std::size_t count = (state_cycles.size() - 1) / 3;
  for (std::size_t n = 0; n < count; ++n) {
    const std::vector<SegmentPart>& row = parts[n];
    double work = 0;
    for (const SegmentPart& part : row) work += part.work;
    for (const SegmentPart& part : row) {
      const double share = work > 0 ? part.work / work : 1 / static_cast<double>(row.size());
      out[part.segment] += share * state_cycles[n];
    }
    out[row.front().segment] += state_cycles[count + n];
    out[row.back().segment] += state_cycles[2 * count + n];
  }
  return out;
}

}  // namespace pnsim
