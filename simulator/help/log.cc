#include "simulator/help/log.h"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <mutex>
#include <set>

#include "simulator/base/activity.h"

namespace pnsim {
namespace {

class OnceSink : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t buffer;
    formatter_->format(message, buffer);
    std::string text(buffer.data(), buffer.size());
    const WithoutActivityLine guard;
    if (printed_.insert(text).second) std::fwrite(text.data(), 1, text.size(), stderr);
  }
  void flush_() override { std::fflush(stderr); }

 private:
  std::set<std::string> printed_;
};

}  // namespace

void set_up_log(const std::string& program, LogLevel level) {
  auto log = std::make_shared<spdlog::logger>(program, std::make_shared<OnceSink>());
  log->set_pattern(program + ": %v");
  log->set_level(level == LogLevel::kWarnings  ? spdlog::level::warn
                 : level == LogLevel::kDetails ? spdlog::level::debug
                                               : spdlog::level::info);
  spdlog::set_default_logger(std::move(log));
}

}  // namespace pnsim
