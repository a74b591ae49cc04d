#include "simulator/analysis/check/families.h"

#include <map>
#include <tuple>
#include <utility>

#include "simulator/base/table.h"

namespace pnsim {
namespace {

template <class Id>
std::vector<std::string> all_names(const Net& net, std::size_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) names.push_back(net.name_of(Id{i}));
  return names;
}

}  // namespace

FamilyMaker FamilyMaker::of_places(const Net& net) {
  return {place_groups(net), all_names<PlaceId>(net, net.place_count())};
}

FamilyMaker FamilyMaker::of_transitions(const Net& net) {
  return {transition_groups(net), all_names<TransitionId>(net, net.transition_count())};
}

std::vector<GroupTerm> FamilyMaker::group_terms(const SparseRow& row) const {
  std::map<std::pair<std::uint32_t, std::int64_t>, std::size_t> counts;
  for (const IndexWeight& e : row) ++counts[{groups_.group_of[e.index], e.weight}];
  std::vector<GroupTerm> terms;
  terms.reserve(counts.size());
  for (const auto& [key, count] : counts) {
    terms.push_back({groups_.names[key.first], count, key.second});
  }
  return terms;
}

std::vector<GroupTerm> FamilyMaker::exact_terms(const SparseRow& row) const {
  std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<std::uint32_t>> nodes;
  for (const IndexWeight& e : row) nodes[{groups_.group_of[e.index], e.weight}].push_back(e.index);
  std::vector<GroupTerm> terms;
  for (const auto& [key, members] : nodes) {
    const auto& [group, weight] = key;
    if (members.size() > 1 && members.size() == groups_.sizes[group]) {
      terms.push_back({groups_.names[group], members.size(), weight});
      continue;
    }
    for (const std::uint32_t node : members) terms.push_back({names_[node], 1, weight});
  }
  return terms;
}

std::vector<Family> FamilyMaker::families(const std::vector<TaggedRow>& rows) const {
  std::map<std::tuple<std::string, std::vector<GroupTerm>>, std::size_t> known;
  std::vector<Family> out;
  std::vector<const SparseRow*> first;  // [family]
  for (const TaggedRow& row : rows) {
    std::vector<GroupTerm> terms = group_terms(row.row);
    const auto [it, added] = known.emplace(std::tuple(row.tag, terms), out.size());
    if (added) {
      out.push_back({row.tag, std::move(terms), 0});
      first.push_back(&row.row);
    }
    ++out[it->second].count;
  }
  for (std::size_t f = 0; f < out.size(); ++f) {
    if (out[f].count == 1) out[f].terms = exact_terms(*first[f]);
  }
  return out;
}

std::string text_of(const std::vector<GroupTerm>& terms, const std::string& separator,
                    std::size_t max_terms) {
  std::string text;
  for (std::size_t i = 0; i < terms.size() && i < max_terms; ++i) {
    if (i > 0) text += separator;
    if (terms[i].weight != 1) text += grouped(terms[i].weight) + " ";
    text += terms[i].name;
    if (terms[i].instances > 1) text += "[" + std::to_string(terms[i].instances) + "]";
  }
  if (terms.size() > max_terms) {
    text += " ... (" + std::to_string(terms.size() - max_terms) + " more)";
  }
  return text;
}

Json to_json(const std::vector<GroupTerm>& terms) {
  Json out = Json::array();
  for (const GroupTerm& term : terms) {
    out.push_back({{"name", term.name}, {"instances", term.instances}, {"weight", term.weight}});
  }
  return out;
}

}  // namespace pnsim
