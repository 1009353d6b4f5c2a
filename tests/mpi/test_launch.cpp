#include <gmock/gmock.h>

#include <map>

#include "base/error.hpp"
#include "mpi/launch.hpp"

namespace hiple::mpi {
namespace {

using Variables = std::map<std::string, std::string>;

Environment environment(const Variables& variables) {
  return [variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
}

std::optional<Launch> detect(const Variables& variables) { return detect_launch(environment(variables)); }

TEST(Launch, NobodyLaunched) { EXPECT_FALSE(detect({})); }

TEST(Launch, OpenMpi) {
  const auto launch = detect({{"OMPI_COMM_WORLD_RANK", "2"},
                              {"OMPI_COMM_WORLD_SIZE", "4"},
                              {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                              {"PMIX_RANK", "2"},
                              {"PMIX_NAMESPACE", "1234"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->launcher, "Open MPI");
  EXPECT_EQ(launch->rank, 2);
  EXPECT_EQ(launch->size, 4);
  EXPECT_EQ(launch->local_rank, 1);
  EXPECT_EQ(launch->job, "1234");
  EXPECT_NO_THROW(check_launch(*launch));
  EXPECT_NO_THROW(check_launch(*launch, 4));
  EXPECT_THROW(check_launch(*launch, 1), InputError);
  EXPECT_THROW(check_launch(*launch, 3), InputError);
}

TEST(Launch, SrunWithPmix) {
  const auto launch = detect({{"SLURM_PROCID", "3"},
                              {"SLURM_STEP_NUM_TASKS", "8"},
                              {"SLURM_NTASKS", "8"},
                              {"SLURM_LOCALID", "1"},
                              {"SLURM_JOB_ID", "77"},
                              {"SLURM_STEP_ID", "0"},
                              {"PMIX_RANK", "3"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->rank, 3);
  EXPECT_EQ(launch->size, 8);
  EXPECT_EQ(launch->local_rank, 1);
  EXPECT_EQ(launch->job, "77.0");
  EXPECT_NO_THROW(check_launch(*launch));
}

TEST(Launch, CopiesWithoutPmiAreRefused) {
  for (const char* variable : {"SLURM_NTASKS", "SLURM_STEP_NUM_TASKS"}) {
    const auto launch = detect({{variable, "4"}, {"SLURM_PROCID", "1"}});
    ASSERT_TRUE(launch) << variable;
    try {
      check_launch(*launch);
      FAIL() << variable;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("4 copies"));
      EXPECT_THAT(error.what(), testing::HasSubstr("srun --mpi=pmix"));
    }
  }
}

TEST(Launch, OneTaskOfSlurmIsNoLaunch) { EXPECT_FALSE(detect({{"SLURM_NTASKS", "1"}, {"SLURM_PROCID", "0"}})); }

TEST(Launch, MpirunInsideAnAllocationIsMpiruns) {
  const auto launch = detect({{"SLURM_NTASKS", "4"}, {"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "1"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->size, 2);
  EXPECT_NO_THROW(check_launch(*launch));
}

TEST(Launch, SizeIsUnknownWithPmixAlone) {
  const auto launch = detect({{"PMIX_RANK", "5"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->rank, 5);
  EXPECT_EQ(launch->size, 0);
}

TEST(Launch, NonsenseIsRefused) {
  EXPECT_THROW(detect({{"OMPI_COMM_WORLD_SIZE", "two"}, {"OMPI_COMM_WORLD_RANK", "0"}}), InputError);
  EXPECT_THROW(detect({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "-1"}}), InputError);
  EXPECT_THROW(detect({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "2"}}), InputError);
}

TEST(Launch, ProcessesOfThisHost) {
  const auto here = [](const Variables& more) {
    Variables variables = more;
    variables.merge(Variables{{"SLURM_PROCID", "5"}, {"SLURM_STEP_NUM_TASKS", "11"}, {"SLURM_LOCALID", "1"}});
    return detect(variables)->local_size;
  };
  EXPECT_EQ(here({{"SLURM_STEP_TASKS_PER_NODE", "4(x2),3"}, {"SLURM_NODEID", "0"}}), 4);
  EXPECT_EQ(here({{"SLURM_STEP_TASKS_PER_NODE", "4(x2),3"}, {"SLURM_NODEID", "1"}}), 4);
  EXPECT_EQ(here({{"SLURM_STEP_TASKS_PER_NODE", "4(x2),3"}, {"SLURM_NODEID", "2"}}), 3);
  EXPECT_EQ(here({{"SLURM_STEP_TASKS_PER_NODE", "11"}}), 11);
  EXPECT_EQ(here({{"SLURM_STEP_TASKS_PER_NODE", "4(x2),3"}, {"SLURM_NODEID", "3"}}), 0);
  EXPECT_EQ(here({{"SLURM_STEP_TASKS_PER_NODE", "many"}}), 0);
  EXPECT_EQ(here({}), 0);
  const Variables open_mpi = {{"OMPI_COMM_WORLD_RANK", "6"}, {"OMPI_COMM_WORLD_SIZE", "8"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}};
  EXPECT_EQ(detect(open_mpi)->local_size, 4);
  EXPECT_EQ(detect({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}, {"MPI_LOCALNRANKS", "2"}})->local_size, 2);
}

TEST(Launch, SeatAmongThoseThatTrain) {
  const auto seat = [](int local_rank, int local_size, int size, bool last_decides) {
    Launch launch;
    launch.local_rank = local_rank;
    launch.local_size = local_size;
    launch.size = size;
    const Seat result = seat_of(launch, last_decides);
    return std::pair(result.local_rank, result.trainers);
  };
  EXPECT_EQ(seat(3, 9, 9, true), std::pair(3, 8));   // the ninth decides
  EXPECT_EQ(seat(3, 9, 9, false), std::pair(3, 9));  // tasks that know no MPI
  EXPECT_EQ(seat(3, 8, 16, true), std::pair(3, 8));
  EXPECT_EQ(seat(3, 0, 16, true), std::pair(3, 1));  // the launcher does not say
  EXPECT_EQ(seat(0, 1, 1, true), std::pair(0, 1));
  EXPECT_EQ(seat_of(std::nullopt, true).trainers, 1);
}

}  // namespace
}  // namespace hiple::mpi
