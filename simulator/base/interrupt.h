// Ctrl-C handling for commands that must finish something before they exit.
#pragma once

namespace pnsim {

// Records SIGINT from now on instead of ending the process. A second SIGINT ends it with status
// 130.
void note_interrupts();

// True when SIGINT arrived after note_interrupts().
bool interrupted();

}  // namespace pnsim
