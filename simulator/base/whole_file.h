// A file that is written piece by piece and appears under its name only when it is complete.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/base/output_file.h"

namespace pnsim {

// Writes to a temporary file beside the target, and keep() renames it. A symbolic link is followed
// first, also one to a file that does not exist yet. A path that is not a regular file (a pipe,
// /dev/stdout) is written directly. When this object is destroyed before keep(), or SIGINT ends the
// process, the temporary file is removed. Errors 74 name the target.
class WholeFile {
 public:
  explicit WholeFile(const OutputFile& file);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  void add(std::string_view text);
  void keep();

 private:
  void flush();
  [[noreturn]] void fail();

  std::string path_;     // as given, for messages
  std::string target_;   // after following all links
  std::string partial_;  // the temporary file; "" when the target is written directly
  int fd_ = -1;
  std::string buffer_;
};

// For signal handlers: removes the temporary file that is being written, if there is one.
void remove_partial_file();

}  // namespace pnsim
