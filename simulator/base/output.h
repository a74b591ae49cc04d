// Writing results: whole files or none, and a stdout whose reader may go away.
#pragma once

#include <string>
#include <string_view>

#include "simulator/base/output_file.h"

namespace pnsim {

// Writes beside the target, then renames: the file is whole or as it was before. A path that is
// not a regular file (a pipe, /dev/stdout) is written straight. Error 74.
void write_file_whole(const OutputFile& file, std::string_view content);

// Creates the folder and its parents. Error 74.
void make_folder(const OutputFile& folder);

// As long as it lives no other process has one of that folder: for files that are read, changed and
// written whole. It waits for others. Where a file system knows no locks it does nothing. Error 74
// for a missing folder.
class FolderLock {
 public:
  explicit FolderLock(const std::string& path);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int folder_;
};

// Appends one line (a newline is added) or nothing. A torn row at the end of the file, which a
// killed process may leave, is cut off first. Waits for other processes that append. Error 74.
void append_line(const OutputFile& file, std::string_view line);

// All of `text` to stdout. Error 74; a reader that went away is error 141, which main says nothing
// about.
void write_stdout(std::string_view text);

// Call first in main: a closed pipe and a file over the limit of sizes (ulimit -f) then show as
// write errors instead of ending the process.
void ignore_write_signals();

}  // namespace pnsim
