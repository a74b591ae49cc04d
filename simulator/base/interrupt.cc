#include "simulator/base/interrupt.h"

#include <csignal>

#include "simulator/base/leftovers.h"

namespace pnsim {
namespace {

volatile std::sig_atomic_t noted = 0;

void note(int signal) {
  if (noted != 0) end_by_signal(signal);
  noted = signal;
}

}  // namespace

void note_interrupts() {
  noted = 0;
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
  if (std::signal(SIGHUP, note) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

int interrupting_signal() { return noted; }

}  // namespace pnsim
