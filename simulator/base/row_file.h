// A file of rows that one process at a time appends to. At any moment it holds whole rows, and at
// most one cut-off row at its end (when a process was killed).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/base/output_file.h"

namespace pnsim {

class RowFile {
 public:
  enum class IfBusy { kFail, kStayClosed };

  // Opens the file, makes it if it is not there, and locks it (flock) until this object goes. When
  // another process has it: error 4, or is_open() is false. Error 74 when it cannot be opened. What
  // is no regular file (a pipe, /dev/stdout) is neither locked nor ever cut.
  explicit RowFile(const OutputFile& file, IfBusy if_busy = IfBusy::kFail);
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;
  ~RowFile();

  bool is_open() const { return fd_ >= 0; }
  const std::string& path() const { return path_; }
  std::uint64_t size() const;  // bytes; 0 for what is no regular file

  // Appends whole rows with one write. When that fails in its middle, the rows before stay, and no
  // part of one. Error 74 (141 for a reader that went away).
  void append(std::string_view rows);

  // Cuts the file after so many bytes. Error 74.
  void cut(std::uint64_t bytes);

  // To the disk: some file systems tell only now that they are full. Error 74.
  void sync();

 private:
  bool open_and_lock();
  [[noreturn]] void fail() const;

  std::string path_;
  int fd_ = -1;
  bool is_regular_ = false;
};

}  // namespace pnsim
