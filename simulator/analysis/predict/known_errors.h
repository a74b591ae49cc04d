// How far to trust a predicted time: the errors of first predictions of programs that others wrote;
// and a time that the profiler measured.
#pragma once

#include <cstddef>
#include <string>

#include "simulator/analysis/predict/run_report.h"

namespace pnsim {

// Errors of the first predictions of CUDA programs in experiments/others, before anybody had looked
// at these programs. A test compares the figures with the recorded predictions.
struct KnownErrors {
  std::size_t launches;
  double median_percent, p90_percent;
};
inline constexpr KnownErrors kFirstErrors{2353, 7.1, 27.6};
// Those of kernels of PyTorch and its libraries, in Triton, of JAX and of CuPy.
inline constexpr KnownErrors kFirstPythonErrors{1051, 6.0, 17.6};

// The same of all launches with tensor cores: of CUDA programs and Python.
inline constexpr KnownErrors kFirstTensorErrors{404, 7.0, 21.3};

// Errors of unprofiled_us() (expected_time.h), of all recorded launches of this length.
inline constexpr KnownErrors kUnprofiledErrors{1547, 1.5, 10.7};

// "half of 1547 recorded launches took within 1.5 % of it, 90 % within 10.7 %".
std::string expected_error_text();

// The errors of kFirstErrors and kFirstPythonErrors in words.
std::string first_errors_text();

// The typical error of the report's time, or why none is known. The figures are of launches that
// were predicted in their program and for the GPU that was profiled; the text says where the report
// differs. "" for a report without a time, and for a net whose step is no cycle.
std::string typical_error_text(const ModelRunReport& report);

}  // namespace pnsim
