// What a signal that ends the process must not leave behind: running children, temporary folders,
// and the partial file of whole_file.h; and what it says to the user.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

namespace pnsim {

// A child that leads a process group of its own. While the object lives, a signal that ends this
// process ends the group too.
class NotedChild {
 public:
  explicit NotedChild(pid_t child);
  ~NotedChild();
  NotedChild(const NotedChild&) = delete;
  NotedChild& operator=(const NotedChild&) = delete;

 private:
  std::size_t slot_;
};

// A temporary folder, below the system's folder for such things. It is removed with its content
// when the object is destroyed, or when a signal ends this process. Error 74.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::size_t slot_;
};

// What a signal that ends the process says on stderr while the object lives: which results are
// kept, and how to continue. One at a time.
class InterruptText {
 public:
  explicit InterruptText(const std::string& text) { set(text); }
  ~InterruptText();
  InterruptText(const InterruptText&) = delete;
  InterruptText& operator=(const InterruptText&) = delete;

  void set(const std::string& text) const;  // of one line; its end is cut off after 8 KiB
};

// Ends the group of this child: asks with SIGTERM, and kills what is left after two seconds, or a
// moment after the child itself has ended. Reaps the child. Safe in signal handlers.
void end_child(pid_t child);

// For signal handlers: ends the noted children, removes what was noted, prints the text, and ends
// the process with 128 + signal.
[[noreturn]] void end_by_signal(int signal);

}  // namespace pnsim
