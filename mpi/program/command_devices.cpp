#include <fmt/format.h>

#include <memory>
#include <optional>

#include "mpi/launch.hpp"
#include "mpi/program/commands.hpp"
#include "mpi/program/whole_number.hpp"
#include "run/devices.hpp"

namespace hiple::program {

void add_devices(CLI::App& app, Work& work) {
  struct Options {
    bool json = false;
    std::uint64_t assumed = 0;
    CLI::Option* assume = nullptr;
  };
  auto options = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("devices", "The CUDA devices that are visible here, and the one that a process would train on");
  command->add_flag("--json", options->json, "for programs");
  options->assume = add_whole_number(*command, "--assume", options->assumed, "the place of this process if so many were visible");
  command->footer(
      "A process takes the device that its number among those of its host points to (OMPI_COMM_WORLD_LOCAL_RANK,\n"
      "SLURM_LOCALID, MPI_LOCALRANKID), out of those that CUDA_VISIBLE_DEVICES shows it.\n"
      "Example: srun -n 8 hiple devices");
  command->callback([options, &work] {
    work = [options] {
      constexpr std::uint64_t most = 1 << 16;
      if (options->assumed > most)
        throw InputError(Place{"--assume"}, fmt::format("{} devices", options->assumed), {},
                         fmt::format("give {} at most", most));
      const auto devices = visible_devices();
      const auto visible = options->assume->count() > 0 ? static_cast<int>(options->assumed) : static_cast<int>(devices.size());
      const Seat seat = mpi::seat_of(mpi::detect_launch(process_environment()), false);
      fmt::print("{}", options->json ? devices_json(devices, seat, visible) : devices_text(devices, seat, visible));
      return ExitStatus::done;
    };
  });
}

}  // namespace hiple::program
