// The number of instances of each row of a net template, and the values of names in each instance.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "simulator/model/template/parameter_values.h"
#include "simulator/model/template/row_values.h"
#include "simulator/model/template/template_spec.h"
#include "simulator/net/net.h"

namespace pnsim {

// Instances of one row have consecutive indices, and rows keep their order.
class TemplateInstances {
 public:
  using Index = std::int64_t;  // instance of a scope, counted over all its parents

  // The template and the overrides must outlive this object. Error 3 for counts beyond the bounds,
  // before any memory is allocated, and for lists of the wrong length. Error 2 for unknown
  // parameters.
  TemplateInstances(const NetTemplate& net_template, const ParameterValues& overrides);

  Index count_in_parent(int scope) const {
    return count_in_parent_[static_cast<std::size_t>(scope)];
  }
  Index count(int scope) const { return count_[static_cast<std::size_t>(scope)]; }
  bool encloses(int outer, int scope) const;
  // The instance of scope `outer` that encloses instance `at` of `scope`.
  Index enclosing(int outer, int scope, Index at) const;

  // Sets values() for that instance: parameters, then indices.
  void set_values(int scope, Index at);
  std::span<const std::int64_t> values() const { return values_; }

  // Sets rows() for the instances first ... first + rows - 1, only for the marked names.
  void set_rows(int scope, Index first, std::size_t rows, const std::vector<char>& names);
  std::span<const RowValues> rows() const { return rows_; }
  std::size_t names() const { return values_.size(); }
  // For each of these instances, the enclosing instance of scope `outer`.
  const RowValues& enclosing_rows(int outer) const {
    return enclosing_[static_cast<std::size_t>(outer)];
  }

  PlaceId place(int row, Index at) const {
    return {static_cast<std::uint32_t>(first_place_[static_cast<std::size_t>(row)] + at)};
  }
  TransitionId transition(std::size_t row, Index at) const {
    return {static_cast<std::uint32_t>(first_transition_[row] + at)};
  }
  // The number of instances per instance of the next enclosing scope, from the outermost scope
  // inwards.
  std::vector<std::uint32_t> numbers(int scope) const;

 private:
  const ScopeSpec& scope(int s) const { return template_.scopes[static_cast<std::size_t>(s)]; }
  void count_instances();
  void check_size() const;
  void check_lists() const;
  int scope_index(const std::string& name) const;
  void find_first_nodes();
  RowValues list_rows(std::size_t parameter, int s, Index first, std::size_t rows);
  RowValues index_rows(int up, std::size_t rows);

  const NetTemplate& template_;
  std::vector<Index> count_in_parent_, count_;         // [scope]
  std::vector<Index> first_place_, first_transition_;  // [place spec], [transition spec]
  std::vector<int> parameter_scope_;                   // [parameter]
  std::vector<std::span<const std::int64_t>> given_;   // [parameter] its values
  std::vector<std::size_t> lists_;                     // parameters with several values
  std::vector<std::int64_t> values_;                   // [parameter], then [scope - 1]
  std::vector<RowValues> rows_;                        // the same for a range of instances
  // [scope] the enclosing instance of each of these
  std::vector<RowValues> enclosing_;
  std::vector<std::vector<std::int64_t>> row_store_, enclosing_store_;
};

}  // namespace pnsim
