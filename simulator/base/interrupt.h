// Ctrl-C for commands that have something to finish first.
#pragma once

namespace pnsim {

// From now on SIGINT is noted instead of ending the process; a second one ends it with 130.
void note_interrupts();

// SIGINT came since note_interrupts().
bool interrupted();

}  // namespace pnsim
