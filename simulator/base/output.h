// Output of results: files are written whole or not at all, and the reader of stdout may disappear.
#pragma once

#include <string>
#include <string_view>

#include "simulator/base/output_file.h"

namespace pnsim {

// Writes a temporary file next to the target, then renames it. The target is therefore either
// complete or unchanged. A path that is not a regular file (a pipe, /dev/stdout) is written
// directly. Error 74.
void write_file_whole(const OutputFile& file, std::string_view content);

// Creates the folder and its parents. Error 74, also for a folder in which no file can be made: a
// command calls this before it computes what it will write there.
void make_folder(const OutputFile& folder);

// An exclusive lock on a folder, held for the lifetime of the object. It protects files that are
// read, changed and rewritten. When another process holds the lock, the constructor waits for it,
// or throws error 4. On a file system without locks it has no effect. Error 74 for a missing
// folder.
class FolderLock {
 public:
  enum class IfBusy { kWait, kFail };

  explicit FolderLock(const std::string& path, IfBusy if_busy = IfBusy::kWait);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int folder_;
};

// Appends one line (a newline is added) or nothing. A torn row at the end of the file, which a
// killed process may leave, is cut off first. Error 3 when the file ends in anything else
// without a newline. Waits for other processes that append. Error 74.
void append_line(const OutputFile& file, std::string_view line);

// Writes all of `text` to stdout. Error 74; a closed reader is error 141, for which main prints no
// message.
void write_stdout(std::string_view text);

// The same for text that people read: lines that are wider than output_columns() are broken.
void write_text(const std::string& text);

// Call this first in main. A closed pipe and a file beyond the size limit (ulimit -f) then cause
// write errors instead of ending the process.
void ignore_write_signals();

}  // namespace pnsim
