// Interruptions of commands that must finish something before they exit.
#pragma once

namespace pnsim {

// Records SIGINT (Ctrl-C), SIGTERM and SIGHUP from now on instead of ending the process. A second
// one ends it with status 128 + signal. SIGHUP stays ignored under nohup.
void note_interrupts();

// The first signal that arrived after note_interrupts(); 0 while there is none.
int interrupting_signal();

}  // namespace pnsim
