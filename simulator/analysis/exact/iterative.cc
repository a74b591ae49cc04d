#include "simulator/analysis/exact/iterative.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pnsim {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t kMinIterations = 100;

constexpr std::size_t kSweeps = 50;  // Gauss-Seidel sweeps between two runs of BiCGSTAB

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// The largest absolute entry; infinity when an entry is not a number.
double norm(const Vector& a) {
  double largest = 0;
  for (const double x : a) largest = std::isfinite(x) ? std::max(largest, std::abs(x)) : INFINITY;
  return largest;
}

// y += a * x
void add_scaled(double a, const Vector& x, Vector& y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += a * x[i];
}

class IterativeSolver {
 public:
  IterativeSolver(const SparseChain& chain, const Vector& b, DecimalWork& work)
      : chain_(chain),
        b_(b),
        work_(work),
        cost_(2 * (chain.edges.size() + 10 * chain.size()) + 1),
        left_(std::max<std::size_t>(kMinIterations, work.iterated_edges / cost_)),
        x_(b.size()),
        r_(b),
        best_(x_),
        best_residual_(norm(b)) {}

  Vector solve() {
    while (left_ > 0 && best_residual_ > rounding()) {
      run_bicgstab();
      if (halved_residual()) continue;
      for (std::size_t i = 0; i < kSweeps && left_ > 0; ++i) run_sweep();
      halved_residual();
    }
    return best_;
  }

 private:
  void count_iteration() {
    --left_;
    work_.iterated_edges -= std::min<std::uint64_t>(cost_, work_.iterated_edges);
    work_.tell();
  }
  double rounding() const { return 16 * std::numeric_limits<double>::epsilon() * norm(best_); }

  // ax = A x
  void apply(const Vector& x, Vector& ax) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      ax[i] = chain_.leaving[i] * x[i];
      for (std::size_t e = chain_.start[i]; e < chain_.start[i + 1]; ++e) {
        ax[i] -= chain_.edges[e].probability * x[chain_.edges[e].target];
      }
    }
  }

  // z = M^-1 y, where M is the part of A that leads from i to higher numbers. Markings are numbered
  // in the order of discovery, so most steps lead to higher numbers.
  void precondition(const Vector& y, Vector& z) const {
    for (std::size_t i = y.size(); i-- > 0;) {
      double sum = y[i];
      for (std::size_t e = chain_.start[i]; e < chain_.start[i + 1]; ++e) {
        const SparseChain::Edge& edge = chain_.edges[e];
        if (edge.target > i) sum += edge.probability * z[edge.target];
      }
      z[i] = sum / chain_.leaving[i];
    }
  }

  // r = b - A x
  void compute_residual() {
    apply(x_, r_);
    for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = b_[i] - r_[i];
  }

  // Keeps x when it is the best so far; otherwise restores the best.
  bool halved_residual() {
    compute_residual();
    const double before = best_residual_;
    const double now = norm(r_);
    if (now < before) {
      best_ = x_;
      best_residual_ = now;
    } else {
      x_ = best_;
      compute_residual();
    }
    return now <= before / 2;
  }

  void run_sweep() {
    count_iteration();
    Vector z(x_.size());
    precondition(r_, z);
    add_scaled(1, z, x_);
    compute_residual();
  }

  // Starts from x and its residual r. Stops when the updated r is 2^-40 of its initial value, or
  // when a division of the method breaks down.
  void run_bicgstab() {
    const double target = std::ldexp(norm(r_), -40);
    const Vector shadow = r_;
    Vector p(x_.size()), v(p), y(p), z(p), t(p);
    double rho = 1, alpha = 1, omega = 1;
    for (; left_ > 0; count_iteration()) {
      const double rho_next = dot(shadow, r_);
      const double beta = (rho_next / rho) * (alpha / omega);
      rho = rho_next;
      for (std::size_t i = 0; i < p.size(); ++i) p[i] = r_[i] + beta * (p[i] - omega * v[i]);
      precondition(p, y);
      apply(y, v);
      alpha = rho / dot(shadow, v);
      if (!std::isfinite(alpha)) return;
      add_scaled(-alpha, v, r_);
      add_scaled(alpha, y, x_);
      if (norm(r_) <= target) return;
      precondition(r_, z);
      apply(z, t);
      omega = dot(t, r_) / dot(t, t);
      if (!std::isfinite(omega) || omega == 0) return;
      add_scaled(omega, z, x_);
      add_scaled(-omega, t, r_);
      if (norm(r_) <= target) return;
    }
  }

  const SparseChain& chain_;
  const Vector& b_;
  DecimalWork& work_;
  std::size_t cost_;  // of an iteration, in edges
  std::size_t left_;  // iterations
  Vector x_, r_;
  Vector best_;
  double best_residual_;
};

}  // namespace

std::vector<double> solve_iteratively(const SparseChain& chain, const std::vector<double>& b,
                                      DecimalWork& work) {
  return IterativeSolver(chain, b, work).solve();
}

}  // namespace pnsim
