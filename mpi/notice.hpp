#pragma once

namespace hiple::mpi {

/// "Look now": one integer, a trainer's rank, from each trainer to the integrator when its list is done. It carries nothing
/// that is not in files; if it is lost, the integrator finds out by itself.

/// Sends it without blocking. Gives up after `seconds`: false.
bool send_notice(int to, int rank, double seconds);

/// Takes every notice that is there; how many. Never blocks.
int receive_notices();

}  // namespace hiple::mpi
