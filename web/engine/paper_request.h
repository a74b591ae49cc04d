// Members that requests about the paper's net share.
#pragma once

#include "simulator/base/json_reader.h"
#include "simulator/model/template/instantiate.h"

namespace pnsim {

// The template that "net" names: "wpnm" or "wpnm_literal". Error 2 for another name.
NetTemplate paper_net(const JsonReader& request);

// A parameter of the net. The template checks its range; this only refuses what is no integer.
std::int64_t paper_number(const JsonReader& number);

// W, S, xa, xs and xg; error 3 when one is missing.
ParameterValues paper_counts(const JsonReader& request);

// "seed", or 1.
std::uint64_t seed_of(const JsonReader& request);

// "max_steps", or a limit that a page reaches within seconds.
std::uint64_t max_steps_of(const JsonReader& request);

}  // namespace pnsim
