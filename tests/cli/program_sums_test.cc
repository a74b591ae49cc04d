// Tests sums over the launches of a program, of which a model stands for some or many, and how its
// kernels are named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/base/csv.h"
#include "simulator/base/extension.h"
#include "simulator/base/json.h"
#include "simulator/base/table.h"
#include "tests/cli/program.h"
#include "tests/cli/torch_models.h"

namespace pnsim {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> models_in(const std::string& folder) {
  return files_of_folder(folder, ".json", "models").paths;
}

// Writes into the models of the folder for how many launches they stand: 10, 20, ...
void write_stands_for(const std::string& folder) {
  double count = 0;
  for (const std::string& file : models_in(folder)) {
    Json model = Json::parse(file_text(file));
    model["provenance"]["stands_for"] = count += 10;
    write_text(file, model.dump());
  }
}

TEST(ProgramSums, CountTheLaunchesThatModelsStandForIfAllSayIt) {
  const std::string folder = torch_models(), command = "--model " + folder + " --net sm";
  write_stands_for(folder);
  const ProgramResult table = run_program(command);
  EXPECT_THAT(table.out, HasSubstr("  stands for  share %  "));
  double sum_us = 0;
  const Json report = Json::parse(run_program(command + " --json").out);
  for (const Json& model : report["models"])
    sum_us += model["stands_for"].get<double>() * model["time_us"]["value"].get<double>();
  EXPECT_THAT(table.out, HasSubstr("\n6 models, " + significant(sum_us, 4) +
                                   " us predicted in total, for 210 launches of their program\n"));
  EXPECT_THAT(table.out, HasSubstr("sums, shares and order\n  count them all\n"));
  const auto rows = parse_csv(run_program(command + " --sort time --csv").out, "csv");
  double last_us = 1e9, shares = 0;
  for (std::size_t row = 1; row < rows.size(); ++row) {
    const double us = std::stod(rows[row].back()) * std::stod(rows[row][7]);
    EXPECT_LE(us, last_us);
    last_us = us;
    const std::string share = fixed(100 * us / sum_us, 1);
    EXPECT_THAT(table.out, HasSubstr("  " + share + "  "));
    shares += us / sum_us;
  }
  EXPECT_NEAR(shares, 1, 1e-5) << "the CSV has 6 digits of a microsecond";
}

TEST(ProgramSums, TheReportOfOneLaunchSaysWhatItStandsFor) {
  const std::string folder = torch_models(), file = models_in(folder)[0];
  const std::string command = "--model " + file + " --net sm";
  EXPECT_THAT(run_program(command).out, Not(HasSubstr("\nstands for ")));
  write_stands_for(folder);
  EXPECT_THAT(run_program(command).out,
              HasSubstr("\nstands for              10 launches of its program, which have its "
                        "kernel, grid, block and shared memory\n"));
}

TEST(ProgramSums, TablesByGpuCountThemToo) {
  const std::string folder = torch_models(), command = "compare " + folder + " --net sm --device ";
  write_stands_for(folder);
  const ProgramResult two = run_program(command + "h100,h200");
  EXPECT_THAT(two.out, AllOf(HasSubstr(" us in total for 210 launches, h100 "),
                             HasSubstr("  stands for  "), HasSubstr("shares and order\n")));
  const Json table = Json::parse(run_program(command + "h100,h200 --json -q").out);
  const auto us = [](const Json& kernel, std::size_t device) {
    return kernel["stands_for"].get<double>() * kernel["on"][device]["time_us"].get<double>();
  };
  double sum_us = 0;
  for (const Json& kernel : table["kernels"]) sum_us += us(kernel, 1);
  EXPECT_NEAR(table["total_us"][1].get<double>(), sum_us, 1e-6 * sum_us);
  EXPECT_EQ(table["total_launches"], 210);
  EXPECT_THAT(run_program(command + "h100,h200 --csv -q").out, HasSubstr(",,210\n"));
  const Json gains = Json::parse(run_program(command + "h100,h200 --sort gain --json -q").out);
  double last_us = 1e9;
  for (const Json& kernel : gains["kernels"]) {
    EXPECT_LE(us(kernel, 0) - us(kernel, 1), last_us);
    last_us = us(kernel, 0) - us(kernel, 1);
  }
  const std::string one = "compare " + folder + kProduct + " --net sm --device h100,h200";
  EXPECT_THAT(run_program(one).out, Not(HasSubstr("stands for"))) << "one kernel is no program";
}

TEST(ProgramSums, CountAModelOnceThatDoesNotSayForWhatItStands) {
  const std::string folder = torch_models(), command = "--model " + folder + " --net sm";
  EXPECT_THAT(run_program(command).out,
              HasSubstr("each launch counts once, however often its program makes it\n"));
  write_stands_for(folder);
  Json model = Json::parse(file_text(folder + kProduct));
  model["provenance"].erase("stands_for");
  write_text(folder + kProduct, model.dump());
  const std::string once = "represents; 1 of 6 models\n  do not say it and count once";
  EXPECT_THAT(run_program(command).out,
              AllOf(HasSubstr(once), HasSubstr(", for 171 launches of their program\n")));
  EXPECT_THAT(run_program("compare " + folder + " --device h100,h200 --net sm").out,
              AllOf(HasSubstr(once), HasSubstr(" us in total for 171 launches, h100 ")));
  Json twice = model;
  twice["provenance"]["stands_for"] = 3;
  twice["points"][0]["launches"].push_back(twice["points"][0]["launches"][0]);
  write_text(folder + kProduct, twice.dump());
  EXPECT_THAT(run_program("--model " + folder + kProduct).err, HasSubstr("/provenance/stands_for"));
  for (const double bad : {0.5, -1.0, 1e10}) {
    model["provenance"]["stands_for"] = bad;
    write_text(folder + kProduct, model.dump());
    EXPECT_THAT(run_program("--model " + folder + kProduct).err,
                HasSubstr("expected a number of launches, 1 to 10^9"));
  }
}

TEST(ProgramSums, NameTheKernelsThatAnotherGpuCannotRun) {
  const ProgramResult result = run_program("compare " + torch_models() + " --device h200,a100");
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, HasSubstr("Table and totals leave out 1 of 6 kernels that cannot be "
                                    "predicted on each of these GPUs: 0038-nvjet"));
}

TEST(ProgramSums, APageMaySayForHowManyLaunchesEachStands) {
  const std::string folder = scratch_folder(), page = folder + "/raw.csv";
  const auto derive = [&](const std::string& third) {
    const std::vector<std::string> cells{"pnsim__stands_for", "", "1", "2.5", third, "4", "5",
                                         "1000000000"};
    auto rows = parse_csv(file_text(kTorchRaw), "page");
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].push_back(cells.at(i));
      text += csv_line(rows[i]);
    }
    write_text(page, text);
    return run_program("derive --ncu " + page + " --source " + kPages +
                       "/pages/torch.source.csv -o " + folder + "/models");
  };
  ASSERT_EQ(derive("").code, 0);
  std::vector<double> found;
  for (const std::string& file : models_in(folder + "/models"))
    found.push_back(Json::parse(file_text(file))["provenance"].value("stands_for", 0.0));
  EXPECT_THAT(found, testing::ElementsAre(1, 2.5, 0, 4, 5, 1e9));
  for (const std::string bad : {"0", "-3", "1e10"}) {
    EXPECT_THAT(derive(bad).err, HasSubstr("column pnsim__stands_for: found " + bad +
                                           ", expected a number of launches, 1 to 10^9"));
  }
}

// PyTorch's kernels differ in what they are instantiated for.
TEST(ProgramSums, ModelsAndOutputsHaveTheTemplateArguments) {
  const std::string folder = torch_models(), wanted = "<unsigned int, unsigned int>";
  const Json models = Json::parse(run_program("--model " + folder + " --json").out)["models"];
  const auto csv = parse_csv(run_program("--model " + folder + " --net sm --csv").out, "csv");
  const auto column =
      std::find(csv[0].begin(), csv[0].end(), "template_arguments") - csv[0].begin();
  std::size_t found = 0;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Json& launch = models[i]["launches"][0];
    const std::string cell = csv[i + 1].at(static_cast<std::size_t>(column));
    EXPECT_EQ(launch.contains("template_arguments"), cell != "");
    if (cell != wanted) continue;
    ++found;
    EXPECT_EQ(launch["template_arguments"], wanted);
    const std::string model = folder + "/" + models[i]["file"].get<std::string>();
    EXPECT_THAT(run_program("--model " + model).out, HasSubstr("  fill" + wanted + "  "));
    const ProgramResult compared =
        run_program("compare " + folder + " --device h100,h200 --net sm");
    EXPECT_THAT(compared.out, HasSubstr("  fill" + wanted + "  "));
  }
  EXPECT_EQ(found, 1u);
}

}  // namespace
}  // namespace pnsim
