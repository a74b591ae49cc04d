#include "simulator/analysis/sweep/shard_lines.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "simulator/base/error.h"
#include "simulator/base/json.h"
#include "simulator/base/read_line.h"

namespace pnsim {
namespace {

constexpr std::size_t kPartBytes = std::size_t{1} << 16;

}  // namespace

ShardLines::ShardLines(std::string path) : path_(std::move(path)) {
  refuse_named_pipe(path_);
  open();
  struct stat status {};
  if (::fstat(fd_, &status) != 0 || S_ISDIR(status.st_mode)) {
    close();
    fail_input(path_, "cannot be read");
  }
  stays_open_ = !S_ISREG(status.st_mode);
  if (!stays_open_) close();
}

ShardLines::~ShardLines() { close(); }

void ShardLines::open() {
  if (fd_ >= 0) return;
  fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) fail_input(path_, std::string("cannot be read: ") + std::strerror(errno));
}

void ShardLines::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

bool ShardLines::fill() {
  open();
  part_.resize(kPartBytes);
  ssize_t got = -1;
  do {
    got = stays_open_ ? ::read(fd_, part_.data(), part_.size())
                      : ::pread(fd_, part_.data(), part_.size(), static_cast<off_t>(offset_));
  } while (got < 0 && errno == EINTR);
  const int cause = errno;
  if (!stays_open_) close();
  if (got < 0) fail_input(path_, std::string("cannot be read: ") + std::strerror(cause));
  part_.resize(static_cast<std::size_t>(got));
  offset_ += static_cast<std::uint64_t>(got);
  at_ = 0;
  return got > 0;
}

bool ShardLines::next(std::string& line) {
  line.clear();
  ++number_;
  while (true) {
    if (at_ == part_.size() && !fill()) {
      is_cut_off_ = !line.empty();
      return is_cut_off_;
    }
    const std::size_t end = part_.find('\n', at_);
    line.append(part_, at_, end == std::string::npos ? end : end - at_);
    if (line.size() > kMaxLineBytes) {
      fail_input(path_ + ": line " + std::to_string(number_),
                 "found a line of over " + std::to_string(kMaxLineBytes) + " bytes");
    }
    at_ = end == std::string::npos ? part_.size() : end + 1;
    if (end != std::string::npos) return true;
  }
}

}  // namespace pnsim
