// Groups of places or transitions by template node. Results that repeat over the instances of a net
// (such as one sum for each of 64 warps) become one line with a count.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "simulator/base/json.h"
#include "simulator/net/elimination.h"
#include "simulator/net/groups.h"

namespace pnsim {

// weight * (the sum over `instances` nodes called `name`).
struct GroupTerm {
  std::string name;
  std::size_t instances = 1;
  std::int64_t weight = 1;
  bool operator==(const GroupTerm&) const = default;
  bool operator<(const GroupTerm& other) const {
    return std::tie(name, instances, weight) < std::tie(other.name, other.instances, other.weight);
  }
};

// Rows that have the same tag and differ only in their instances.
struct Family {
  std::string tag;
  std::vector<GroupTerm> terms;
  std::size_t count = 0;
};

struct TaggedRow {
  std::string tag;
  SparseRow row;  // by node
};

class FamilyMaker {
 public:
  static FamilyMaker of_places(const Net& net);
  static FamilyMaker of_transitions(const Net& net);

  // The families in the order of their first rows. A family with one row names its nodes exactly,
  // unless the row contains all instances of a template node.
  std::vector<Family> families(const std::vector<TaggedRow>& rows) const;

  // Describes one row with all weights 1. A single instance is named exactly.
  template <class Id>
  std::vector<GroupTerm> describe(const std::vector<Id>& nodes) const {
    SparseRow row;
    for (const Id node : nodes) row.push_back({node.value, 1});
    return exact_terms(row);
  }

 private:
  FamilyMaker(NodeGroups groups, std::vector<std::string> names)
      : groups_(std::move(groups)), names_(std::move(names)) {}

  std::vector<GroupTerm> group_terms(const SparseRow& row) const;
  std::vector<GroupTerm> exact_terms(const SparseRow& row) const;

  NodeGroups groups_;
  std::vector<std::string> names_;  // [node]
};

// Example: "p0 + 3 p11[64]" with separator " + ". After `max_terms` terms: "... (7 more)".
std::string text_of(const std::vector<GroupTerm>& terms, const std::string& separator,
                    std::size_t max_terms = 1000);

Json to_json(const std::vector<GroupTerm>& terms);

}  // namespace pnsim
