#include "simulator/base/interrupt.h"

#include <csignal>

#include "simulator/base/leftovers.h"

namespace pnsim {
namespace {

volatile std::sig_atomic_t noted = 0;

void note(int signal) {
  if (noted) end_by_signal(signal);
  noted = 1;
}

}  // namespace

void note_interrupts() {
  noted = 0;
  std::signal(SIGINT, note);
}

bool interrupted() { return noted != 0; }

}  // namespace pnsim
