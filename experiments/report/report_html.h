// The report of a run as one HTML file.
#pragma once

#include <span>
#include <string>

#include "experiments/report/report.h"
#include "simulator/base/html_page.h"
#include "simulator/base/svg_plot.h"

namespace pnsim::experiments {

// The tables and plots of write_report(), a scatter plot, a curve of the errors, and the rows as
// embedded JSON (id "summary" and id "rows"). Nothing in it is loaded from elsewhere.
std::string report_html(const RunResults& results);

// Adds sections under their titles. `tables`: MadeTables::all() of what made their texts.
void add_sections(std::span<const Section> sections, const std::vector<MadeTable>& tables,
                  HtmlPage& page);

// Version, commit, date and command.
void add_provenance(const std::string& version, const std::string& commit, const std::string& date,
                    const std::string& command, HtmlPage& page);

// A series of errors (shares) in ascending order: the share of the points whose error is at most a
// value, both in percent. Errors under 0.1 % are drawn at 0.1 %.
PlotSeries sorted_errors(std::vector<double> errors, const std::string& name, int look);

}  // namespace pnsim::experiments
