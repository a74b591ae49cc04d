#include "simulator/analysis/questions/varied_number.h"

#include <algorithm>
#include <cmath>

#include "simulator/analysis/runs/stopping.h"
#include "simulator/base/error.h"
#include "simulator/base/stats.h"

namespace pnsim {
namespace {

void append(Samples& to, const Samples& more) { to.insert(to.end(), more.begin(), more.end()); }

WithError mean_of(const Samples& x) {
  WithError out{mean(x), std::nullopt, std::nullopt};
  if (x.size() < 2) return out;
  const Interval interval = mean_ci95(x);
  out.standard_error = stddev(x) / std::sqrt(static_cast<double>(x.size()));
  out.half_width = (interval.high - interval.low) / 2;
  return out;
}

template <class Combine>
Samples combined(const Samples& a, const Samples& b, Combine combine) {
  Samples out(a.size());
  std::transform(a.begin(), a.end(), b.begin(), out.begin(), combine);
  return out;
}

// The ratio estimate of value * slope / steps: per cent more steps for 1 % more. Its error is that
// of the residuals (delta method).
struct Ratio {
  double value = 0;
  Samples residuals;
};

Ratio ratio_of(double value, const Samples& slope, const Samples& base) {
  Ratio out{value * mean(slope) / mean(base), {}};
  out.residuals = combined(
      slope, base, [&](double s, double b) { return (value * s - out.value * b) / mean(base); });
  return out;
}

WithError elasticity_of(double value, const Samples& slope, const Samples& base) {
  const Ratio ratio = ratio_of(value, slope, base);
  const WithError error = mean_of(ratio.residuals);
  return {ratio.value, error.standard_error, error.half_width};
}

// Runs a parameter at both ends of its change until the effect is told from the noise.
class VariedRuns {
 public:
  VariedRuns(const Knob& knob, std::int64_t down, std::int64_t up, BaseRuns& base)
      : knob_(knob), down_(down), up_(up), base_(base) {}

  void run(const ReplicaRule& rule, Sensitivity& out) {
    out.told = run_until_told(
        rule,
        [&](std::uint32_t first, std::uint32_t count) {
          extend({first, count});
        },
        [&](int look) { return tell(look); });
    const Samples base = base_.first(low_.size());
    out.replicas = static_cast<std::uint32_t>(low_.size());
    out.low_steps = mean_of(low_);
    out.high_steps = mean_of(high_);
    out.per_unit = mean_of(slope());
    if (mean(base) > 0) out.elasticity = elasticity_of(knob_.value, slope(), base);
  }

 private:
  void extend(Replicas replicas) {
    const Samples base = base_.first(replicas.first + replicas.count);
    const Samples own(base.begin() + replicas.first, base.end());
    append(low_, down_ ? knob_.run(-down_, replicas) : own);
    append(high_, up_ ? knob_.run(up_, replicas) : own);
  }

  Samples slope() const {
    const auto width = static_cast<double>(up_ + down_);
    return combined(low_, high_, [&](double a, double b) { return (b - a) / width; });
  }

  // A parameter of value 0 has the elasticity 0; there one unit more must make a difference.
  Told tell(int look) {
    const Samples base = base_.first(low_.size());
    if (low_.size() < 2) return Told::kOneRun;
    if (mean(base) <= 0) return Told::kNone;
    const Ratio ratio = ratio_of(knob_.value > 0 ? knob_.value : 1, slope(), base);
    return told(ratio.value, half_width_at(ratio.residuals, look), kSmallElasticity);
  }

  const Knob& knob_;
  std::int64_t down_, up_;
  BaseRuns& base_;
  Samples low_, high_;
};

}  // namespace

Samples BaseRuns::first(std::size_t count) {
  if (count > steps_.size()) {
    const auto have = static_cast<std::uint32_t>(steps_.size());
    append(steps_, run_({have, static_cast<std::uint32_t>(count) - have}));
  }
  return {steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(count)};
}

Sensitivity varied(const Knob& knob, const ReplicaRule& rule, BaseRuns& base,
                   double relative_step) {
  Sensitivity out;
  out.parameter = knob.name;
  out.value = knob.value;
  const auto step = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::llround(relative_step * std::min(knob.value, 1e15))));
  const std::int64_t up = knob.largest <= knob.max - step ? step : 0;
  const std::int64_t down = knob.smallest >= knob.min + step ? step : 0;
  out.low = knob.value - static_cast<double>(down);
  out.high = knob.value + static_cast<double>(up);
  if (up + down == 0) {
    out.why_not = "its range contains no other value";
    return out;
  }
  try {
    VariedRuns(knob, down, up, base).run(rule, out);
  } catch (const Error& error) {  // for example a list whose length fits one number of warps only
    if (error.code() != ExitCode::kBadInput) throw;
    out.why_not = error.what();
  }
  return out;
}

}  // namespace pnsim
