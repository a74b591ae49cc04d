// The report of `experiment validate` as one HTML file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/validate/validation_report.h"

namespace pnsim::experiments {

// The tables and plots of write_validation(), the errors by program and predictor as a heat map,
// predicted and measured times program by program, and validation_json() as embedded JSON (id
// "validation"). `more` (may be null) makes further sections, such as the reasons of waiting.
std::string validation_html(const Validation& validation,
                            const std::function<std::vector<Section>()>& more = nullptr);

// A plot per program and mode: times over the axis with most values, one pair of lines for each
// setting of the other axes. Pairs of the program's name and the SVG text.
std::vector<std::pair<std::string, std::string>> program_plots(const Validation& validation);

}  // namespace pnsim::experiments
