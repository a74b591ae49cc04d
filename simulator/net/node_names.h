// The names of the places, or of the transitions, of a net.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim {

// The name without its trailing instance numbers: "p2.0" -> "p2", "q.3.1" -> "q", "p0" -> "p0". All
// instances of one template place or transition share it, in nets from templates and from PNML.
std::string_view group_of(std::string_view name);

// Node names, stored as rows of instances. A net from a template has some hundred thousand nodes in
// a few hundred rows, and a run needs few of the names. So instance names are created on request.
// The caller must prevent two nodes with one name.
class NodeNames {
 public:
  void add(std::string name) { add_row(std::move(name), {}, 1); }
  // Adds "NAME.0.0", "NAME.0.1" ...: `numbers` has the count at each dot, and the last one varies
  // fastest. NAME must not contain a dot.
  void add_instances(std::string name, std::vector<std::uint32_t> numbers);
  // Keeps only the nodes whose entry is not 0. They are renumbered; their names stay.
  void keep(const std::vector<char>& is_kept);
  // Prepares find(), which may be called afterwards.
  void sort();

  std::size_t size() const { return size_; }
  std::string name(std::uint32_t i) const;
  // group_of(name(i)). The view is valid as long as this object.
  std::string_view group(std::uint32_t i) const;
  // The groups of all nodes in node order, as runs of `count` consecutive nodes. The views are
  // valid as long as this object.
  struct Group {
    std::string_view name;
    std::uint32_t count;
  };
  std::vector<Group> groups() const;
  std::optional<std::uint32_t> find(std::string_view name) const;

 private:
  struct Row {
    std::string name;
    std::uint32_t first;
    std::vector<std::uint32_t> numbers;  // empty: one node with exactly this name
    std::vector<std::uint32_t> kept;  // the remaining instances of a row that keep() has shortened
    std::uint32_t instance(std::uint32_t at) const { return kept.empty() ? at : kept[at]; }
  };
  void add_row(std::string name, std::vector<std::uint32_t> numbers, std::uint32_t count);
  const Row& row_of(std::uint32_t i) const;

  std::vector<Row> rows_;  // empty: no nodes
  std::vector<std::uint32_t> by_name_;
  std::uint32_t size_ = 0;
};

}  // namespace pnsim
