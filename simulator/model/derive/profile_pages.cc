#include "simulator/model/derive/profile_pages.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "simulator/base/error.h"
#include "simulator/base/json.h"
#include "simulator/base/ncu.h"
#include "simulator/base/provenance.h"
#include "simulator/base/table.h"
#include "simulator/model/derive/in_place_page.h"
#include "simulator/model/derive/raw_row.h"
#include "simulator/model/derive/report_import.h"
#include "simulator/model/derive/source_check.h"
#include "simulator/model/sass/page_text.h"

namespace pnsim {
namespace {

std::string launch_text(const ProfiledLaunch& launch) {
  return "launch " + std::to_string(launch.id) + " (" + launch.kernel + ")";
}

// One warning an opcode, not one a launch: a program may have thousands of launches.
void warn_of_unknown_opcodes(const std::string& source, ProfilePages& pages) {
  struct Use {
    std::int64_t count = 0;
    std::size_t launches = 0;
    const ProfiledLaunch* first = nullptr;
  };
  std::map<std::string, Use> uses;
  for (const ProfiledLaunch& launch : pages.launches) {
    for (const auto& [opcode, count] : launch.launch.unknown_opcodes) {
      Use& use = uses[opcode];
      use.count += count;
      ++use.launches;
      if (!use.first) use.first = &launch;
    }
  }
  for (const auto& [opcode, use] : uses) {
    pages.warnings.push_back(
        source + ": " + launch_text(*use.first) +
        (use.launches > 1 ? " and " + std::to_string(use.launches - 1) + " more" : "") +
        ": the opcode " + opcode + " is not known; its " + std::to_string(use.count) +
        " warp instructions count as arithmetic, class \"other\"");
  }
}

// Differences occur where branches split warps, where warps spin, and where predicates depend on
// data: the profiler counts each metric in a run of its own.
void tell_differences(const SourceCheck& check, ProfilePages& pages) {
  const std::vector<std::string>& differences = check.differences;
  if (differences.empty()) return;
  constexpr std::size_t kMostLines = 6;
  for (std::size_t i = 0; i < std::min(differences.size(), kMostLines); ++i) {
    pages.notes.push_back("tolerated: " + differences[i]);
  }
  if (differences.size() > kMostLines) {
    pages.notes.push_back("tolerated: " + std::to_string(differences.size() - kMostLines) +
                          " more launches with such differences");
  }
  if (check.tolerated_sums == 0) return;  // tables that belong to no launch are no difference
  pages.notes.push_back(
      "counts of branches, predicates and waiting loops differ from one of the profiler's runs to "
      "the next: the source page's are taken");
}

// The columns that some launch lacks, in the order of the table of columns.
std::vector<std::string> missing_in(const RawLaunches& page,
                                    std::vector<std::string> ProfiledLaunch::*missing) {
  std::vector<std::string> out;
  for (const ProfiledLaunch& launch : page.launches) {
    for (const std::string& column : launch.*missing) {
      if (std::find(out.begin(), out.end(), column) == out.end()) out.push_back(column);
    }
  }
  return out;
}

// A launch that alone lacks a column is skipped; a column that all lack is an error.
void check_missing(const ProfileFiles& files, RawLaunches& page, ProfilePages& pages) {
  const auto of_slices = missing_in(page, &ProfiledLaunch::missing_of_slices);
  if (!of_slices.empty()) {
    pages.warnings.push_back(files.raw + ": found no numbers in " + quoted_columns(of_slices) +
                             ": the atomics of a launch are taken to be spread over all slices of "
                             "L2, and times of atomics on few words are too short; profile with: " +
                             profile_line());
  }
  const auto missing = missing_in(page, &ProfiledLaunch::missing);
  if (missing.empty()) return;
  const std::string what = files.raw + ": found no numbers in " + quoted_columns(missing) +
                           ", which decide the predicted time";
  if (files.allow_missing) {
    pages.warnings.push_back(what +
                             "; the models keep these names, and their predictions repeat them");
    return;
  }
  const bool all_lack = std::all_of(page.launches.begin(), page.launches.end(),
                                    [](const auto& launch) { return !launch.missing.empty(); });
  const std::string remedy =
      "; profile with: " + profile_line() + "\n  or go on without them: --allow-missing";
  if (all_lack) throw Error(ExitCode::kBadInput, what + remedy);
  for (std::size_t i = 0; i < page.launches.size(); ++i) {
    if (page.launches[i].missing.empty() || !page.faults[i].empty()) continue;
    page.faults[i] = files.raw + ": " + launch_text(page.launches[i]) + ": found no numbers in " +
                     quoted_columns(page.launches[i].missing) + remedy;
  }
}

// Parts the launches by whether they have a fault.
void part(RawLaunches page, ProfilePages& pages) {
  for (std::size_t i = 0; i < page.launches.size(); ++i) {
    ProfiledLaunch& launch = page.launches[i];
    launch.position = i;
    if (page.faults[i].empty()) {
      pages.launches.push_back(std::move(launch));
    } else {
      pages.skipped.push_back({i, launch.id, name_for_json(launch.kernel), page.faults[i]});
    }
  }
}

// The option that accepts the sums that differ, or why none does; "" where no sum differs.
std::string tolerance_hint(double needed) {
  constexpr double kMostTolerance = 0.5;
  if (needed == 0) return "";
  if (needed > kMostTolerance) {
    return "; some sum differs by more than half, so the tables may be of other launches, or a "
           "kernel executes other instructions each time it runs, as where its threads race";
  }
  const double percent = 100 * needed;
  return "; to accept sums that differ by up to " + significant(percent, 2) +
         " %, add: --tolerance " + std::to_string(static_cast<int>(std::floor(percent)) + 1);
}

void warn_of_skipped(const std::string& raw, double needed_tolerance, ProfilePages& pages) {
  if (pages.skipped.empty()) return;
  const std::string hint = tolerance_hint(needed_tolerance);
  const std::size_t all = pages.launches.size() + pages.skipped.size();
  if (pages.launches.empty()) {
    throw Error(ExitCode::kBadInput,
                pages.skipped.front().why +
                    (all == 1 ? ""
                              : "\n  likewise, none of the " + std::to_string(all) +
                                    " launches of " + raw + " has a model") +
                    hint);
  }
  for (const SkippedLaunch& launch : pages.skipped) {
    pages.warnings.push_back("skipped: " + launch.why);
  }
  pages.warnings.push_back(raw + ": skipped " + std::to_string(pages.skipped.size()) + " of " +
                           std::to_string(all) + " launches, for the reasons above" + hint);
}

struct PageTexts {
  std::string raw, source;
  std::string source_origin;  // the file that the source page comes from; "" for none
};

PageTexts read_texts(const ProfileFiles& files) {
  PageTexts out;
  const bool is_report = is_ncu_report(files.raw);
  out.raw = is_report ? raw_page_of_report(files.raw) : read_file_or_pipe(files.raw);
  out.source_origin = files.source.empty() && is_report ? files.raw : files.source;
  if (out.source_origin.empty()) return out;
  out.source = is_ncu_report(out.source_origin) ? source_page_of_report(out.source_origin)
                                                : read_file_or_pipe(out.source_origin);
  return out;
}

// Error 3 for the raw page itself, whose counts are those of repeated launches.
void check_other_page(const std::string& text, const ProfileFiles& files,
                      const ProfilePages& pages) {
  if (text != pages.raw) return;
  fail_input(files.in_place, "is the same page as the raw page " + files.raw +
                                 "; expected one of ncu --replay-mode application");
}

// The longer of two names of one kernel has all its namespaces.
void take_longer_name(const std::string& name, ProfiledLaunch& launch) {
  if (name.size() <= launch.kernel.size()) return;
  launch.kernel = launch.launch.kernel = name;
}

}  // namespace

ProfilePages read_profile_pages(const ProfileFiles& files) {
  PageTexts texts = read_texts(files);
  ProfilePages pages;
  RawLaunches page = read_raw_launches(texts.raw, files.raw);
  pages.raw = std::move(texts.raw);
  if (texts.source_origin.empty()) {
    part(std::move(page), pages);
    warn_of_skipped(files.raw, 0, pages);
    return pages;
  }
  check_missing(files, page, pages);
  SourceCheck check = compare_with_source(page.launches, page.faults, texts.source,
                                          texts.source_origin, files.tolerance);
  tell_differences(check, pages);
  for (std::size_t i = 0; i < page.launches.size(); ++i) {
    take_longer_name(check.launches[i].kernel, page.launches[i]);
  }
  page.faults = add_programs(page.launches, check.tables, std::move(check.faults));
  part(std::move(page), pages);
  warn_of_skipped(files.raw, check.needed_tolerance, pages);
  const auto sums = std::accumulate(check.sums.begin(), check.sums.end(), std::size_t{0});
  pages.notes.push_back(
      texts.source_origin + ": " + std::to_string(sums) + " sums of " +
      std::to_string(pages.launches.size()) +
      (pages.launches.size() == 1 ? " launch" : " launches") + " equal the raw page's" +
      (check.tolerated_sums == 0
           ? ""
           : "; " + std::to_string(check.tolerated_sums) + " differ within the tolerance"));
  warn_of_unknown_opcodes(texts.source_origin, pages);
  if (!files.in_place.empty()) {
    const std::string in_place = is_ncu_report(files.in_place) ? raw_page_of_report(files.in_place)
                                                               : read_file_or_pipe(files.in_place);
    check_other_page(in_place, files, pages);
    const std::vector<std::string> warnings = add_in_place_page(
        in_place, files.in_place, pages.launches.size() + pages.skipped.size(), pages.launches);
    pages.warnings.insert(pages.warnings.end(), warnings.begin(), warnings.end());
  }
  return pages;
}

}  // namespace pnsim
