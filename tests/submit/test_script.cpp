#include <gmock/gmock.h>

#include "base/command.hpp"
#include "submit/script.hpp"

namespace hiple::submit {
namespace {

const RunToSubmit plain{"mill", "/runs/mill", "/runs/mill/slurm"};
const RunToSubmit awkward{"mill", "/runs/it's 100 %", "/runs/it's 100 %/slurm"};
const Installation here{"/opt/hiple/bin", "/opt/hiple/share/hiple/jobs"};

Settings site() {
  Settings settings;
  settings.partition = "gpu";
  settings.account = "proj";
  settings.time = "01:00:00";
  settings.gpus_per_task = 1;
  settings.modules = {"open mpi"};
  settings.environment = {{"NOTE", "it's"}};
  return settings;
}

TEST(Script, OneMpiJob) {
  EXPECT_EQ(job_script(plain, 4, site(), here), R"(#!/usr/bin/env bash
# The run mill as one MPI job. Written by `hiple submit`.
#SBATCH --job-name=hiple-mill
#SBATCH --partition=gpu
#SBATCH --account=proj
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=1
#SBATCH --gpus-per-task=1
#SBATCH --signal=B:USR1@360
#SBATCH --no-kill
set -euo pipefail
module load 'open mpi'
export NOTE='it'\''s'
export HIPLE_BIN_DIR=/opt/hiple/bin
export HIPLE_RESTARTS=100
exec /opt/hiple/share/hiple/jobs/resumable.sh /opt/hiple/share/hiple/jobs/run.sh -t 0 -l srun -n 4 /runs/mill
)");
}

TEST(Script, OneJobWithoutMpi) {
  EXPECT_EQ(tasks_script(awkward, 3, {}, here), R"(#!/usr/bin/env bash
# The run mill as one job without MPI. Written by `hiple submit`.
#SBATCH --job-name=hiple-mill
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --ntasks=3
#SBATCH --cpus-per-task=1
#SBATCH --signal=B:USR1@120
#SBATCH --no-kill
set -euo pipefail
export HIPLE_BIN_DIR=/opt/hiple/bin
export HIPLE_RESTARTS=100
exec /opt/hiple/share/hiple/jobs/resumable.sh /opt/hiple/share/hiple/jobs/tasks.sh -n 3 '/runs/it'\''s 100 %'
)");
}

TEST(Script, AnArrayWhoseTasksTrainByThePlan) {
  EXPECT_EQ(array_script(awkward, {{"a", "b"}, {"c"}}, {}, here), R"(#!/usr/bin/env bash
# The engines of the run mill, an array. Written by `hiple submit`.
#SBATCH --job-name=hiple-mill
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --array=0-1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --signal=B:USR1@120
set -euo pipefail
export HIPLE_BIN_DIR=/opt/hiple/bin
export HIPLE_RESTARTS=100
case $SLURM_ARRAY_TASK_ID in
  0) engines=(a b) ;;
  1) engines=(c) ;;
esac
exec /opt/hiple/share/hiple/jobs/resumable.sh /opt/hiple/share/hiple/jobs/train.sh '/runs/it'\''s 100 %' "${engines[@]}"
)");
}

TEST(Script, TheLawBehindIt) {
  Settings settings;
  settings.time = "10";
  EXPECT_EQ(law_script(plain, settings, here), R"(#!/usr/bin/env bash
# The law of the run mill, behind its engines. Written by `hiple submit`.
#SBATCH --job-name=hiple-mill-law
#SBATCH --time=10
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --ntasks=1
set -euo pipefail
export HIPLE_BIN_DIR=/opt/hiple/bin
export HIPLE_RESTARTS=100
exec /opt/hiple/bin/hiple integrate /runs/mill
)");
}

TEST(Script, TheLawThatMayAskSubmitsTheEnginesAgain) {
  RunToSubmit asking = plain;
  asking.jobs = "/runs/mill/slurm/jobs.json";
  asking.on_demand = true;
  EXPECT_THAT(law_script(asking, {}, here), testing::HasSubstr(R"(export HIPLE_RESTARTS=100
status=0
/opt/hiple/bin/hiple integrate /runs/mill || status=$?
[ "$status" -eq 5 ] || exit "$status"
# The law asks for more judgments: the engines again, and the law behind them.
engines=$(sbatch --parsable '--output=/runs/mill/slurm/%A_%a.log' /runs/mill/slurm/engines.sh)
engines=${engines%%;*}
law=$(sbatch --parsable '--output=/runs/mill/slurm/%j.log' --dependency="afterany:$engines" /runs/mill/slurm/law.sh)
law=${law%%;*}
printf '{"jobs": ["%s", "%s"]}\n' "$engines" "$law" >/runs/mill/slurm/jobs.json
)"));
  RunToSubmit odd = awkward;
  odd.on_demand = true;
  EXPECT_EQ(run_command({"bash", "-n", "-c", law_script(odd, site(), here)}).errors, "");
}

TEST(Script, BashTakesAllOfThem) {
  for (const std::string& script :
       {job_script(awkward, 2, site(), here), array_script(awkward, {{"a"}}, site(), here), law_script(awkward, site(), here)})
    EXPECT_EQ(run_command({"bash", "-n", "-c", script}).errors, "");
}

TEST(Sbatch, WordsForTheCall) {
  EXPECT_THAT(sbatch_words(plain, array_name),
              testing::ElementsAre("sbatch", "--parsable", "--output=/runs/mill/slurm/%A_%a.log", "/runs/mill/slurm/engines.sh"));
  EXPECT_THAT(sbatch_words(awkward, law_name, "17"),
              testing::ElementsAre("sbatch", "--parsable", "--output=/runs/it's 100 %%/slurm/%j.log", "--dependency=afterany:17",
                                   "/runs/it's 100 %/slurm/law.sh"));
}

TEST(Sbatch, TheNumberOfTheJob) {
  EXPECT_EQ(job_number("17\n"), "17");
  EXPECT_EQ(job_number("17;cluster\n"), "17");
  EXPECT_THROW(job_number("Submitted batch job 17\n"), Error);
  EXPECT_THROW(job_number(""), Error);
}

TEST(Path, WhatSlurmCannotBeGiven) {
  EXPECT_NO_THROW(check_path("/runs/it's a \"100 %\" $(run)"));
  EXPECT_THROW(check_path("/runs/back\\slash"), InputError);
  EXPECT_THROW(check_path("/runs/two\nlines"), InputError);
}

}  // namespace
}  // namespace hiple::submit
