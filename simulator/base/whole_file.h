// A file that is written piece by piece and appears under its name only when it is whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/base/output_file.h"

namespace pnsim {

// Writes beside the target and renames at the end. A link is written through, also one
// to a file that does not exist yet; a path that is not a
// regular file (a pipe, /dev/stdout) is written straight. When this object goes before keep(), or
// SIGINT ends the process, nothing is left behind. Errors 74 name the target.
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
  std::string target_;   // behind all links
  std::string partial_;  // "" for what is written straight
  int fd_ = -1;
  std::string buffer_;
};

// For signal handlers: takes the partial file away that is being written, if there is one.
void remove_partial_file();

}  // namespace pnsim
