// Statistics of samples. Every function needs at least one sample unless its comment says more.
#pragma once

#include <span>
#include <vector>

namespace pnsim {

double mean(std::span<const double> x);
double stddev(std::span<const double> x);          // sample standard deviation (n - 1); n >= 2
double quantile(std::vector<double> x, double q);  // linear interpolation between order statistics
double median(std::vector<double> x);
double geometric_mean(std::span<const double> x);   // all > 0
double relative_mad(const std::vector<double>& x);  // median |x - median| / median

struct Interval {
  double low;
  double high;
};
// Student-t confidence interval of the mean at 95 %; n >= 2.
Interval mean_ci95(std::span<const double> x);

// Pearson correlation. NaN when one side is constant. Equal sizes, n >= 2.
double pearson(std::span<const double> x, std::span<const double> y);
// Spearman correlation: Pearson on ranks; equal values share their mean rank.
double spearman(std::span<const double> x, std::span<const double> y);
// Ranks from 1; equal values share their mean rank.
std::vector<double> ranks(std::span<const double> x);

}  // namespace pnsim
