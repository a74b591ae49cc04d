// Tests sweeps by several processes, as mpirun starts them.
#include <algorithm>

#include "tests/cli/child.h"
#include "tests/cli/program.h"

namespace pnsim {
namespace {

const std::string kRankedSweep = "sweep wpnm -q --set W=8 --set xa=9 -a l1=[1:30] -a l2=[1,2]";

bool have_mpirun() { return std::system("mpirun --version >/dev/null 2>&1") == 0; }

// Options that let root start more processes than cores on one machine.
const std::string kMpirun = "mpirun --allow-run-as-root --oversubscribe ";

int shell(const std::string& command) { return WEXITSTATUS(std::system(command.c_str())); }

// Sets the environment that mpirun sets, without mpirun.
ProgramResult run_as_rank(int rank, int size, const std::string& arguments) {
  ::setenv("OMPI_COMM_WORLD_RANK", std::to_string(rank).c_str(), 1);
  ::setenv("OMPI_COMM_WORLD_SIZE", std::to_string(size).c_str(), 1);
  const ProgramResult result = run_program(arguments);
  ::unsetenv("OMPI_COMM_WORLD_RANK");
  ::unsetenv("OMPI_COMM_WORLD_SIZE");
  return result;
}

std::size_t files_in(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(PnsimRanks, ASingleProcessDoesTheWorkOfAll) {
  const std::string folder = scratch_folder();
  const std::string file = folder + "/rows.jsonl";
  const ProgramResult result = run_as_rank(2, 4, kRankedSweep + " -o " + file);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(file_text(file), run_program(kRankedSweep).out);
  EXPECT_EQ(files_in(folder), 1u) << "the shard files are gone";
  EXPECT_EQ(run_as_rank(3, 4, kRankedSweep + " -o " + file).code, 0) << "one that comes late";
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(PnsimRanks, TheWorstRowDecidesTheExitCodeOfEach) {
  const std::string file = scratch_folder() + "/rows.jsonl";
  const std::string sweep = "sweep wpnm -q -a l1=[1,200] --max-steps 150 -o " + file;
  EXPECT_EQ(run_as_rank(0, 2, sweep).code, 5);
  EXPECT_EQ(run_as_rank(1, 2, sweep).code, 5);
}

TEST(PnsimRanks, RowsOfAnotherNumberOfProcessesOrOfAnotherSweepAreRefused) {
  const std::string folder = scratch_folder();
  const std::string file = folder + "/rows.jsonl";
  write_text(file + ".0-of-3", "");
  const ProgramResult other = run_as_rank(0, 2, kRankedSweep + " -o " + file);
  EXPECT_EQ(other.code, 3);
  EXPECT_NE(other.err.find("rows of 3 processes, expected 2"), std::string::npos) << other.err;
  write_text(file + ".0-of-3", run_program(kRankedSweep + " --seed 2 --shard 0/3").out);
  EXPECT_EQ(run_as_rank(0, 3, kRankedSweep + " -o " + file).code, 3);
  EXPECT_NE(file_text(file + ".0-of-3"), "");
}

TEST(PnsimRanks, InvalidUsageIsReported) {
  const std::string file = scratch_folder() + "/rows.jsonl";
  EXPECT_EQ(run_as_rank(0, 2, kRankedSweep).code, 2) << "needs -o";
  EXPECT_EQ(run_as_rank(0, 2, kRankedSweep + " --shard 1/2 -o " + file).code, 2);
  const std::string whole = run_program(kRankedSweep).out;
  write_text(file, whole.substr(0, whole.find('\n') + 1));
  const ProgramResult partial = run_as_rank(0, 2, kRankedSweep + " -o " + file);
  EXPECT_EQ(partial.code, 2);
  EXPECT_NE(partial.err.find("has 1 of 60 rows"), std::string::npos) << partial.err;
}

TEST(PnsimMpi, FourProcessesWriteTheRowsOfOne) {
  if (!have_mpirun()) GTEST_SKIP() << "mpirun (Open MPI) is not installed";
  const std::string folder = scratch_folder();
  const std::string file = folder + "/rows.jsonl";
  EXPECT_EQ(shell(kMpirun + "-n 4 " + PNSIM_PROGRAM + " " + kRankedSweep + " -o " + file), 0);
  EXPECT_EQ(file_text(file), run_program(kRankedSweep).out);
  EXPECT_EQ(files_in(folder), 1u);
}

// When a process dies, mpirun ends the others. Their rows remain, and the next start completes
// them.
TEST(PnsimMpi, AKilledProcessCostsOnlyItsUnfinishedPoints) {
  if (!have_mpirun()) GTEST_SKIP() << "mpirun (Open MPI) is not installed";
  const std::string folder = scratch_folder();
  const std::string file = folder + "/rows.jsonl";
  // The reference engine is slow enough that points are left when a process is killed.
  const std::string sweep =
      "sweep wpnm -q --engine reference --set W=32 --set xa=150 -a l1=[1:24] -a l2=[1,2]";
  const std::string start = kMpirun + "-n 4 bash -c 'if [ $OMPI_COMM_WORLD_RANK = 2 ]; then " +
                            "(until [ -s " + file + ".2-of-4 -o -e " + file +
                            " ]; do sleep 0.01; done; kill -9 $$) & fi; exec " + PNSIM_PROGRAM +
                            " " + sweep + " -o " + file + "' >" + folder + "/log 2>&1";
  EXPECT_NE(shell(start), 0) << "it was killed before the end";
  const std::string whole = run_program(sweep).out;
  std::string shards[4];
  std::istringstream lines(whole);
  std::size_t row = 0, rows_before = 0;
  for (std::string line; std::getline(lines, line);) shards[row++ % 4] += line + "\n";
  for (int shard = 0; shard < 4; ++shard) {
    const std::string part = file_text(file + "." + std::to_string(shard) + "-of-4");
    EXPECT_EQ(part, shards[shard].substr(0, part.size())) << "a prefix of its shard";
    rows_before += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
  }
  // mpirun ends the other processes soon; if they were faster, they have finished all the work.
  const bool living_finished = std::filesystem::exists(file);
  EXPECT_TRUE(living_finished || rows_before > 0);
  if (living_finished) {
    EXPECT_EQ(file_text(file), whole);
  }
  EXPECT_EQ(shell(kMpirun + "-n 4 " + PNSIM_PROGRAM + " " + sweep + " -o " + file), 0);
  EXPECT_EQ(file_text(file), whole);
  EXPECT_EQ(std::filesystem::exists(file + ".0-of-4"), false);
}

// Without mpirun nothing ends the others, so they finish the work of the dead process.
TEST(PnsimRanks, TheLivingFinishThePointsOfTheDead) {
  const std::string folder = scratch_folder();
  const std::string file = folder + "/rows.jsonl";
  const std::string sweep = "sweep wpnm -q --set W=16 --set xa=30 -a l1=[1:60] -a l2=[1,2]";
  const auto arguments = words_of(sweep + " -o " + file);
  ::setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
  ::setenv("OMPI_COMM_WORLD_RANK", "1", 1);
  Child dies(arguments, folder + "/log1");
  ASSERT_TRUE(wait_for_bytes(file + ".1-of-3", 1));
  ::setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  Child lives(arguments, folder + "/log0");
  ASSERT_TRUE(wait_for_bytes(file + ".0-of-3", 1));
  ::unsetenv("OMPI_COMM_WORLD_SIZE");
  ::unsetenv("OMPI_COMM_WORLD_RANK");
  dies.send(SIGKILL);
  dies.wait();
  EXPECT_EQ(lives.wait(), 0) << file_text(folder + "/log0");
  EXPECT_EQ(file_text(file), run_program(sweep).out);
}

}  // namespace
}  // namespace pnsim
