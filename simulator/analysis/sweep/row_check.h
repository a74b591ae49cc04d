// Whether a line of a rows file is a row as `pnsim sweep` writes it.
#pragma once

#include <string>

#include "simulator/base/json_reader.h"

namespace pnsim {

// Checks the rows of a sweep, one after the other; they may stand in several files.
class SweepRowCheck {
 public:
  // Error 3 names the place of a key that is missing, of a value that no run gives, of a parameter
  // that differs from its axis, and of a model, net or seed that differs from the first row's.
  void check(const std::string& line, const std::string& where);

 private:
  void check_row(const JsonReader& row) const;

  InputJson first_;    // the first row of the sweep that was checked; null before
  std::string sweep_;  // its id
};

}  // namespace pnsim
