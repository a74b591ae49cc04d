// experiment report DIR: makes the tables and plots of a run again from its rows. With --html it
// writes that file alone and leaves the folder as it is.
#include <spdlog/spdlog.h>

#include "experiments/cli/commands.h"
#include "experiments/report/report_html.h"
#include "experiments/spec/options.h"
#include "simulator/base/output.h"

namespace pnsim::experiments {
namespace {

void rewrite_files(const std::string& folder, const RunResults& results,
                   const OutputOptions& output) {
  std::vector<std::string> written;
  for (const std::string& file : write_report(folder, results)) {
    spdlog::debug("wrote {}/{}", folder, file);
    written.push_back(folder + "/" + file);
  }
  check_output_apart(output, written);
}

}  // namespace

void add_report_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub =
      app.add_subcommand("report", "tables and plots again from the rows of `experiment run`");
  auto output = std::make_shared<OutputOptions>();
  auto folder = std::make_shared<std::string>();
  sub->add_option("DIR", *folder, "the --out folder of a run")->required();
  add_json_flag(*sub, *output);
  add_csv_flag(*sub, *output);
  add_html_flag(*sub, *output);
  sub->callback([&invocation, output, folder] {
    invocation.action = [&invocation, output, folder] {
      check_output(*output);
      check_output_apart(*output, report_files(*folder));
      const RunResults results = load_results(*folder);
      check_output(*output);  // none of them is what was read
      const std::string incomplete = incomplete_text(results);
      if (!incomplete.empty()) spdlog::warn("{}: {}", *folder, incomplete);
      if (output->html.empty()) {
        rewrite_files(*folder, results, *output);
      } else {
        write_file_whole(output->html, report_html(results));
      }
      write_output(*output, {report_text(results, invocation.verbose),
                             summary_json(results).dump(1) + "\n", points_csv(results)});
      return ExitCode::kOk;
    };
  });
}

}  // namespace pnsim::experiments
