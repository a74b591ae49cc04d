// The examples of --help, in the order of the commands; the later ones use files of earlier ones.
#include "simulator/cli/commands.h"

namespace pnsim {

namespace {

// Commands about devices, comparisons and the program itself.
Examples more_examples() {
  return {
      {"device",
       {{"the shipped device profiles, and which are estimates", "pnsim device list"},
        {"a GPU with other figures on its data sheet",
         "pnsim device scale h200 --set sms=108 --set memory_bandwidth=2.039e12 -o my_gpu.json"}}},
      {"device list",
       {{"the shipped device profiles, and which are estimates", "pnsim device list"}}},
      {"device scale",
       {{"the facts that --set takes, with their units", "pnsim show a100"},
        {"an A100 with the memory of its 80 GB version, from the data sheet",
         "pnsim device scale a100 --set memory_bandwidth=2.039e12 -o a100_80gb.json"},
        {"predict for it", "pnsim --model norm_group --device a100_80gb.json"}}},
      {"compare",
       {{"which of two programs is faster, and why",
         "pnsim compare radix_shared radix_global --set n=2^12"},
        {"one kernel on two GPUs", "pnsim compare norm_group --device h200,h100"}}},
      {"rank", {{"which block size is best", "pnsim rank gather --axis block=[64,128]"}}},
      {"models", {{"the shipped models, nets and devices", "pnsim models"}}},
      {"doctor", {{"what this build is and what it finds", "pnsim doctor"}}},
  };
}

}  // namespace

Examples examples() {
  Examples all = more_examples();
  all.merge(Examples{
      {"",
       {{"predict the time of a shipped kernel with both nets", "pnsim --model norm_group"},
        {"list what can be predicted and run", "pnsim models"},
        {"make models of your own kernels from the pages of ncu",
         "pnsim derive --ncu raw.csv --source source.csv -o my_models"}}},
      {"run",
       {{"predict a kernel with the SM net, and say where the cycles go",
         "pnsim run --model norm_group --net sm --reasons"},
        {"another problem size and other latencies, with the paper's net",
         "pnsim run --model radix_shared --net wpnm --set n=2^16 --set l1=40"},
        {"a net template with eight warps; the mean of five replicas",
         "pnsim run wpnm --set W=8 --set xa=20 --replicas 5"},
        {"draw the run, and write a Chrome trace for Perfetto",
         "pnsim run wpnm --set W=4 --timeline run.svg --trace run.json"},
        {"stop when three warps wait for the scheduler pool",
         "pnsim run wpnm --set W=4 --until \"p0<=1\""}}},
      {"exact",
       {{"the expected steps of two warps on one scheduler",
         "pnsim exact wpnm --set W=2 --set S=1 --set l1=3 --set l2=1"}}},
      {"check",
       {{"what is to be known of the paper's net", "pnsim check wpnm"},
        {"several inputs at once, as JSON", "pnsim check wpnm norm_group h200 --json=check.json"}}},
      {"show",
       {{"parameters, places and transitions of a template", "pnsim show wpnm"},
        {"launches and warp programs of a kernel model", "pnsim show norm_group"}}},
      {"convert",
       {{"a template with numbers as PNML, for other tools",
         "pnsim convert wpnm --set W=2 -o wpnm.pnml"},
        {"a net of another tool as JSON, with a goal",
         "pnsim convert wpnm.pnml --until p1=0 -o net.json"}}},
      {"derive",
       {{"profile a program with its clock and caches as they are (needs ncu)",
         "ncu --set full --clock-control none --cache-control none -f -o rep ./program"},
        {"print its raw page (needs ncu)", "ncu --import rep.ncu-rep --page raw --csv > raw.csv"},
        {"print its source page (needs ncu)",
         "ncu --import rep.ncu-rep --page source --csv --print-source sass > source.csv"},
        {"one model for each profiled launch",
         "pnsim derive --ncu raw.csv --source source.csv -o my_models"},
        {"then predict them all", "pnsim --model my_models --net sm"}}},
      {"sweep",
       {{"the paper's net over two latencies",
         "pnsim sweep wpnm --set W=4 -a l1=[10:40:10] -a l2=[1,2,4] -o rows.jsonl"},
        {"half of the points here, half elsewhere",
         "pnsim sweep wpnm -a l1=[10:40:10] --shard 0/2 -o part0.jsonl"},
        {"the other half", "pnsim sweep wpnm -a l1=[10:40:10] --shard 1/2 -o part1.jsonl"},
        {"which block size is best",
         "pnsim sweep gather --net sm -a block=[64,128] -o blocks.jsonl"}}},
      {"merge",
       {{"the two halves of a sweep as one file",
         "pnsim merge part0.jsonl part1.jsonl -o whole.jsonl"}}},
      {"sensitivity",
       {{"which change of device or code would help", "pnsim sensitivity norm_group --net sm"},
        {"how the steps depend on each number of the paper's net",
         "pnsim sensitivity wpnm --set W=4 --replicas 3"}}},
  });
  return all;
}

}  // namespace pnsim
