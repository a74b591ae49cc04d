#include "tests/fuzz/command_cases.h"

#include "tests/fuzz/target.h"

namespace pnsim::fuzz {

std::string CommandCase::command() const {
  return program + " " + words.substr(0, words.find(' '));
}

std::string sweep_of_rows() {
  return "sweep wpnm -a l1=[1,2] -a l2=[1,2] --set W=2 --set xa=3 -j 1";
}

namespace {

const std::string kFew = " --max-steps 2000 -j 1", kMany = " --max-steps 1000000 -j 1";

std::vector<CommandCase> cases_of_runs() {
  return {
      {"pnsim", "run net.json --json=out.json --csv=out.csv" + kFew, {"net.json"}},
      {"pnsim", "run net.pnml --replicas 3 --json" + kFew, {"net.pnml"}},
      {"pnsim",
       "run template.json --set W=3 --set xa=2 --trace out.jsonl" + kFew,
       {"template.json"}},
      {"pnsim", "run template.json --timeline out.svg --trace out.json" + kFew, {"template.json"}},
      {"pnsim", "run net.json --until free=0 --rel-error 0.1 --replicas 20" + kFew, {"net.json"}},
      {"pnsim", "--model model.json --json=out.json" + kMany, {"model.json"}},
      {"pnsim",
       "--model model.json --net sm --device device.json --reasons" + kMany,
       {"model.json", "device.json"}},
      {"pnsim", "--model models --csv" + kMany, {"models/a.json", "models/b.json"}},
  };
}

std::vector<CommandCase> cases_of_files() {
  return {
      {"pnsim", "exact net.json --max-markings 300 --max-work 100000000 --json", {"net.json"}},
      {"pnsim", "exact template.json --set W=2 --set l1=1 --max-markings 300", {"template.json"}},
      {"pnsim", "check net.json --json=out.json", {"net.json"}},
      {"pnsim",
       "check template.json model.json device.json net.pnml",
       {"template.json", "model.json", "device.json", "net.pnml"}},
      {"pnsim", "show model.json", {"model.json"}},
      {"pnsim", "show template.json --set W=3", {"template.json"}},
      {"pnsim", "convert net.json -o out.pnml", {"net.json"}},
      {"pnsim", "convert net.pnml -o out.json", {"net.pnml"}},
      {"pnsim", "convert template.json -o out.dot", {"template.json"}},
      {"pnsim", "derive --ncu raw.csv --source source.csv -o out", {"raw.csv", "source.csv"}},
      {"pnsim", "derive --ncu raw.csv -o out", {"raw.csv"}},
  };
}

std::vector<CommandCase> cases_of_questions() {
  return {
      {"pnsim",
       "sweep template.json -a l1=[1:3] -a l2=[1,2] --set W=2 --set xa=3 -o out.jsonl" + kFew,
       {"template.json"}},
      {"pnsim", "sweep --model model.json -a l1=[10:30:10] -o out.jsonl" + kMany, {"model.json"}},
      {"pnsim", sweep_of_rows() + " -o all.jsonl --resume", {"all.jsonl"}, {"all.jsonl"}},
      {"pnsim", "merge even.jsonl odd.jsonl -o out.jsonl", {"even.jsonl", "odd.jsonl"}},
      {"pnsim", "merge all.jsonl -o out.jsonl -q", {"all.jsonl"}},
      {"pnsim",
       "sensitivity template.json --set W=2 --replicas 3 --json=out.json" + kFew,
       {"template.json"}},
      {"pnsim", "sensitivity model.json --net sm --replicas 1" + kMany, {"model.json"}},
      {"pnsim", "compare model.json --b xg*=0.5 --json=out.json" + kMany, {"model.json"}},
      {"pnsim",
       "compare model.json --a device=h200 --b device=device.json --csv=out.csv" + kMany,
       {"model.json", "device.json"}},
      {"pnsim",
       "compare models --device h200,device.json --json=out.json" + kMany,
       {"models/a.json", "models/b.json", "device.json"}},
      {"pnsim",
       "rank model.json -a device=[h200,device.json] --json=out.json" + kMany,
       {"model.json", "device.json"}},
      {"pnsim",
       "device scale device.json --set sms=66 --cite sms=sheet -o out.json",
       {"device.json"}},
      {"pnsim", "device list", {}},
      {"pnsim", "models", {}},
      {"pnsim", "doctor", {}},
  };
}

std::vector<CommandCase> cases_of_experiments() {
  const std::vector<std::string> report = {"run/run.json", "run/points.jsonl", "run/grid.jsonl"};
  return {
      {"experiment", "list", {}},
      {"experiment", "show spec.json", {"spec.json"}},
      {"experiment",
       "run spec.json -a n=[65536] --out out --compare-gpu=recorded -j 1",
       {"spec.json"}},
      {"experiment",
       "run spec.json -a n=[65536] --device device.json --out out -j 1",
       {"spec.json", "device.json"}},
      {"experiment", "report run --json=out.json --csv=out.csv", report, {}},
      {"experiment", "report run", report, {}},
      {"experiment",
       "validate --pages raw.csv --source source.csv --times times.csv --out out -j 1",
       {"raw.csv", "source.csv", "times.csv"}},
      {"experiment", "repeat first.jsonl second.jsonl --json", {"first.jsonl", "second.jsonl"}},
      {"experiment", "calibrate spec.json --out out.jsonl -j 1", {"spec.json"}},
      {"experiment", "devices --import facts.json -o out.json", {"facts.json"}},
      {"experiment", "table homework", {}},
      {"experiment", "doctor", {}},
  };
}

}  // namespace

// The order decides which runs of the driver belong to which command.
std::vector<CommandCase> command_cases() {
  std::vector<CommandCase> out;
  for (const auto& part :
       {cases_of_runs(), cases_of_files(), cases_of_questions(), cases_of_experiments()})
    out.insert(out.end(), part.begin(), part.end());
  return out;
}

std::vector<InputFile> input_files() {
  const auto models = model_seeds();
  const std::string page = "tests/data/pages/sobel_tiled";
  const std::string times = tree_file("results/h100/times.jsonl");
  const std::string some_times = times.substr(0, times.find('\n', 3000) + 1);
  const std::string run = "tests/data/experiment_run/";
  return {
      {"net.json", net_seeds().front()},
      {"net.pnml", tree_file("tests/data/vectors/random_a.pnml")},
      {"template.json", template_seeds()[1]},
      {"model.json", models[0]},
      {"models/a.json", models[1]},
      {"models/b.json", models[2]},
      {"device.json", tree_file("models/devices/h200.json")},
      {"raw.csv", tree_file(page + ".raw.csv")},
      {"source.csv", tree_file(page + ".source.csv")},
      {"times.csv", "index,kernel,problem,block,time_us,config\n0,sobel_tiled,1,256,10.5,a\n"},
      {"first.jsonl", some_times},
      {"second.jsonl", some_times},
      {"spec.json", tree_file("experiments/specs/copy.json")},
      {"facts.json",
       R"({"name": {"value": "NVIDIA T1", "unit": null, "source": "s"},
"driver": {"value": "580.1", "unit": null, "source": "s"},
"sms": {"value": 132, "unit": "SM", "source": "a"},
"schedulers_per_sm": {"value": 4, "unit": "scheduler", "source": "a"},
"max_sm_clock": {"value": 1980000, "unit": "kHz", "source": "clock"},
"warp_size": {"value": 32, "unit": "thread", "source": "a"},
"max_warps_per_sm": {"value": 64, "unit": "warp", "source": "a"},
"max_blocks_per_sm": {"value": 32, "unit": "block", "source": "a"},
"registers_per_sm": {"value": 65536, "unit": "register", "source": "a"},
"shared_memory_per_sm": {"value": 233472, "unit": "byte", "source": "a"},
"l2_bytes": {"value": 62914560, "unit": "byte", "source": "a"},
"memory_clock": {"value": 3201000, "unit": "kHz", "source": "a"},
"memory_bus_width": {"value": 6016, "unit": "bit", "source": "a"}})"},
      {"run/run.json", tree_file(run + "run.json")},
      {"run/points.jsonl", tree_file(run + "points.jsonl")},
      {"run/grid.jsonl", tree_file(run + "grid.jsonl")},
  };
}

}  // namespace pnsim::fuzz
