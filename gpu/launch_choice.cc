#include "gpu/launch_choice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "gpu/page_launches.h"

namespace pnsim::gpu {
namespace {

// The longest list of kernels for the profiler. Linux limits one argument to 128 KiB.
constexpr std::size_t kMostBytes = 100'000;

// What is special in a regular expression, and the colon, which separates the parts of the
// argument.
std::string literal(const std::string& symbol) {
  std::string text;
  for (const char c : symbol) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) text += '\\';
    text += c == ':' ? '.' : c;
  }
  return text;
}

struct KindOfLaunch {
  std::string symbol;
  std::vector<const RecordedLaunch*> launches;  // in launch order
  double total_us = 0;
};

std::vector<KindOfLaunch> kinds_of(const std::vector<RecordedLaunch>& launches) {
  std::map<Kind, KindOfLaunch> by_kind;
  for (const RecordedLaunch& launch : launches) {
    KindOfLaunch& kind = by_kind[kind_of(launch)];
    kind.symbol = launch.symbol;
    kind.launches.push_back(&launch);
    kind.total_us += launch.time_us;
  }
  std::vector<KindOfLaunch> kinds;
  for (auto& [key, kind] : by_kind) kinds.push_back(std::move(kind));
  return kinds;
}

using Numbers = std::vector<std::int64_t>;      // ascending
using Number = std::int64_t RecordedLaunch::*;  // which of its numbers
using Launches = std::vector<const RecordedLaunch*>;

Launches taken_of(const KindOfLaunch& kind, const Numbers& numbers, Number number) {
  Launches out;
  for (const std::int64_t wanted : numbers) {
    const auto found = std::lower_bound(
        kind.launches.begin(), kind.launches.end(), wanted,
        [&](const RecordedLaunch* launch, std::int64_t value) { return launch->*number < value; });
    if (found != kind.launches.end() && (*found)->*number == wanted) out.push_back(*found);
  }
  return out;
}

// The time of the kind, less the difference to what the taken launches say of it (LaunchShare).
double represented_us(const KindOfLaunch& kind, const Launches& taken) {
  constexpr double kLeastUs = 1e-9;  // a represented kind counts, whatever it takes
  if (taken.empty()) return 0;
  const double firsts = taken.front()->number == 1 ? 1 : 0;
  const LaunchShare share = launch_share(static_cast<double>(kind.launches.size()), firsts,
                                         static_cast<double>(taken.size()) - firsts);
  double us = 0;
  for (const RecordedLaunch* launch : taken)
    us += (launch->number == 1 ? share.first : share.later) * launch->time_us;
  return std::max(kLeastUs, kind.total_us - std::abs(us - kind.total_us));
}

// A choice in the making.
struct Selection {
  Numbers numbers;
  std::vector<std::string> symbols;
  double represented_us = 0;
  std::size_t launches = 0;
};

// All kinds of a kernel.
struct Kernel {
  std::string symbol;
  double represented_us = 0;
  std::size_t launches = 0;
};

Selection selection_of(const std::vector<KindOfLaunch>& kinds, const Numbers& numbers,
                       std::size_t most) {
  std::map<std::string, Kernel> by_symbol;
  for (const KindOfLaunch& kind : kinds) {
    const Launches taken = taken_of(kind, numbers, &RecordedLaunch::number);
    Kernel& kernel = by_symbol[kind.symbol];
    kernel.symbol = kind.symbol;
    kernel.represented_us += represented_us(kind, taken);
    kernel.launches += taken.size();
  }
  std::vector<Kernel> kernels;
  for (const auto& [symbol, kernel] : by_symbol) {
    if (kernel.launches > 0) kernels.push_back(kernel);
  }
  std::stable_sort(kernels.begin(), kernels.end(), [](const Kernel& a, const Kernel& b) {
    return a.represented_us * static_cast<double>(b.launches) >
           b.represented_us * static_cast<double>(a.launches);
  });
  Selection out{numbers, {}, 0, 0};
  std::size_t bytes = 0;
  for (const Kernel& kernel : kernels) {
    const std::size_t size = literal(kernel.symbol).size() + 1;
    if (out.launches + kernel.launches > most || bytes + size > kMostBytes) continue;
    bytes += size;
    out.symbols.push_back(kernel.symbol);
    out.represented_us += kernel.represented_us;
    out.launches += kernel.launches;
  }
  return out;
}

// The first numbers, and the one in the middle of each kind that takes long.
std::set<std::int64_t> numbers_to_try(std::vector<KindOfLaunch> kinds) {
  constexpr std::int64_t kFirst = 16;
  constexpr std::size_t kLongKinds = 64;
  std::stable_sort(kinds.begin(), kinds.end(), [](const KindOfLaunch& a, const KindOfLaunch& b) {
    return a.total_us > b.total_us;
  });
  std::set<std::int64_t> out;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const Launches& launches = kinds[k].launches;
    if (k < kLongKinds) out.insert(launches[launches.size() / 2]->number);
    for (std::size_t n = 0; n < launches.size() && launches[n]->number <= kFirst; ++n)
      out.insert(launches[n]->number);
  }
  return out;
}

// Among selections that represent nearly the same time, the one with the fewest launches is best. A
// selection of first launches alone is the worst.
constexpr double kNear = 0.99;

Selection best_of(std::vector<Selection> all) {
  double most_us = 0;
  for (const Selection& selection : all) most_us = std::max(most_us, selection.represented_us);
  const auto is_first = [](const Selection& s) { return s.numbers == Numbers{1}; };
  Selection best;
  for (Selection& selection : all) {
    if (selection.launches == 0 || selection.represented_us < kNear * most_us) continue;
    const bool is_better =
        best.launches == 0 || (is_first(best) && !is_first(selection)) ||
        (is_first(best) == is_first(selection) && selection.launches < best.launches);
    if (is_better) best = std::move(selection);
  }
  return best;
}

// One number, or the first as well, and then further ones while they are worth their launches.
Selection best_selection(const std::vector<KindOfLaunch>& kinds, std::size_t most) {
  const std::set<std::int64_t> candidates = numbers_to_try(kinds);
  std::vector<Selection> all;
  for (const std::int64_t number : candidates) {
    all.push_back(selection_of(kinds, {number}, most));
    if (number > 1) all.push_back(selection_of(kinds, {1, number}, most));
  }
  Selection best = best_of(std::move(all));
  constexpr int kMostNumbers = 8;
  for (int i = 0; i < kMostNumbers && best.launches < most; ++i) {
    std::vector<Selection> larger{best};
    for (const std::int64_t number : candidates) {
      std::set<std::int64_t> numbers(best.numbers.begin(), best.numbers.end());
      if (numbers.insert(number).second)
        larger.push_back(selection_of(kinds, Numbers(numbers.begin(), numbers.end()), most));
    }
    Selection next = best_of(std::move(larger));
    if (next.numbers == best.numbers) break;
    best = std::move(next);
  }
  return best;
}

// An invocation number, of every kernel that has so many.
struct InvocationNumber {
  std::size_t launches = 0;
  std::vector<std::pair<std::size_t, double>> kinds;  // and the time that it represents
};

// The first launch of a kind represents it only where there is no other.
std::map<std::int64_t, InvocationNumber> invocations_of(const std::vector<KindOfLaunch>& kinds) {
  std::map<std::int64_t, InvocationNumber> out;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const Launches& launches = kinds[k].launches;
    for (std::size_t n = 0; n < launches.size(); ++n) {
      InvocationNumber& number = out[launches[n]->invocation];
      ++number.launches;
      if (n > 0 || launches.size() == 1)
        number.kinds.emplace_back(k, represented_us(kinds[k], {launches[n]}));
    }
  }
  return out;
}

// The numbers that represent most time of kinds without another one, for each of their launches.
Selection best_invocations(const std::vector<KindOfLaunch>& kinds, std::size_t most) {
  std::map<std::int64_t, InvocationNumber> numbers = invocations_of(kinds);
  std::vector<bool> has(kinds.size());  // [kind] whether a chosen number represents it
  Selection out;
  for (;;) {
    auto best = numbers.end();
    double most_gain = 0;
    for (auto it = numbers.begin(); it != numbers.end(); ++it) {
      const InvocationNumber& number = it->second;
      if (out.launches + number.launches > most) continue;
      double gain = 0;
      for (const auto& [kind, us] : number.kinds) gain += has[kind] ? 0 : us;
      gain /= static_cast<double>(number.launches);
      if (gain > most_gain) std::tie(best, most_gain) = std::pair(it, gain);
    }
    if (best == numbers.end()) break;
    out.numbers.push_back(best->first);
    out.launches += best->second.launches;
    for (const auto& [kind, us] : best->second.kinds) has[kind] = true;
    numbers.erase(best);
  }
  std::sort(out.numbers.begin(), out.numbers.end());
  for (const KindOfLaunch& kind : kinds) {
    out.represented_us +=
        represented_us(kind, taken_of(kind, out.numbers, &RecordedLaunch::invocation));
  }
  return out;
}

void count_kinds(const std::vector<KindOfLaunch>& kinds, std::vector<RecordedLaunch>& chosen) {
  std::map<Kind, const KindOfLaunch*> by_kind;
  for (const KindOfLaunch& kind : kinds) by_kind[kind_of(*kind.launches.front())] = &kind;
  for (RecordedLaunch& launch : chosen) {
    const KindOfLaunch& kind = *by_kind.at(kind_of(launch));
    launch.of_kind = static_cast<std::int64_t>(kind.launches.size());
    launch.of_kind_us = kind.total_us;
  }
}

// The fewest launches that a choice can have.
std::size_t least_of(const std::vector<KindOfLaunch>& kinds) {
  std::map<std::string, std::size_t> of_symbol;
  for (const KindOfLaunch& kind : kinds) ++of_symbol[kind.symbol];
  std::size_t least = 0;
  const auto take = [&](std::size_t launches) {
    least = least == 0 ? launches : std::min(least, launches);
  };
  for (const auto& [symbol, launches] : of_symbol) take(launches);
  for (const auto& [value, number] : invocations_of(kinds)) take(number.launches);
  return least;
}

// The launches of the choice, and what they are of the whole.
LaunchChoice taken(const std::vector<RecordedLaunch>& launches, LaunchChoice choice) {
  std::sort(choice.symbols.begin(), choice.symbols.end());
  const auto has = [](const auto& list, const auto& value) {
    return std::binary_search(list.begin(), list.end(), value);
  };
  const bool is_of_kinds = choice.numbers_are == ChosenNumbers::kOfKinds;
  std::set<Kind> all, chosen;
  for (const RecordedLaunch& launch : launches) {
    all.insert(kind_of(launch));
    if (is_of_kinds && !has(choice.symbols, launch.symbol)) continue;
    if (!has(choice.numbers, is_of_kinds ? launch.number : launch.invocation)) continue;
    choice.launches.push_back(launch);
    chosen.insert(kind_of(launch));
  }
  double all_us = 0, chosen_us = 0;
  for (const RecordedLaunch& launch : launches) {
    all_us += launch.time_us;
    if (chosen.contains(kind_of(launch))) chosen_us += launch.time_us;
  }
  choice.kinds = all.size();
  choice.kinds_taken = chosen.size();
  choice.share_of_time = all_us > 0 ? chosen_us / all_us : chosen.empty() ? 0 : 1;
  return choice;
}

}  // namespace

LaunchChoice choose_launches(const std::vector<RecordedLaunch>& launches, std::size_t most) {
  const std::vector<KindOfLaunch> kinds = kinds_of(launches);
  const Selection of_kinds = best_selection(kinds, most),
                  of_kernels = best_invocations(kinds, most);
  const bool is_of_kinds = of_kinds.represented_us >= kNear * of_kernels.represented_us;
  LaunchChoice choice;
  choice.numbers_are = is_of_kinds ? ChosenNumbers::kOfKinds : ChosenNumbers::kOfKernels;
  choice.symbols = of_kinds.symbols;
  if (!is_of_kinds) choice.symbols.clear();
  choice.numbers = is_of_kinds ? of_kinds.numbers : of_kernels.numbers;
  choice = taken(launches, std::move(choice));
  choice.least = least_of(kinds);
  count_kinds(kinds, choice.launches);
  return choice;
}

std::vector<std::string> selection_arguments(const LaunchChoice& choice, bool may_end) {
  std::string symbols, numbers;
  for (const std::string& symbol : choice.symbols)
    symbols += (symbols.empty() ? "" : "|") + literal(symbol);
  for (const std::int64_t number : choice.numbers)
    numbers += (numbers.empty() ? "" : "|") + std::to_string(number);
  const std::string kernels = symbols.empty() ? ":" : "regex:^(" + symbols + ")$:";
  std::vector<std::string> out{"--kernel-id", "::" + kernels + "^(" + numbers + ")$",
                               "--kernel-name-base", "mangled"};
  if (choice.numbers_are == ChosenNumbers::kOfKinds) {
    out.insert(out.end(), {"--filter-mode", "per-launch-config"});
  } else if (may_end) {
    out.insert(out.end(),
               {"--launch-count", std::to_string(choice.launches.size()), "--kill", "yes"});
  }
  return out;
}

}  // namespace pnsim::gpu
