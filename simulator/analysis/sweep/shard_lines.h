// Reads the lines of a file that is one of many read side by side. There may be more such files
// than a process may have open.
#pragma once

#include <cstdint>
#include <string>

namespace pnsim {

// A regular file is open only while a part of it is read. Any other file (a pipe) stays open.
class ShardLines {
 public:
  // Error 3 for a file that cannot be read.
  explicit ShardLines(std::string path);
  ShardLines(const ShardLines&) = delete;
  ShardLines& operator=(const ShardLines&) = delete;
  ~ShardLines();

  // Returns false at the end of the file. is_cut_off() is true after a last line without a newline.
  // Error 3 for a line that is too long (read_line.h).
  bool next(std::string& line);
  bool is_cut_off() const { return is_cut_off_; }
  std::uint64_t number() const { return number_; }  // of the last line, from 1

 private:
  bool fill();  // false at the end of the file
  void open();
  void close();

  std::string path_;
  int fd_ = -1;
  bool stays_open_ = false, is_cut_off_ = false;
  std::uint64_t offset_ = 0;  // of the next read
  std::uint64_t number_ = 0;
  std::string part_;
  std::size_t at_ = 0;  // in part_
};

}  // namespace pnsim
