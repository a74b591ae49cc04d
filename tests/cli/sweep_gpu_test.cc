// Tests pnsim sweep --on gpu: the rows are the same with and without a GPU.
#include "tests/cli/program.h"

namespace pnsim {
namespace {

const std::string kReplicas = "sweep wpnm --set W=5 --replicas 300 -a l1=[3,20]";

TEST(PnsimSweepOnGpu, WritesTheSameRowsAndSaysWhereTheyWereMade) {
  const ProgramResult cpu = run_program(kReplicas), gpu = run_program(kReplicas + " --on gpu");
  EXPECT_EQ(cpu.code, 0) << cpu.err;
  EXPECT_EQ(gpu.code, 0) << gpu.err;
  EXPECT_EQ(gpu.out, cpu.out);
  const bool was_there =
      gpu.err.find("600 runs on the GPU, 2 of them compared") != std::string::npos;
  const bool was_not = gpu.err.find("it runs on the CPU:") != std::string::npos;
  EXPECT_NE(was_there, was_not) << gpu.err;
  EXPECT_EQ(cpu.err.find("GPU"), std::string::npos) << cpu.err;
}

TEST(PnsimSweepOnGpu, GoesOnWithRowsOfTheCpu) {
  const std::string rows = scratch_folder() + "/rows.jsonl";
  const std::string sweep = kReplicas + " -o " + rows + " --resume";
  EXPECT_EQ(run_program(sweep).code, 0);
  const std::string text = file_text(rows);
  write_text(rows, text.substr(0, text.find('\n') + 1));
  EXPECT_EQ(run_program(sweep + " --on gpu").code, 0);
  EXPECT_EQ(file_text(rows), text);
}

TEST(PnsimSweepOnGpu, OtherPlacesAndTheReferenceEngineAreRefused) {
  EXPECT_EQ(run_program(kReplicas + " --on tpu").code, 2);
  const ProgramResult reference = run_program(kReplicas + " --on gpu --engine reference");
  EXPECT_EQ(reference.code, 2);
  EXPECT_NE(reference.err.find("--engine reference"), std::string::npos) << reference.err;
}

}  // namespace
}  // namespace pnsim
