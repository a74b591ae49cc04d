// Runs the built program as a user does: arguments in, exit code and both streams out.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace pnsim {

struct ProgramResult {
  int code = -1;
  std::string out;
  std::string err;
};

// An empty folder for one test.
inline std::string scratch_folder() {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) /
                                       (std::string("pnsim_") + info->test_suite_name() + "_" +
                                        std::filesystem::path(info->name()).filename().string());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder.string();
}

inline std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

inline std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// Runs `arguments` through the shell, after "PROGRAM ".
inline ProgramResult run_program(const std::string& arguments) {
  const std::string folder = testing::TempDir();
  const std::string out = folder + "/out." + std::to_string(::getpid());
  const std::string err = folder + "/err." + std::to_string(::getpid());
  const std::string command =
      std::string(PNSIM_PROGRAM) + " " + arguments + " >" + out + " 2>" + err + " </dev/null";
  const int status = std::system(command.c_str());
  ProgramResult result{WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_text(out),
                       file_text(err)};
  std::filesystem::remove(out);
  std::filesystem::remove(err);
  return result;
}

}  // namespace pnsim
