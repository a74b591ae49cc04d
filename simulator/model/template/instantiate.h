// Builds a Net from a template and parameter values.
#pragma once

#include <span>
#include <string>

#include "simulator/model/template/net_template.h"
#include "simulator/model/template/parameters.h"
#include "simulator/net/net.h"

namespace pnsim {

// The transitions to build. A template may have units that few segments use; then most transitions
// of its net are dead.
enum class Part {
  kAll,
  kNotDead,  // omits transitions that can never be enabled (NetBuilder::leave_out_dead)
};

// Instances of one template place or transition have consecutive indices, in template order. Error
// 3 for counts beyond the bounds (before any memory is allocated), for values that are negative or
// exceed 2^62, and for lists of the wrong length.
Net instantiate(const NetTemplate& net_template, const ParameterValues& overrides = {},
                Part part = Part::kAll);

// The initial marking of that net. It is much faster than building the net.
Marking initial_marking(const NetTemplate& net_template, const ParameterValues& overrides);

// True when nets that differ in these parameters differ only in their initial markings.
bool only_tokens_use(const NetTemplate& net_template, std::span<const std::string> parameters);

}  // namespace pnsim
