#include "simulator/model/template/instances.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/template/parameters.h"

namespace pnsim {

TemplateInstances::TemplateInstances(const NetTemplate& net_template,
                                     const ParameterValues& overrides)
    : template_(net_template) {
  check_parameters(net_template, overrides);
  for (const ParameterSpec& spec : template_.parameters) {
    parameter_scope_.push_back(spec.scope.empty() ? 0 : scope_index(spec.scope));
    const auto it = overrides.find(spec.name);
    given_.push_back(it == overrides.end() ? std::span(&spec.default_value, 1)
                                           : std::span(it->second));
    if (given_.back().size() > 1) lists_.push_back(given_.size() - 1);
  }
  count_instances();
  check_size();
  check_lists();
  find_first_nodes();
}

// Scope counts depend only on parameters with one value, so the first value may represent a list.
void TemplateInstances::count_instances() {
  for (const auto& values : given_) values_.push_back(values.front());
  values_.resize(template_.parameters.size() + template_.scopes.size() - 1);
  for (std::size_t s = 0; s < template_.scopes.size(); ++s) {
    const ScopeSpec& spec = template_.scopes[s];
    const Index own = spec.count.evaluate(values_, "scope " + spec.name);
    const Index parents = spec.parent < 0 ? 1 : count(spec.parent);
    const Index limit = spec.name == "warp" ? kMaxWarps : static_cast<Index>(kMaxExpandedNodes);
    Index all = 0;
    if (own < 0 || __builtin_mul_overflow(own, parents, &all) || all > limit) {
      fail_input(template_.name, "scope " + spec.name + ": found " + std::to_string(own) +
                                     " instances in each of " + std::to_string(parents) +
                                     ", expected at most " + std::to_string(limit) + " in all");
    }
    count_in_parent_.push_back(own);
    count_.push_back(all);
  }
}

void TemplateInstances::check_size() const {
  Index nodes = 0;  // at most kMaxExpandedNodes per row and some thousand rows, so no overflow
  for (const PlaceSpec& place : template_.places) nodes += count(place.scope);
  for (const TransitionSpec& t : template_.transitions) nodes += count(t.scope);
  if (nodes > static_cast<Index>(kMaxExpandedNodes)) {
    fail_input(template_.name, "expands to " + std::to_string(nodes) +
                                   " places and transitions, expected at most " +
                                   std::to_string(kMaxExpandedNodes));
  }
}

void TemplateInstances::check_lists() const {
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const std::size_t given = given_[i].size();
    if (given == 1) continue;
    const auto expected = static_cast<std::size_t>(count(parameter_scope_[i]));
    if (given != expected) {
      fail_input(template_.name, "parameter " + template_.parameters[i].name +
                                     ": found a list of " + std::to_string(given) +
                                     " values, expected one value or " + std::to_string(expected));
    }
  }
}

void TemplateInstances::find_first_nodes() {
  Index next_place = 0, next_transition = 0;
  for (const PlaceSpec& place : template_.places) {
    first_place_.push_back(next_place);
    next_place += count(place.scope);
  }
  for (const TransitionSpec& t : template_.transitions) {
    first_transition_.push_back(next_transition);
    next_transition += count(t.scope);
  }
}

int TemplateInstances::scope_index(const std::string& name) const {
  int s = 0;
  while (scope(s).name != name) ++s;  // the template reader has checked that it exists
  return s;
}

TemplateInstances::Index TemplateInstances::enclosing(int outer, int s, Index at) const {
  for (; s != outer; s = scope(s).parent) at /= count_in_parent(s);
  return at;
}

bool TemplateInstances::encloses(int outer, int s) const {
  for (; s >= 0; s = scope(s).parent) {
    if (s == outer) return true;
  }
  return false;
}

void TemplateInstances::set_values(int s, Index at) {
  for (const std::size_t i : lists_) {
    const bool by_instance = encloses(parameter_scope_[i], s);
    const Index which = by_instance ? enclosing(parameter_scope_[i], s, at) : 0;
    values_[i] = given_[i][static_cast<std::size_t>(which)];
  }
  for (int up = s; up > 0; up = scope(up).parent) {
    const std::size_t slot = template_.parameters.size() + static_cast<std::size_t>(up) - 1;
    values_[slot] = at % count_in_parent(up);
    at /= count_in_parent(up);
  }
}

namespace {

// Instance first + i lies in instance (first + i) / inside of an enclosing scope.
RowValues quotients(std::int64_t first, std::size_t rows, std::int64_t inside,
                    std::vector<std::int64_t>& store) {
  std::int64_t quotient = first / inside;
  std::int64_t left = inside - first % inside;
  if (left >= static_cast<std::int64_t>(rows)) return {nullptr, quotient};
  store.resize(rows);
  for (std::int64_t& value : store) {
    value = quotient;
    if (--left == 0) ++quotient, left = inside;
  }
  return {store.data()};
}

}  // namespace

RowValues TemplateInstances::list_rows(std::size_t i, int s, Index first, std::size_t rows) {
  const std::span<const std::int64_t> given = given_[i];
  const int own = parameter_scope_[i];
  if (given.size() == 1 || !encloses(own, s)) return {nullptr, given.front()};
  if (own == s) return {given.data() + first};
  const RowValues& which = enclosing_rows(own);
  if (!which.each) return {nullptr, given[static_cast<std::size_t>(which.all)]};
  std::vector<std::int64_t>& store = row_store_[i];
  store.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    store[row] = given[static_cast<std::size_t>(which.each[row])];
  }
  return {store.data()};
}

RowValues TemplateInstances::index_rows(int up, std::size_t rows) {
  const RowValues& which = enclosing_rows(up);
  if (!which.each) return {nullptr, which.all % count_in_parent(up)};
  std::vector<std::int64_t>& store =
      row_store_[template_.parameters.size() + static_cast<std::size_t>(up) - 1];
  store.resize(rows);
  Index own = which.each[0] % count_in_parent(up);
  for (std::size_t row = 0; row < rows; ++row) {
    if (row > 0 && which.each[row] != which.each[row - 1] && ++own == count_in_parent(up)) own = 0;
    store[row] = own;
  }
  return {store.data()};
}

void TemplateInstances::set_rows(int s, Index first, std::size_t rows,
                                 const std::vector<char>& names) {
  rows_.assign(values_.size(), {});
  row_store_.resize(values_.size());
  enclosing_.resize(template_.scopes.size());
  enclosing_store_.resize(template_.scopes.size());
  for (int up = s; up >= 0; up = scope(up).parent) {
    const auto at = static_cast<std::size_t>(up);
    enclosing_[at] = quotients(first, rows, count(s) / count(up), enclosing_store_[at]);
  }
  for (std::size_t i = 0; i < template_.parameters.size(); ++i) {
    if (names[i]) rows_[i] = list_rows(i, s, first, rows);
  }
  for (int up = s; up > 0; up = scope(up).parent) {
    const std::size_t i = template_.parameters.size() + static_cast<std::size_t>(up) - 1;
    if (names[i]) rows_[i] = index_rows(up, rows);
  }
}

std::vector<std::uint32_t> TemplateInstances::numbers(int s) const {
  std::vector<std::uint32_t> out;
  for (; s > 0; s = scope(s).parent) out.push_back(static_cast<std::uint32_t>(count_in_parent(s)));
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace pnsim
