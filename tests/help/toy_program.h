// A program with a few commands, for tests of what is made of its description.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pnsim::test {

class ToyProgram {
 public:
  ToyProgram() {
    app.add_flag("-q,--quiet", flag_, "no notes");
    CLI::App* run = app.add_subcommand("run", "run a net");
    run->add_option("INPUT", text_, "a net")->required();
    run->add_option("--net", text_, "net template, by name");
    run->add_option("--on", text_, "where")->check(CLI::IsMember({"cpu", "gpu"}));
    run->add_option("-j,--threads", number_, "threads")->check(CLI::Range(0, 8));
    run->add_flag("--json{-}", text_, "JSON on stdout, or --json=FILE");
    run->footer("Example:\n  toy run a-net.json\n.hidden 'quote' \\n\n\nExit codes:\n  0 done");
    CLI::App* merge = app.add_subcommand("merge", "merge rows");
    merge->add_option("ROWS", texts_, "files of rows");
    app.add_subcommand("secret", "an inner command")->group("");
    run->add_option("--inner", text_, "an inner option")->group("");
  }

  CLI::App app{"toy: a toy\nIt does nothing.", "toy"};

 private:
  bool flag_ = false;
  int number_ = 0;
  std::string text_;
  std::vector<std::string> texts_;
};

}  // namespace pnsim::test
