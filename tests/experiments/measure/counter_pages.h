// Handmade raw pages of the profiler with their manifests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "experiments/measure/counts_import.h"

namespace pnsim::experiments {

inline constexpr const char* kHeader =
    "ID,Kernel Name,device__attribute_display_name,launch__grid_size,launch__block_size,"
    "launch__registers_per_thread,launch__shared_mem_per_block_static,"
    "launch__shared_mem_per_block_dynamic,launch__occupancy_limit_blocks,"
    "launch__occupancy_limit_registers,launch__occupancy_limit_shared_mem,"
    "launch__occupancy_limit_warps,smsp__inst_executed.sum,smsp__sass_inst_executed_op_global_ld."
    "sum,"
    "smsp__sass_inst_executed_op_global_st.sum,smsp__sass_inst_executed_op_shared_ld.sum,"
    "smsp__sass_inst_executed_op_shared_st.sum,gpu__time_duration.sum\n"
    ",,,block,thread,register/thread,byte/block,byte/block,block,block,block,block,"
    "inst,inst,inst,inst,inst,ns\n";

// A raw page and its manifest, built launch by launch.
class Pages {
 public:
  Pages() {
    raw_ = kHeader;
    folder_ = testing::TempDir() + "pages_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  // 4 blocks of 64 threads: 8 warps.
  Pages& add(const std::string& program, int n, int pass, const std::string& kernel,
             int instructions, int loads = 16) {
    raw_ += std::to_string(count_) + "," + kernel + "(int *),Toy GPU,4,64,16,0,0,32,16,32,32," +
            std::to_string(instructions) + "," + std::to_string(loads) + ",8,0,0,1000\n";
    manifest_ += Json{{"index", count_},
                      {"program", program},
                      {"n", n},
                      {"block", 64},
                      {"pass", pass},
                      {"kernel", kernel},
                      {"grid", 4},
                      {"threads", 64},
                      {"input", {{"distribution", "uniform"}, {"seed", 1}}}}
                     .dump() +
                 "\n";
    ++count_;
    return *this;
  }
  // Appends a column to the page: name, unit and one value for every launch.
  void add_column(const std::string& name, const std::string& unit, const std::string& value) {
    std::istringstream lines(raw_);
    raw_.clear();
    int number = 0;
    for (std::string line; std::getline(lines, line); ++number) {
      raw_ += line + "," + (number == 0 ? name : number == 1 ? unit : value) + "\n";
    }
  }
  CountsFiles files() const {
    std::ofstream(folder_ + "/raw.csv") << raw_;
    std::ofstream(folder_ + "/manifest.jsonl") << manifest_;
    return {folder_ + "/raw.csv", folder_ + "/manifest.jsonl"};
  }
  void replace_in_manifest(const std::string& old, const std::string& fresh) {
    manifest_.replace(manifest_.find(old), old.size(), fresh);
  }
  std::string manifest_;

 private:
  std::string folder_, raw_;
  int count_ = 0;
};

// Two of 32 passes of a program with two kernels: `first` is equal in both, `second` is not.
inline Pages two_passes() {
  Pages pages;
  pages.add("toy", 4096, 0, "first", 800).add("toy", 4096, 0, "second", 400);
  pages.add("toy", 4096, 31, "first", 800).add("toy", 4096, 31, "second", 480);
  return pages;
}

}  // namespace pnsim::experiments
