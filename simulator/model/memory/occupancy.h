// How many different sectors random accesses to a table touch.
#pragma once

namespace pnsim {

// A table is accessed at random, `accesses` times per sector on average: e^-accesses of its sectors
// are never touched. Returns the touched sectors per access, from 1 (few accesses) down to 0.
double touched_per_access(double accesses);

// The inverse of touched_per_access(): the accesses per sector that give `share` (over 0) touched
// sectors per access. 0 for a share of 1 or more.
double accesses_per_sector(double share);

}  // namespace pnsim
