// A profiler for tests: a shell script named ncu, alone on PATH with the shell's own programs.
#pragma once

#include <sys/stat.h>

#include <string>

#include "tests/base/temp_folder.h"

namespace pnsim::test {

class FakeNcu {
 public:
  // `body` is the script; "": there is none, but a real one may be installed where the CUDA toolkit
  // puts it.
  explicit FakeNcu(const std::string& body) : path_("PATH", folder_.path() + ":/usr/bin:/bin") {
    if (body.empty()) return;
    const std::string script = folder_.write("ncu", "#!/bin/sh\n" + body);
    ::chmod(script.c_str(), 0755);
  }

  // Prints these files as the raw page and as the source page of any report.
  static std::string printing(const std::string& raw, const std::string& source) {
    return "case \"$*\" in *'--page raw'*) cat '" + raw + "';; *) cat '" + source + "';; esac\n";
  }

  const TempFolder& folder() const { return folder_; }

 private:
  TempFolder folder_;
  Environment path_;
};

}  // namespace pnsim::test
