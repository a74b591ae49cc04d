#include "simulator/model/derive/table_match.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

constexpr std::size_t kMostPairs = 300'000'000;
constexpr std::int64_t kMatched = 10'000'000'000'000, kTolerance = 1'000'000'000, kUnused = 100'000,
                       kFarApart = 100;

// The best assignment of the first launches to the first tables, for all numbers of both: the last
// table has `taken` launches, the last launch has no table, or the last table is unused.
class Matcher {
 public:
  Matcher(std::size_t launches, const std::vector<std::size_t>& copies,
          const std::function<Fit(std::size_t, std::size_t)>& fit)
      : launches_(launches), copies_(copies), fit_(fit) {
    if (launches_ * copies_.size() > kMostPairs) {
      fail_limit("the profile has " + std::to_string(launches_) + " launches and " +
                 std::to_string(copies_.size()) +
                 " tables, too many to match; profile fewer launches a report");
    }
    choice_.assign((launches_ + 1) * (copies_.size() + 1), kSkipLaunch);
  }

  TableMatch match() {
    std::vector<std::int64_t> before(launches_ + 1, 0);  // [launches] with one table less
    for (std::size_t t = 0; t < copies_.size(); ++t) before = with_table(t, before);
    return trace_back();
  }

 private:
  static constexpr std::uint16_t kSkipLaunch = 0xFFFF, kSkipTable = 0;

  std::uint16_t& choice(std::size_t launches, std::size_t tables) {
    return choice_[launches * (copies_.size() + 1) + tables];
  }

  // The score of a launch that takes a table. Of assignments that are otherwise equal the one is
  // best in which both stand at like places of their pages.
  std::int64_t taking(std::size_t launch, std::size_t table, Fit fit) const {
    const double apart = std::abs(static_cast<double>(launch) / static_cast<double>(launches_) -
                                  static_cast<double>(table) / static_cast<double>(copies_.size()));
    return kMatched - (fit == Fit::kTolerated ? kTolerance : 0) - std::llround(kFarApart * apart);
  }

  // The score of a table that is printed `copies` times and taken by `taken` launches.
  static std::int64_t unused(std::size_t copies, std::size_t taken) {
    const std::size_t used = std::min(copies, 2 * taken);
    return -kUnused * static_cast<std::int64_t>(copies - used);
  }

  std::vector<std::int64_t> with_table(std::size_t t, const std::vector<std::int64_t>& before) {
    const std::size_t copies = copies_[t];
    std::vector<std::int64_t> best(launches_ + 1);
    std::vector<std::int64_t> score(launches_ + 1);      // of the launches that end here and fit
    std::vector<std::size_t> fitting(launches_ + 1, 0);  // how many in a row fit and end here
    for (std::size_t n = 0; n <= launches_; ++n) {
      best[n] = before[n] + unused(copies, 0);
      choice(n, t + 1) = kSkipTable;
      if (n == 0) continue;
      const Fit fit = fit_(n - 1, t);
      fitting[n] = fit == Fit::kNone ? 0 : fitting[n - 1] + 1;
      score[n] = fit == Fit::kNone ? 0 : taking(n - 1, t, fit);
      if (best[n - 1] > best[n]) {
        best[n] = best[n - 1];
        choice(n, t + 1) = kSkipLaunch;
      }
      std::int64_t sum = 0;
      const std::size_t most = std::min({fitting[n], copies, std::size_t{kSkipLaunch - 1}});
      for (std::size_t k = 1; k <= most; ++k) {
        sum += score[n - k + 1];
        const std::int64_t all = before[n - k] + sum + unused(copies, k);
        if (all <= best[n]) continue;
        best[n] = all;
        choice(n, t + 1) = static_cast<std::uint16_t>(k);
      }
    }
    return best;
  }

  TableMatch trace_back() {
    TableMatch out{std::vector<std::size_t>(launches_, kNoTable), 0};
    std::size_t n = launches_, t = copies_.size();
    while (t > 0) {
      const std::uint16_t chosen = choice(n, t);
      if (chosen == kSkipLaunch) {
        --n;
        continue;
      }
      --t;
      for (std::size_t k = 0; k < chosen; ++k) out.table[--n] = t;
      out.unused += static_cast<std::size_t>(-unused(copies_[t], chosen) / kUnused);
    }
    return out;
  }

  std::size_t launches_;
  const std::vector<std::size_t>& copies_;
  const std::function<Fit(std::size_t, std::size_t)>& fit_;
  std::vector<std::uint16_t> choice_;  // [launches, tables]
};

}  // namespace

TableMatch match_tables(std::size_t launches, const std::vector<std::size_t>& copies,
                        const std::function<Fit(std::size_t launch, std::size_t table)>& fit) {
  return Matcher(launches, copies, fit).match();
}

}  // namespace pnsim
