// Template + parameter values -> Net.
#pragma once

#include <span>
#include <string>

#include "simulator/model/template/net_template.h"
#include "simulator/model/template/parameters.h"
#include "simulator/net/net.h"

namespace pnsim {

// Of a net from a template whose units are mostly asked for by few segments most transitions are
// dead.
enum class Part {
  kAll,
  kNotDead,  // without transitions that can never be enabled (NetBuilder::leave_out_dead)
};

// Instances of one template place, or transition, have consecutive indices, in the order of the
// template. Error 3 for counts over the bounds (before anything is allocated), for expressions that
// come out negative or over 2^62, and for lists of the wrong length.
Net instantiate(const NetTemplate& net_template, const ParameterValues& overrides = {},
                Part part = Part::kAll);

// The initial marking of that net, in a fraction of the time.
Marking initial_marking(const NetTemplate& net_template, const ParameterValues& overrides);

// Nets with other values of these parameters differ in their initial markings alone.
bool only_tokens_use(const NetTemplate& net_template, std::span<const std::string> parameters);

}  // namespace pnsim
