#include "simulator/base/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "simulator/base/error.h"
#include "simulator/base/whole_file.h"

namespace pnsim {
namespace {

volatile std::sig_atomic_t noted = 0;

void note(int) {
  if (noted) {
    remove_partial_file();
    _exit(static_cast<int>(ExitCode::kInterrupted));
  }
  noted = 1;
}

}  // namespace

void note_interrupts() {
  noted = 0;
  std::signal(SIGINT, note);
}

bool interrupted() { return noted != 0; }

}  // namespace pnsim
