// The examples of --help, in the order of the commands; the later ones use files of earlier ones.
#include "experiments/cli/commands.h"

namespace pnsim::experiments {

Examples examples() {
  return {
      {"",
       {{"what can be run", "experiment list"},
        {"predict the points of an experiment and compare with recorded times",
         "experiment run copy --compare-gpu=recorded"}}},
      {"list", {{"the programs with their axes, sources and work", "experiment list --programs"}}},
      {"show", {{"axes, net and device of one experiment", "experiment show copy"}}},
      {"run",
       {{"the paper's sorts at two sizes, compared with recorded times",
         "experiment run radix --compare-gpu=recorded -a n[pow2]=[12,13]"},
        {"with the SM net instead of the paper's",
         "experiment run copy --net sm --compare-gpu=recorded --out copy_sm"},
        {"compared with the GPU of this machine (needs a GPU)",
         "experiment run copy --compare-gpu=live"}}},
      {"measure",
       {{"times of one program at two sizes (needs a GPU)",
         "experiment measure -a program=[copy] -a n[pow2]=[20,22] --out times.jsonl"}}},
      {"table",
       {{"the tables of the homework", "experiment table homework"},
        {"what the model of an SM infers", "experiment table heuristics"}}},
      {"repeat", {{"how well times repeat from run to run", "experiment repeat"}}},
      {"counts",
       {{"profile a program and make its models (needs a GPU)",
         "experiment counts -a program=[copy] -o profiled"}}},
      {"microbench",
       {{"what is measured", "experiment microbench --list"},
        {"measure all (needs a GPU)", "experiment microbench --out micro.jsonl"}}},
      {"calibrate",
       {{"the time per step of the paper's net, fitted to one experiment",
         "experiment calibrate copy --out scale.jsonl"}}},
      {"report", {{"tables and plots again from the rows of a run", "experiment report copy_sm"}}},
      {"validate",
       {{"the SM net against the recorded times of one experiment",
         "experiment validate copy --nets sm --out validation"}}},
      {"profile",
       {{"pages and times of the kernels of any program (needs ncu)",
         "experiment profile -o profile-out -- ./program arguments"}}},
      {"device",
       {{"make the profile of the GPU of this machine (needs a GPU)",
         "experiment device --out my_gpu.json"}}},
      {"devices", {{"the GPU here and the shipped profiles", "experiment devices"}}},
      {"doctor", {{"what is built in and what is found here", "experiment doctor"}}},
  };
}

}  // namespace pnsim::experiments
