// A file of rows to which one process at a time appends. At any moment it holds complete rows, and
// at most one incomplete row at its end (after a process was killed).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/base/output_file.h"

namespace pnsim {

class RowFile {
 public:
  enum class IfBusy { kFail, kStayClosed };

  // Opens or creates the file and locks it (flock) for the lifetime of this object. When another
  // process holds the lock: error 4, or is_open() is false. Error 74 when the file cannot be
  // opened. A path that is not a regular file (a pipe, /dev/stdout) is neither locked nor
  // truncated.
  explicit RowFile(const OutputFile& file, IfBusy if_busy = IfBusy::kFail);
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;
  ~RowFile();

  bool is_open() const { return fd_ >= 0; }
  const std::string& path() const { return path_; }
  std::uint64_t size() const;  // bytes; 0 for a path that is not a regular file

  // Appends complete rows with one write. When the write fails in its middle, the complete rows
  // stay and the incomplete one is removed. Error 74 (141 when the reader closed the pipe), also
  // when another program removed, replaced or changed the file, because rows would then be lost.
  void append(std::string_view rows);

  // Truncates the file to `bytes`. Error 74.
  void cut(std::uint64_t bytes);

  // Flushes to the disk; some file systems report a full disk only now. Checks again that the file
  // is still there with all its rows. Error 74.
  void sync();

 private:
  bool open_and_lock();
  void check_in_place() const;
  [[noreturn]] void fail() const;

  std::string path_;
  int fd_ = -1;
  bool is_regular_ = false;
  std::uint64_t expected_size_ = 0;  // of a regular file
};

}  // namespace pnsim
