// How many different sectors random accesses to a table touch.
#pragma once

namespace pnsim {

// A table is accessed at random, `accesses` times per sector on average: e^-accesses of its sectors
// are never touched. Returns the touched sectors per access, from 1 (few accesses) down to 0.
double touched_per_access(double accesses);

// The inverse: at how many accesses per sector is this the share of them that touches a new one? 0
// from a share of 1 on; the share is over 0.
double accesses_per_sector(double share);

}  // namespace pnsim
