// A naive implementation of the exact chain for tiny nets: steps from every order of the enabled
// transitions, all markings in one system, and plain elimination with fractions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "simulator/analysis/exact/rational.h"
#include "simulator/engine/reference_engine.h"
#include "tests/support/permutation_steps.h"

namespace pnsim::test {

// Solves a x = b by Gauss-Jordan elimination. a must be regular; b may have several columns.
inline std::vector<std::vector<Rational>> gauss_jordan(std::vector<std::vector<Rational>> a,
                                                       std::vector<std::vector<Rational>> b) {
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (a[pivot][k] == 0) ++pivot;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || a[i][k] == 0) continue;
      const Rational f = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= f * a[k][j];
      for (std::size_t j = 0; j < b[i].size(); ++j) b[i][j] -= f * b[k][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (Rational& value : b[i]) value /= a[i][i];
  }
  return b;
}

struct NaiveResult {
  std::optional<Rational> steps;
  Rational goal, dead, never;
  std::size_t markings;
  std::size_t cyclic;  // markings that can be reached again
};

class NaiveChain {
 public:
  // False when there are too many markings, or too many enabled transitions to try every order.
  bool explore(const Net& net, std::size_t max_markings, std::size_t max_enabled) {
    number_of(net.initial_marking());
    for (std::size_t m = 0; m < markings_.size(); ++m) {
      if (markings_.size() > max_markings) return false;
      const Marking marking = markings_[m];
      const auto enabled = enabled_transitions(net, marking);
      bool goal = net.has_goal();
      for (const PlaceId p : net.goal()) goal &= marking[p.value] == 0;
      is_goal_.push_back(goal);
      is_dead_.push_back(!goal && enabled.empty());
      rows_.emplace_back();
      if (goal || enabled.empty()) continue;
      if (enabled.size() > max_enabled) return false;
      for (const auto& [fired, probability] : permutation_steps(net, marking)) {
        Marking after = marking;
        apply_step(net, fired, after);
        const std::size_t target = number_of(after);
        rows_[m][target] += probability;
      }
    }
    return true;
  }

  NaiveResult solve() const {
    const std::vector<std::vector<char>> reach = reachability();
    std::vector<std::size_t> unknown;  // markings that are no end but can reach one
    std::map<std::size_t, std::size_t> at;
    NaiveResult result{{}, 0, 0, 0, markings_.size(), 0};
    bool all_end = true;
    for (std::size_t m = 0; m < markings_.size(); ++m) {
      result.cyclic += reach[m][m] ? 1 : 0;
      const bool can_end = this->can_end(m, reach);
      all_end &= can_end;
      if (!can_end || is_end(m)) continue;
      at[m] = unknown.size();
      unknown.push_back(m);
    }
    std::vector<std::vector<Rational>> a(unknown.size(), std::vector<Rational>(unknown.size()));
    std::vector<std::vector<Rational>> b(unknown.size(), std::vector<Rational>(3));
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      a[i][i] += 1;
      b[i][0] = 1;
      for (const auto& [target, probability] : rows_[unknown[i]]) {
        if (at.count(target)) a[i][at[target]] -= probability;
        if (is_goal_[target]) b[i][1] += probability;
        if (is_dead_[target]) b[i][2] += probability;
      }
    }
    const auto x = gauss_jordan(a, b);
    const bool solved = at.count(0) != 0;
    result.goal = solved ? x[at[0]][1] : Rational(is_goal_[0] ? 1 : 0);
    result.dead = solved ? x[at[0]][2] : Rational(is_dead_[0] ? 1 : 0);
    result.never = 1 - result.goal - result.dead;
    if (all_end) result.steps = solved ? x[at[0]][0] : Rational(0);
    return result;
  }

 private:
  std::size_t number_of(const Marking& marking) {
    const auto it = std::find(markings_.begin(), markings_.end(), marking);
    if (it != markings_.end()) return static_cast<std::size_t>(it - markings_.begin());
    markings_.push_back(marking);
    return markings_.size() - 1;
  }

  bool is_end(std::size_t m) const { return is_goal_[m] || is_dead_[m]; }

  bool can_end(std::size_t m, const std::vector<std::vector<char>>& reach) const {
    bool can = is_end(m);
    for (std::size_t k = 0; k < markings_.size(); ++k) can |= reach[m][k] && is_end(k);
    return can;
  }

  // [from][to] in one or more steps (Warshall).
  std::vector<std::vector<char>> reachability() const {
    const std::size_t n = markings_.size();
    std::vector<std::vector<char>> reach(n, std::vector<char>(n));
    for (std::size_t m = 0; m < n; ++m) {
      for (const auto& [target, probability] : rows_[m]) reach[m][target] = true;
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) reach[i][j] |= reach[i][k] && reach[k][j];
      }
    }
    return reach;
  }

  std::vector<Marking> markings_;
  std::vector<char> is_goal_, is_dead_;
  std::vector<std::map<std::size_t, Rational>> rows_;
};

}  // namespace pnsim::test
