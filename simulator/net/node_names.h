// The names of the places, or of the transitions, of a net.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim {

// The name without its trailing instance numbers: "p2.0" -> "p2", "q.3.1" -> "q", "p0" -> "p0".
// Instances of one template place or transition share it, in nets from templates and from PNML.
std::string_view group_of(std::string_view name);

// A net from a template has some hundred thousand nodes in some hundred rows, and a run asks for
// few of their names: the names of instances are made when asked for. Two nodes with one name are
// left to who adds them.
class NodeNames {
 public:
  void add(std::string name) { add_row(std::move(name), {}, 1); }
  // "NAME.0.0", "NAME.0.1" ...: with so many numbers for each dot, the last one counting fastest.
  // The name has no dot.
  void add_instances(std::string name, std::vector<std::uint32_t> numbers);
  // Leaves only the nodes whose entry is not 0. They move up; their names stay.
  void keep(const std::vector<char>& is_kept);
  // find() can be asked from here on.
  void sort();

  std::size_t size() const { return size_; }
  std::string name(std::uint32_t i) const;
  // group_of(name(i)); it lasts as long as this.
  std::string_view group(std::uint32_t i) const;
  // group() of all, in the order of the nodes: `count` of them follow each other. They last as long
  // as this.
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
    std::vector<std::uint32_t> numbers;  // none: one node with this very name
    std::vector<std::uint32_t>
        kept;  // which instances there are, of a row that keep() has shortened
    std::uint32_t instance(std::uint32_t at) const { return kept.empty() ? at : kept[at]; }
  };
  void add_row(std::string name, std::vector<std::uint32_t> numbers, std::uint32_t count);
  const Row& row_of(std::uint32_t i) const;

  std::vector<Row> rows_;  // none without nodes
  std::vector<std::uint32_t> by_name_;
  std::uint32_t size_ = 0;
};

}  // namespace pnsim
