// A data folder for tests: the shipped nets, a toy GPU, two toy programs with recorded times and an
// experiment over them. PNSIM_HOME points to it while the object lives.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "simulator/base/json.h"

namespace pnsim::experiments {

class ToyRoot {
 public:
  ToyRoot() : source_(std::filesystem::path(PNSIM_TEST_DATA).parent_path().parent_path()) {
    namespace fs = std::filesystem;
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = testing::TempDir() + "toy_" + test->test_suite_name() + "_" + test->name();
    fs::remove_all(root_);
    for (const char* folder :
         {"models/nets", "models/devices", "results/toy", "experiments/specs"}) {
      fs::create_directories(root_ + "/" + folder);
    }
    for (const char* net : {"wpnm.json", "wpnm_literal.json"}) {
      fs::copy(source_ / "models/nets" / net, root_ + "/models/nets/" + net);
    }
    write("models/devices/toy.json", device());
    write("models/toy_a.json", model("toy_a", 4, 1));
    write("models/toy_b.json", model("toy_b", 8, 2));
    write("experiments/specs/toy.json", spec());
    write("results/toy/times.jsonl", times("toy_a", 3.0) + times("toy_b", 5.0));
    setenv("PNSIM_HOME", root_.c_str(), 1);
  }
  ~ToyRoot() {
    unsetenv("PNSIM_HOME");
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  ToyRoot(const ToyRoot&) = delete;
  ToyRoot& operator=(const ToyRoot&) = delete;

  const std::string& path() const { return root_; }
  std::string path(const std::string& name) const { return root_ + "/" + name; }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string& name) const { return read_file(path(name)); }

  static std::string spec() {
    return R"({"kind":"experiment","version":1,"name":"toy","description":"two toys",
"axes":["program=[toy_a,toy_b]","n[pow2]=[12:15]","block=[64,128]"],
"size_axis":"n","tuning_axis":"block","training":"even-log2",
"net":"wpnm","device":"toy","mode":"warm",
"reference":{"name":"the paper's","parameters":{"l1":20,"l2":2}},
"grid":["l1=[10,20]","l2=[1,2]"]})";
  }

  // 8 keys per thread. Every warp executes `arithmetic` and `global` instructions.
  static std::string model(const std::string& name, int arithmetic, int global) {
    std::string points;
    for (const int n : {4096, 8192, 16384, 32768}) {
      for (const int block : {64, 128}) {
        const int grid = n / (8 * block);
        Json launch = {{"kernel", name}, {"grid", grid}, {"block", block}, {"resident_blocks", 4}};
        launch["warps"] = Json::array();
        launch["warps"].push_back(
            {{"count", grid * block / 32},
             {"program", Json::array({{{"arithmetic", arithmetic}, {"global", global}}})}});
        points +=
            std::string(points.empty() ? "" : ",") +
            Json{{"problem", {{"n", n}, {"block", block}}}, {"launches", Json::array({launch})}}
                .dump();
      }
    }
    return R"({"kind":"kernel-model","version":2,"name":")" + name +
           R"(","net":"wpnm","device":"toy","problem":{"n":4096,"block":64},"points":[)" + points +
           "]}";
  }

  // A time that grows with n and slightly with the block size.
  static std::string times(const std::string& program, double factor) {
    std::string rows;
    for (const int n : {4096, 8192, 16384, 32768}) {
      for (const int block : {64, 128}) {
        const double us = factor * n / 4096 + block / 1000.0;
        rows += Json{{"id", program + std::to_string(n) + "-" + std::to_string(block)},
                     {"kind", "time"},
                     {"program", program},
                     {"axes", {{"n", n}, {"block", block}}},
                     {"mode", "warm"},
                     {"median_us", us},
                     {"p05_us", us * 0.99},
                     {"p95_us", us * 1.01}}
                    .dump() +
                "\n";
      }
    }
    return rows;
  }

  static std::string device() {
    return R"({"kind":"device","version":1,"name":"toy","title":"Toy GPU","facts":{
"sms":{"value":2,"unit":"SM","source":"made up"},
"schedulers_per_sm":{"value":4,"unit":"scheduler","source":"made up"}}})";
  }

 private:
  std::filesystem::path source_;
  std::string root_;
};

}  // namespace pnsim::experiments
